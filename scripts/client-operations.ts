import type { Schema } from './declarations.ts'

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
export type Document = {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema> }
}
export type Row = Operation & { method: string; path: string; group: string; name: string }

/**
 * What a stream is made of, where each message is one thing; the document can only say that it is text. Others
 * are of messages with a name and data.
 */
export const STREAMS: Readonly<Record<string, string>> = {
  'meetings.events': 'MeetingEvent',
  'events.stream': 'MeetingEvent',
  'listeners.stream': 'ListenedCallback',
}
/** Every operation of a document, by name. */
export function rowsOf({ paths }: Document): Row[] {
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

export function groupsOf(rows: readonly Row[]): Array<[string, Row[]]> {
  return Object.entries(Object.groupBy(rows, ({ group }) => group)).map(([group, members]) => [
    group,
    members ?? [],
  ])
}

export function isStream({ responses }: Row): boolean {
  return 'text/event-stream' in (responses['200']?.content ?? {})
}

/** Whether the answer is a picture or the like. */
export function isBinary({ responses }: Row): boolean {
  const types = Object.keys(responses['200']?.content ?? {})
  return types.length > 0 && types.every((type) => !/^text\/|json$/.test(type))
}

export function takesKey({ parameters }: Row): boolean {
  return parameters.some(({ name }) => name === 'Idempotency-Key')
}

export function mediaTypeOf({ content }: NonNullable<Operation['requestBody']>): string {
  return Object.keys(content)[0] ?? ''
}

/** The JSON of a success; nothing where the answer is text. */
export function answerOf({ responses }: Row): Schema | undefined {
  const found = Object.entries(responses).find(([status]) => status.startsWith('2'))
  return jsonOf(found?.[1].content)
}

function jsonOf(content: Content | undefined): Schema | undefined {
  return content?.['application/json']?.schema
}
