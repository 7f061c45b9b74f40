import { sha256 } from '../../lib/crypto.ts'
import { ScimError } from './scim-error.ts'
import type { ScimGroup } from './group-store.ts'
import type { ScimUser } from './user-store.ts'

/** The JSON of users and groups, with their entity tags. */

export const USER_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:User'
export const GROUP_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:Group'

export type Json = Record<string, unknown>

/** Which attributes a client wants. Null for all. */
export type AttributeChoice = { included: Set<string> | null; excluded: Set<string> }

const MAX_CHOICES = 50

export function toUserJson(user: ScimUser, url: string): Json {
  const { id, userName, externalId, displayName, name, emails, active, groups } = user
  const json = {
    schemas: [USER_SCHEMA],
    id,
    ...(externalId !== null && { externalId }),
    userName,
    ...(displayName !== null && { displayName }),
    ...(Object.keys(name).length > 0 && { name }),
    emails,
    active,
    groups: groups.map((group) => ({ value: group.id, display: group.displayName })),
  }
  return { ...json, meta: toMeta('User', user, `${url}/Users/${id}`, userEtag(user)) }
}

export function toGroupJson(group: ScimGroup, url: string): Json {
  const { id, displayName, externalId, members } = group
  return {
    schemas: [GROUP_SCHEMA],
    id,
    ...(externalId !== null && { externalId }),
    displayName,
    ...(members !== null && {
      members: members.map((member) => ({ value: member.id, display: member.name, type: 'User' })),
    }),
    meta: toMeta('Group', group, `${url}/Groups/${id}`, groupEtag(group)),
  }
}

/** A hash, because people change their accounts in the console too. */
export function userEtag({
  createdAt: _created,
  updatedAt: _updated,
  groups: _groups,
  ...user
}: ScimUser): string {
  return `W/"${sha256(JSON.stringify(user)).toString('base64url').slice(0, 16)}"`
}

export function groupEtag({ version }: ScimGroup): string {
  return `W/"${version}"`
}

function toMeta(
  resourceType: string,
  { createdAt, updatedAt }: { createdAt: Date; updatedAt: Date },
  location: string,
  version: string,
): Json {
  return {
    resourceType,
    created: createdAt.toISOString(),
    lastModified: updatedAt.toISOString(),
    location,
    version,
  }
}

export function readAttributeChoice(
  attributes: string | undefined,
  excludedAttributes: string | undefined,
): AttributeChoice {
  return {
    included: attributes === undefined ? null : toNames(attributes),
    excluded: toNames(excludedAttributes ?? ''),
  }
}

function toNames(text: string): Set<string> {
  const names = text.split(',', MAX_CHOICES + 1)
  if (names.length > MAX_CHOICES)
    throw new ScimError('invalidValue', `At most ${MAX_CHOICES} attributes can be named`)
  const short = names.map((name) => name.trim().toLowerCase().split(':').at(-1) ?? '')
  return new Set(short.filter((name) => name !== ''))
}

/** True if the response has this attribute. */
export function isChosen({ included, excluded }: AttributeChoice, name: string): boolean {
  const key = name.toLowerCase()
  if (included === null) return !excluded.has(key)
  return included.has(key) || [...included].some((one) => one.startsWith(`${key}.`))
}

/** The resource with the chosen attributes. Its id and schemas are always there. */
export function pickAttributes(json: Json, choice: AttributeChoice): Json {
  const { included, excluded } = choice
  const entries = Object.entries(json).flatMap(([name, value]): Array<[string, unknown]> => {
    if (name === 'id' || name === 'schemas') return [[name, value]]
    if (!isChosen(choice, name)) return []
    const key = name.toLowerCase()
    const isWhole = included === null ? true : included.has(key)
    const keeps = (sub: string) =>
      (isWhole || included?.has(`${key}.${sub}`) === true) && !excluded.has(`${key}.${sub}`)
    return [[name, pickSubAttributes(value, keeps)]]
  })
  return Object.fromEntries(entries)
}

function pickSubAttributes(value: unknown, keeps: (sub: string) => boolean): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => pickSubAttributes(item, keeps))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).filter(([name]) => keeps(name.toLowerCase())))
}
