import { matchesFilter, parsePath, type Path } from './filter.ts'
import { ScimError } from './scim-error.ts'
import { readAttributes } from './user-fields.ts'

/** PATCH of RFC 7644, section 3.5.2, with what Microsoft Entra ID and Okta send beyond it. */

export type PatchOperation = {
  kind: 'add' | 'replace' | 'remove'
  path: Path | null
  value: unknown
}

/** A resource while it is patched. The names are in lower case. */
export type PatchedResource = Map<string, unknown>

/** How an attribute can be changed. `ignored`: Hansard does not store it. */
export type PatchableAttribute = 'single' | 'complex' | 'list' | 'read-only' | 'ignored'

const KINDS = ['add', 'replace', 'remove'] as const
const MAX_OPERATIONS = 1_000
/** What Okta repeats in a value without a path. */
const REPEATED = new Set(['id', 'schemas', 'meta'])
const MAX_ITEMS = 50

export function readPatch(body: unknown): PatchOperation[] {
  const operations = readAttributes(body, 'The body').get('operations')
  if (!Array.isArray(operations) || operations.length === 0)
    throw new ScimError('invalidSyntax', 'Operations must be a list with at least one operation')
  if (operations.length > MAX_OPERATIONS)
    throw new ScimError('tooMany', `A PATCH can have at most ${MAX_OPERATIONS} operations`)
  return operations.flatMap((operation) => {
    const fields = readAttributes(operation, 'An operation')
    const op = fields.get('op')
    // Microsoft Entra ID begins them with a capital letter.
    const kind = KINDS.find((one) => typeof op === 'string' && op.toLowerCase() === one)
    if (kind === undefined)
      throw new ScimError('invalidSyntax', 'op must be add, replace or remove')
    const path = fields.get('path')
    const value = fields.get('value')
    if (path === undefined || path === null || path === '') return spreadValue(kind, value)
    if (typeof path !== 'string') throw new ScimError('invalidPath', 'path must be a text')
    if (kind !== 'remove' && value === undefined)
      throw new ScimError('invalidValue', `The operation on ${path.slice(0, 100)} has no value`)
    return [{ kind, path: parsePath(path), value }]
  })
}

/** An operation without a path has an object as its value. Its names are attributes, or paths as Entra sends them. */
function spreadValue(kind: PatchOperation['kind'], value: unknown): PatchOperation[] {
  if (kind === 'remove') throw new ScimError('noTarget', 'A remove operation needs a path')
  return [...readAttributes(value, 'The value of an operation without a path')]
    .filter(([name]) => !REPEATED.has(name))
    .map(([name, inner]) => ({ kind, path: parsePath(name), value: inner }))
}

export function applyOperation(
  resource: PatchedResource,
  { kind, path, value }: PatchOperation,
  attributes: Readonly<Record<string, PatchableAttribute>>,
): void {
  if (path === null) return
  const { attribute, filter, sub } = path
  const isKnown = Object.hasOwn(attributes, attribute)
  const type = attribute.startsWith('urn:')
    ? 'ignored'
    : isKnown
      ? attributes[attribute]
      : undefined
  if (type === 'ignored') return
  if (type === undefined)
    throw new ScimError('invalidPath', `There is no attribute ${attribute.slice(0, 100)}`)
  if (type === 'read-only') throw new ScimError('mutability', `${attribute} cannot be changed`)
  if (type !== 'list' && filter !== null)
    throw new ScimError('invalidPath', `${attribute} is not a list, so it has no filter`)
  if (type === 'list') patchList(resource, { kind, path, value })
  else if (sub !== null) {
    if (type === 'single') throw new ScimError('invalidPath', `${attribute} has no ${sub}`)
    const inner = toMap(resource.get(attribute))
    setOrRemove(inner, sub, kind, value)
    resource.set(attribute, Object.fromEntries(inner))
  } else if (type === 'complex' && kind !== 'remove')
    resource.set(
      attribute,
      Object.fromEntries([...toMap(resource.get(attribute)), ...readAttributes(value, attribute)]),
    )
  else setOrRemove(resource, attribute, kind, value)
}

