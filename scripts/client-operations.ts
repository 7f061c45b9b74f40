import type { Schema } from './typescript-declarations.ts'

type Parameter = {
  name: string
  in: string
  required: boolean
  description?: string
  schema: Schema
}
type Content = Record<string, { schema: Schema }>
type Operation = {
  operationId: string
  summary: string
  parameters: Parameter[]
  requestBody?: { required: boolean; content: Content }
  responses: Record<string, { content: Content }>
}
export type OpenApiDocument = {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema> }
}
export type ClientOperation = Operation & {
  method: string
  path: string
  group: string
  name: string
}

/**
 * What a stream is made of, where each message is one thing; the document can only say that it is text. Others
 * are of messages with a name and data.
 */
export const STREAM_ITEM_TYPES: Readonly<Record<string, string>> = {
  'meetings.events': 'MeetingEvent',
  'events.stream': 'MeetingEvent',
  'listeners.stream': 'ListenedCallback',
}
/** Every operation of a document, by name. */
export function listOperations({ paths }: OpenApiDocument): ClientOperation[] {
  const rows = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => {
      const [group = '', name = ''] = operation.operationId.split('.')
      return { ...operation, method: method.toUpperCase(), path, group, name }
    }),
  )
  const ids = rows.map(({ operationId }) => operationId)
  const twice = ids.filter((id, i) => ids.indexOf(id) !== i)
  if (twice.length > 0) throw new Error(`two operations are named ${twice.join(', ')}`)
  return rows.toSorted((a, b) => (a.operationId < b.operationId ? -1 : 1))
}

export function groupOperations(
  rows: readonly ClientOperation[],
): Array<[string, ClientOperation[]]> {
  return Object.entries(Object.groupBy(rows, ({ group }) => group)).map(([group, members]) => [
    group,
    members ?? [],
  ])
}

export function isStream({ responses }: ClientOperation): boolean {
  return 'text/event-stream' in (responses['200']?.content ?? {})
}

/** Whether the answer is a picture or the like. */
export function isBinary({ responses }: ClientOperation): boolean {
  const types = Object.keys(responses['200']?.content ?? {})
  return types.length > 0 && types.every((type) => !/^text\/|json$/.test(type))
}

export function takesIdempotencyKey({ parameters }: ClientOperation): boolean {
  return parameters.some(({ name }) => name === 'Idempotency-Key')
}

export function requestMediaType({ content }: NonNullable<Operation['requestBody']>): string {
  return Object.keys(content)[0] ?? ''
}

/** The JSON of a success; nothing where the answer is text. */
export function responseSchemaOf({ responses }: ClientOperation): Schema | undefined {
  const found = Object.entries(responses).find(([status]) => status.startsWith('2'))
  return jsonOf(found?.[1].content)
}

function jsonOf(content: Content | undefined): Schema | undefined {
  return content?.['application/json']?.schema
}
