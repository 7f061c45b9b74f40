import type { RouteOptions } from 'fastify'
import type { z } from 'zod'
import { referToHeaders, type ResponseHeaderName } from './headers.ts'
import { toJsonSchema, type JsonSchema, type NamedSchemas } from './json-schema.ts'

const COMMON_HEADERS: readonly ResponseHeaderName[] = [
  'X-Request-Id',
  'RateLimit',
  'RateLimit-Policy',
]

/** Examples of bodies that are not JSON, by media type. */
const TEXT_EXAMPLES: Readonly<Record<string, string>> = {
  'text/markdown': '# Planning\n\n**Ada** 00:00:02 The budget is due on Friday.\n',
  'text/plain': 'Planning\n\n[00:00:02] Ada: The budget is due on Friday.\n',
  'application/x-subrip': '1\n00:00:02,000 --> 00:00:05,000\nAda: The budget is due on Friday.\n',
  'text/vtt': 'WEBVTT\n\n1\n00:00:02.000 --> 00:00:05.000\n<v Ada>The budget is due on Friday.\n',
  'text/csv':
    'day,task,model,executions,inputTokens,cachedInputTokens,outputTokens,costUsd,unpriced\r\n',
  'application/x-ndjson': '{"id":"1042","at":"2026-11-15T08:30:00.000Z","actor":"command line"}\n',
  'text/event-stream': 'id: 12\nevent: segment_finalized\ndata: {"type":"segment_finalized"}\n\n',
}

/** The responses of a route that are no errors, by status. */
export function describeSuccessResponses(
  { schema = {}, config = {} }: RouteOptions,
  schemas: NamedSchemas,
): Record<string, object> {
  const { produces, alsoProduces = [], emptyResponses = {}, responseHeaders = [] } = config
  const describeContent = (mediaTypes: readonly string[]) =>
    describeNonJsonContent(mediaTypes, config.streamExample)
  const headers = referToHeaders([
    ...COMMON_HEADERS,
    ...(config.idempotent ? ['Idempotent-Replayed' as const] : []),
    ...responseHeaders,
  ])
  const empty = Object.entries(emptyResponses).map(([status, description]) => [
    status,
    { description, headers },
  ])
  if (produces !== undefined) {
    const content = describeContent([produces, ...alsoProduces])
    const success = { description: 'Success', headers, content }
    return { 200: success, ...Object.fromEntries(empty) }
  }
  const full = Object.entries(schema.response ?? {}).map(([status, body]: [string, z.ZodType]) => [
    status,
    {
      description: body.description ?? 'Success',
      headers,
      content: {
        ...jsonContent(toJsonSchema(body, schemas)),
        ...describeContent(alsoProduces),
      },
    },
  ])
  return Object.fromEntries([...full, ...empty])
}

export function jsonContent(schema: JsonSchema): object {
  return { 'application/json': { schema } }
}

/** Bodies that are not JSON, by media type: texts, and bytes such as images. */
export function describeNonJsonContent(
  mediaTypes: readonly string[],
  streamExample?: string,
): object {
  return Object.fromEntries(
    mediaTypes.map((mediaType) => {
      const isStream = mediaType === 'text/event-stream'
      const example = (isStream ? streamExample : undefined) ?? TEXT_EXAMPLES[mediaType]
      return [
        mediaType,
        example === undefined
          ? { schema: { type: 'string', format: 'binary' } }
          : { schema: { type: 'string' }, example },
      ]
    }),
  )
}
