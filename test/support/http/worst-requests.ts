import { z } from 'zod'
import type { JsonSchema } from './openapi-document.ts'
import type { RegisteredRoute } from '../service/start-nodes.ts'

/** `body` creates the text on demand, because all texts together can need gigabytes. */
export type WorstRequest = {
  kind: string
  query: string
  type: string
  body: (() => string) | null
}

export type AssistantTool = { name: string; inputSchema: JsonSchema }

const DEFAULT_BODY_LIMIT = 64 * 1024
const MAX_QUERY = 7_000
/** Texts that are expensive for a parser, a pattern or a comparison. */
const PATTERNS: Readonly<Record<string, string>> = {
  letters: 'x',
  words: 'ab ',
  lines: 'a\n',
  returns: 'a\r',
  brackets: '[',
  tags: '{{ a }}',
  'front matter': '? ',
  'at signs': '@',
  marks: '!',
  dashes: '-',
}

const END = ' x'
/** Front matter that takes longest to parse, each with as many parts as it may have. No prompt knows the keys. */
export const LONG_FRONT_MATTER: Readonly<Record<string, string>> = {
  list: frontMatter(
    `${Array.from({ length: 20 }, (_, i) => `key${i}: 1`).join('\n')}\nlist: [${'a,'.repeat(5_200)}a]`,
  ),
  keys: frontMatter(Array.from({ length: 3_450 }, (_, i) => `model${i}: 1`).join('\n')),
  nesting: frontMatter(`a:\n${`${'- '.repeat(31)}b\n`.repeat(320)}`),
  errors: frontMatter('} '.repeat(10_400)),
  tabs: frontMatter(`a:\n${'\t- b\n'.repeat(5_200)}`),
}

/** The largest requests of each kind that a route reads. Each is just below the limit of its body. */
export function listWorstRequests(route: RegisteredRoute, largest: number): WorstRequest[] {
  const size = Math.min(route.bodyLimit ?? DEFAULT_BODY_LIMIT, largest) - 2_000
  const { body, querystring } = route.schema ?? {}
  if (body instanceof z.ZodType) return listBodies(toJsonSchema(body), size)
  if (route.method === 'PUT' && route.url.endsWith('/documents/*')) {
    return ['---\na: ', ...Object.values(LONG_FRONT_MATTER)].flatMap((start) =>
      Object.entries(PATTERNS).map(([kind, text]) => ({
        kind: `text of ${kind} after ${start.length} characters`,
        query: '',
        type: 'text/markdown',
        body: () => `${start}${repeat(text, size - start.length)}`,
      })),
    )
  }
  return querystring instanceof z.ZodType ? listQueries(toJsonSchema(querystring)) : []
}

/** The largest calls of a Model Context Protocol tool. Their arguments are the worst bodies. */
export function listWorstToolCalls(tool: AssistantTool, size: number): WorstRequest[] {
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call' }
  return listBodies(tool.inputSchema, size).map(({ body, ...request }) => ({
    ...request,
    body: () => {
      const text = JSON.stringify({ ...call, params: { name: tool.name, arguments: 0 } })
      return text.replace('"arguments":0', () => `"arguments":${body?.() ?? '{}'}`)
    },
  }))
}

function listBodies(schema: JsonSchema, size: number): WorstRequest[] {
  const [example] = (schema['examples'] ?? [{}]) as [object]
  const fields = Object.entries(schema.properties ?? {})
  const known = fields.map(([name]) => name)
  let misspelt: string | undefined
  const misspellings = () => (misspelt ??= listMisspellings(known, size))
  const bodies: Array<[kind: string, body: () => string]> = [
    ['unknown fields', misspellings],
    ['a long name', () => addField(example, 'x'.repeat(size), '1')],
    ['many fields', () => listMisspellings(['f'], size)],
    ['an array', () => repeatItem('1', size / 2)],
    ['nesting', () => `${'[{"a":'.repeat(size / 10)}1${'}]'.repeat(size / 10)}`],
    ['brackets', () => '['.repeat(size)],
  ]
  for (const [name, field] of fields) {
    const limit = Number(field['maxLength'] ?? size)
    const add = (kind: string, value: () => string) =>
      bodies.push([`${name}: ${kind}`, () => addField(example, name, value())])
    for (const [kind, text] of Object.entries(PATTERNS)) {
      add(kind, () => JSON.stringify(repeat(text, size / 2)))
      if (limit < size / 2) add(`longest ${kind}`, () => JSON.stringify(repeat(text, limit)))
    }
    add('front matter', () => JSON.stringify(frontMatter(`a: ${'['.repeat(size / 2)}`)))
    for (const [kind, text] of Object.entries(LONG_FRONT_MATTER))
      add(`front matter with ${kind}`, () => JSON.stringify(text))
    for (const item of ['"x"', '"a\\u0000"', '{}', '[]'])
      add(`items ${item}`, () => repeatItem(item, size / 12))
    add('fields', misspellings)
  }
  return bodies.map(([kind, body]) => ({ kind, body, query: '', type: 'application/json' }))
}

function listQueries(schema: JsonSchema): WorstRequest[] {
  const names = Object.keys(schema.properties ?? {})
  const queries = names.flatMap((name) =>
    Object.entries(PATTERNS).map(([kind, text]): [string, string] => [
      `${name}: ${kind}`,
      `${name}=${encodeURIComponent(text).repeat(MAX_QUERY / encodeURIComponent(text).length)}%20x`,
    ]),
  )
  const repeated = names.map((name) => `${name}=x&`.repeat(MAX_QUERY / (name.length + 3)))
  return [...queries, ...repeated.map((query): [string, string] => ['repeated', query])].map(
    ([kind, query]) => ({ kind: `query ${kind}`, query: `?${query}`, type: '', body: null }),
  )
}

/** JSON with fields whose names resemble known ones, so that each is compared with all of them. */
function listMisspellings(known: readonly string[], size: number): string {
  const fields: string[] = []
  for (let length = 0, i = 0; length < size; i += 1) {
    const field = `"${known[i % known.length] ?? 'a'}${i}":1`
    length += field.length + 1
    fields.push(field)
  }
  return `{${fields.join()}}`
}

function repeatItem(item: string, count: number): string {
  return `[${`${item},`.repeat(count - 1)}${item}]`
}

/** As text, because creating and encoding an object with a million fields takes seconds. */
function addField(example: object, name: string, value: string): string {
  const others = Object.entries(example).filter(([key]) => key !== name)
  const fields = others.map((entry) => entry.map((part) => JSON.stringify(part)).join(':'))
  return `{${[...fields, `${JSON.stringify(name)}:${value}`].join()}}`
}

function frontMatter(header: string): string {
  return `---\n${header}\n---\n`
}

/** The end differs, so that a pattern for the whole text is tried from many places. */
function repeat(text: string, length: number): string {
  return `${text.repeat(Math.max(1, (length - END.length) / text.length))}${length > END.length ? END : ''}`
}

function toJsonSchema(schema: z.ZodType): JsonSchema {
  return z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema
}