type ListPatch = { kind: PatchOperation['kind']; path: Path; value: unknown }
type Item = Map<string, unknown>

function patchList(resource: PatchedResource, { kind, path, value }: ListPatch): void {
  const { attribute, filter, sub } = path
  const items = [resource.get(attribute) ?? []].flat().map((item) => toItem(item, attribute))
  const isChosen = (item: Item) => filter === null || matchesFilter(filter, item)
  const save = (list: readonly Item[]) => {
    if (list.length > MAX_ITEMS)
      throw new ScimError('invalidValue', `${attribute} has too many values`)
    resource.set(
      attribute,
      list.map((item) => Object.fromEntries(item)),
    )
  }
  if (filter === null && sub === null) {
    const given = kind === 'remove' && value === undefined ? null : toItems(value, attribute)
    if (kind === 'replace') return save(given ?? [])
    if (kind === 'remove')
      return save(given === null ? [] : items.filter((item) => !hasValue(given, item)))
    const added = given ?? []
    const kept = items.filter((item) => !hasValue(added, item))
    return save([...withoutPrimary(kept, added), ...added])
  }
  const chosen = items.filter(isChosen)
  if (kind === 'remove') {
    if (sub === null) return save(items.filter((item) => !isChosen(item)))
    for (const item of chosen) item.delete(sub)
    return save(items.filter((item) => item.size > 0))
  }
  if (chosen.length === 0) {
    if (kind === 'replace' && filter === null) return
    // RFC 7644 asks for an error if nothing can be replaced. An addition creates the value that the filter describes.
    const created = kind === 'add' && filter !== null ? describedBy(path) : null
    if (created === null)
      throw new ScimError('noTarget', `No value of ${attribute} matches the filter`)
    items.push(created)
    chosen.push(created)
  }
  for (const item of chosen) {
    if (sub !== null) item.set(sub, value)
    else for (const [name, inner] of readAttributes(value, attribute)) item.set(name, inner)
  }
  withoutPrimary(
    items.filter((item) => !chosen.includes(item)),
    chosen,
  )
  save(items)
}

/** The value that `[type eq "work"]` describes. Null for a filter that describes none. */
function describedBy({ filter }: Path): Item | null {
  const parts = filter?.kind === 'and' ? filter.parts : filter === null ? [] : [filter]
  const item: Item = new Map()
  for (const part of parts) {
    if (part.kind !== 'compare' || part.operator !== 'eq') return null
    item.set(part.path, part.value)
  }
  return item
}

/** A new primary value takes the place of the earlier one. */
function withoutPrimary(items: Item[], changed: readonly Item[]): Item[] {
  const isTrue = (item: Item) => String(item.get('primary')).toLowerCase() === 'true'
  if (changed.some(isTrue)) for (const item of items) item.delete('primary')
  return items
}

function hasValue(list: readonly Item[], item: Item): boolean {
  const value = String(item.get('value')).toLowerCase()
  return list.some((one) => String(one.get('value')).toLowerCase() === value)
}

function toItems(value: unknown, attribute: string): Item[] {
  const list = value === undefined || value === null ? [] : [value].flat()
  if (list.length > MAX_ITEMS)
    throw new ScimError('invalidValue', `${attribute} has too many values`)
  return list.map((item) => toItem(item, attribute))
}

function toItem(value: unknown, attribute: string): Item {
  return typeof value === 'string' ? new Map([['value', value]]) : readAttributes(value, attribute)
}

function toMap(value: unknown): Map<string, unknown> {
  return value === undefined || value === null ? new Map() : readAttributes(value, 'name')
}

function setOrRemove(
  target: Map<string, unknown>,
  name: string,
  kind: PatchOperation['kind'],
  value: unknown,
): void {
  if (kind === 'remove') target.delete(name)
  else target.set(name, value)
}
