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
/** The front matter that takes longest to parse, with as many parts as it may have. No prompt knows its keys. */
export const LONG_FRONT_MATTER = [
  '---',
  ...Array.from({ length: 20 }, (_, i) => `key${i}: 1`),
  `list: [${'a,'.repeat(6_400)}a]`,
  '---\n',
].join('\n')

/** The largest requests of each kind that a route reads. Each is just below the limit of its body. */
export function listWorstRequests(route: RegisteredRoute, largest: number): WorstRequest[] {
  const size = Math.min(route.bodyLimit ?? DEFAULT_BODY_LIMIT, largest) - 2_000
  const { body, querystring } = route.schema ?? {}
  if (body instanceof z.ZodType) return listBodies(toJsonSchema(body), size)
  if (route.method === 'PUT' && route.url.endsWith('/documents/*')) {
    return ['---\na: ', LONG_FRONT_MATTER].flatMap((start) =>
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
  const count = Math.floor(size / 20)
  const bodies: Array<[kind: string, body: () => unknown]> = [
    ['unknown fields', () => misspellings(known, count)],
    ['a long name', () => ({ ...example, ['x'.repeat(size)]: 1 })],
    [
      'many fields',
      () => Object.fromEntries(Array.from({ length: count }, (_, i) => [`f${i}`, 1])),
    ],
    ['an array', () => Array.from({ length: Math.floor(size / 2) }, () => 1)],
  ]
  for (const [name, field] of fields) {
    const limit = Number(field['maxLength'] ?? size)
    for (const [kind, text] of Object.entries(PATTERNS)) {
      bodies.push([`${name}: ${kind}`, () => ({ ...example, [name]: repeat(text, size / 2) })])
      if (limit < size / 2)
        bodies.push([
          `${name}: longest ${kind}`,
          () => ({ ...example, [name]: repeat(text, limit) }),
        ])
    }
    const header = () => `---\na: ${repeat('[', size / 2)}\n---\n`
    bodies.push(
      [`${name}: front matter`, () => ({ ...example, [name]: header() })],
      [`${name}: long front matter`, () => ({ ...example, [name]: LONG_FRONT_MATTER })],
    )
    for (const item of ['x', 'a\0', {}, []]) {
      const items = () => Array.from({ length: Math.floor(size / 12) }, () => item)
      bodies.push([
        `${name}: items ${JSON.stringify(item)}`,
        () => ({ ...example, [name]: items() }),
      ])
    }
    bodies.push([`${name}: fields`, () => ({ ...example, [name]: misspellings(known, count) })])
  }
  const deep = () => `${'[{"a":'.repeat(size / 10)}1${'}]'.repeat(size / 10)}`
  return [
    ...bodies.map(([kind, body]) => ({ kind, body: () => JSON.stringify(body()) })),
    { kind: 'nesting', body: deep },
    { kind: 'brackets', body: () => '['.repeat(size) },
  ].map((request) => ({ ...request, query: '', type: 'application/json' }))
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

/** Fields whose names resemble known ones, so that each is compared with all of them. */
function misspellings(known: readonly string[], count: number): Record<string, number> {
  const names = Array.from({ length: count }, (_, i) => `${known[i % known.length] ?? 'a'}${i}`)
  return Object.fromEntries(names.map((name) => [name, 1]))
}

/** The end differs, so that a pattern for the whole text is tried from many places. */
function repeat(text: string, length: number): string {
  return `${text.repeat(Math.max(1, (length - END.length) / text.length))}${length > END.length ? END : ''}`
}

function toJsonSchema(schema: z.ZodType): JsonSchema {
  return z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema
}
