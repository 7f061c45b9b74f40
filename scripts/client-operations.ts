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
  /** Only routes for programs have one. */
  summary?: string
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

/** The item types of streams with one type of message, which OpenAPI cannot express. Others yield a name and data. */
export const STREAM_ITEM_TYPES: Readonly<Record<string, string>> = {
  'meetings.events': 'MeetingEvent',
  'events.stream': 'MeetingEvent',
  'listeners.stream': 'ListenedCallback',
}
const STREAM_TYPE = 'text/event-stream'

/** All operations of an OpenAPI document, sorted by id. */
export function listOperations({ paths }: OpenApiDocument): ClientOperation[] {
  const rows = Object.entries(paths)
    .flatMap(([path, operations]) =>
      Object.entries(operations).map(([method, operation]) => {
        const [group = '', name = ''] = operation.operationId.split('.')
        return { ...operation, method: method.toUpperCase(), path, group, name }
      }),
    )
    .flatMap(splitByMediaType)
  const ids = rows.map(({ operationId }) => operationId)
  const duplicates = ids.filter((id, i) => ids.indexOf(id) !== i)
  if (duplicates.length > 0)
    throw new Error(`several operations have the id ${duplicates.join(', ')}`)
  return rows.toSorted((a, b) => (a.operationId < b.operationId ? -1 : 1))
}

/** If an operation can answer with JSON or with a stream, it becomes two methods of the client. */
function splitByMediaType(row: ClientOperation): ClientOperation[] {
  const success = row.responses['200']
  const { [STREAM_TYPE]: stream, ...others } = success?.content ?? {}
  if (success === undefined || stream === undefined || !('application/json' in others)) return [row]
  const withContent = (content: Content) => ({ ...row.responses, 200: { ...success, content } })
  const summary = `${row.summary ?? ''}, as a stream`
  const operationId = `${row.group}.stream`
  return [
    { ...row, responses: withContent(others) },
    {
      ...row,
      operationId,
      name: 'stream',
      summary,
      responses: withContent({ [STREAM_TYPE]: stream }),
    },
  ]
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
  return STREAM_TYPE in (responses['200']?.content ?? {})
}

/** True if the response is binary, such as an image. */
export function isBinary({ responses }: ClientOperation): boolean {
  const types = Object.keys(responses['200']?.content ?? {})
  return types.length > 0 && types.every((type) => !/^text\/|json$/.test(type))
}

/** True if a successful response has no body. */
export function isEmpty({ responses }: ClientOperation): boolean {
  return (
    Object.keys(responses)
      .filter((status) => status.startsWith('2'))
      .join() === '204'
  )
}

export function takesIdempotencyKey({ parameters }: ClientOperation): boolean {
  return parameters.some(({ name }) => name === 'Idempotency-Key')
}

export function requestMediaType({ content }: NonNullable<Operation['requestBody']>): string {
  return Object.keys(content)[0] ?? ''
}

/** JSON schema of the success response; undefined if the response is text. */
export function responseSchemaOf({ responses }: ClientOperation): Schema | undefined {
  const found = Object.entries(responses).find(([status]) => status.startsWith('2'))
  return jsonOf(found?.[1].content)
}

function jsonOf(content: Content | undefined): Schema | undefined {
  return content?.['application/json']?.schema
}

/** The query, body and response schemas of an operation, with the names of their types. */
export function namedSchemasOf(row: ClientOperation): Array<[string, Schema]> {
  const query = row.parameters.filter((one) => one.in === 'query')
  const properties = Object.fromEntries(
    query.map(({ name, description, schema }) => [
      name,
      { ...schema, ...(description !== undefined && { description }) },
    ]),
  )
  const required = query.filter((one) => one.required).map(({ name }) => name)
  const body = row.requestBody?.content[requestMediaType(row.requestBody)]?.schema
  const answer = responseSchemaOf(row)
  return [
    ...(query.length === 0
      ? []
      : [[typeName(row, 'Query'), { type: 'object', properties, required }] as [string, Schema]]),
    ...(body === undefined ? [] : [[typeName(row, 'Body'), body] as [string, Schema]]),
    ...(answer === undefined ? [] : [[typeName(row, 'Answer'), answer] as [string, Schema]]),
  ]
}

/** The type name of a query, body or response. */
export function typeName({ group, name }: ClientOperation, part: string): string {
  return [group, name, part].map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')
}
