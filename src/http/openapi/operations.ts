import type { RouteOptions } from 'fastify'
import { z } from 'zod'
import { NOT_FOUND_CODES } from '../../access/subjects.ts'
import { type ErrorCode, ERRORS, ServiceError } from '../../errors.ts'
import { listSubjects, type RouteSubject } from '../pipeline/access/subject-access.ts'
import { TEMPORARY_ERRORS } from '../pipeline/error-handler.ts'
import { ErrorResponse } from '../shapes/common.ts'
import {
  REQUEST_HEADERS,
  type RequestHeaderName,
  type ResponseHeaderName,
  referToHeaders,
  RESPONSE_HEADERS,
} from './headers.ts'
import { toJsonSchema, type JsonSchema, type NamedSchemas } from './json-schema.ts'
import { snakeToPascalCase } from './operation-names.ts'

declare module 'fastify' {
  interface FastifySchema {
    summary?: string
    description?: string
    tags?: readonly string[]
  }
  interface FastifyContextConfig {
    /** The media type of a response that is not JSON. */
    produces?: string
    /** Media types that a client can request instead of JSON or of `produces`. */
    alsoProduces?: readonly string[]
    /** A sample message of a stream of server-sent events. */
    streamExample?: string
    /** Media types of a request body that is not JSON, most common first. */
    consumes?: readonly string[]
    /** Headers that the route reads, in addition to the headers that its kind implies. */
    requestHeaders?: readonly RequestHeaderName[]
    /** Headers of a successful response, in addition to the headers of every response. */
    responseHeaders?: readonly ResponseHeaderName[]
    /** Error codes, in addition to the codes that the method and the request schemas imply. */
    errorCodes?: readonly ErrorCode[]
    /** Descriptions of responses without a body, by HTTP status. */
    emptyResponses?: Readonly<Record<number, string>>
    /** A route that a later version will not have: the days on which that was announced and on which it goes. */
    deprecated?: { since: string; sunset: string }
  }
}

export type Components = { schemas: NamedSchemas; responses: Record<string, object> }

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
  'application/vcon+json':
    '{"vcon":"0.5.0","uuid":"6f0d2f1a-7e3b-8c4d-9e6f-5b0c6a1f6c8e","created_at":"2026-11-15T09:00:00.000Z","parties":[{"name":"Ada"}],"dialog":[],"analysis":[]}\n',
  'text/csv':
    'day,task,model,executions,inputTokens,cachedInputTokens,outputTokens,costUsd,unpriced\r\n',
  'application/x-ndjson': '{"id":"1042","at":"2026-11-15T08:30:00.000Z","actor":"command line"}\n',
  'text/event-stream': 'id: 12\nevent: segment_finalized\ndata: {"type":"segment_finalized"}\n\n',
}

/** Errors that every route with an API key can return. */
const COMMON_ERRORS: readonly ErrorCode[] = [
  'invalid_request',
  'invalid_api_key',
  'missing_scope',
  'method_not_allowed',
  'request_timeout',
  'url_too_long',
  'unknown_expectation',
  'too_many_requests',
  'headers_too_large',
  'internal',
  'shutting_down',
  'database_unavailable',
]
const PATH_PARAMETER_ERRORS: readonly ErrorCode[] = ['not_found']
/** Methods that allow a client to send a body. The body is checked even if the route reads none. */
const BODY_METHODS = new Set(['POST', 'PUT', 'PATCH', 'DELETE'])
const BODY_ERRORS: readonly ErrorCode[] = [
  'invalid_json',
  'body_too_large',
  'unsupported_media_type',
  'storage_full',
  'storage_not_writable',
]
const IDEMPOTENCY_ERRORS: readonly ErrorCode[] = ['request_in_progress', 'idempotency_mismatch']

/** Headers of an error response besides X-Request-Id. Temporary errors have Retry-After without a row here. */
const ERROR_HEADERS: Partial<Record<ErrorCode, readonly ResponseHeaderName[]>> = {
  invalid_api_key: ['WWW-Authenticate'],
  method_not_allowed: ['Allow'],
  too_many_requests: ['Retry-After', 'RateLimit', 'RateLimit-Policy'],
  too_many_executions: ['Retry-After'],
  over_budget: ['Retry-After'],
  request_in_progress: ['Retry-After'],
  document_busy: ['Retry-After'],
  shutting_down: ['Retry-After'],
  at_capacity: ['Retry-After'],
}
const [REQUEST_ID] = RESPONSE_HEADERS['X-Request-Id'].schema.examples

/** Describes a route as an operation without an id. Shared parts go to `components`. */
export function describeOperation(route: RouteOptions, components: Components): object {
  const { summary, description, tags, params, querystring } = route.schema ?? {}
  const { schemas } = components
  return {
    summary,
    ...(description !== undefined && { description }),
    ...(route.config?.deprecated !== undefined && { deprecated: true }),
    tags,
    parameters: [
      ...describeParameters(params, 'path', schemas),
      ...describeParameters(querystring, 'query', schemas),
      ...headersReadBy(route).map(describeHeaderParameter),
    ],
    ...describeRequestBody(route, schemas),
    responses: {
      ...describeSuccessResponses(route, schemas),
      ...describeErrorResponses(route, schemas, components.responses),
    },
  }
}

function describeRequestBody({ schema, config = {} }: RouteOptions, schemas: NamedSchemas): object {
  if (config.consumes !== undefined)
    return { requestBody: { required: true, content: describeNonJsonContent(config.consumes) } }
  const body = schema?.body
  if (!(body instanceof z.ZodType)) return {}
  const required = !body.safeParse(undefined).success
  return { requestBody: { required, content: jsonContent(toJsonSchema(body, schemas)) } }
}

function describeParameters(
  schema: unknown,
  location: 'path' | 'query',
  schemas: NamedSchemas,
): object[] {
  if (!(schema instanceof z.ZodObject)) return []
  const { properties = {}, required = [] } = toJsonSchema(schema, schemas) as {
    properties?: Record<string, JsonSchema>
    required?: string[]
  }
  return Object.entries(properties).map(([name, { description, ...rest }]) => ({
    name: name === '*' ? 'path' : name,
    in: location,
    required: required.includes(name),
    ...(description !== undefined && { description }),
    schema: rest,
  }))
}

function headersReadBy({ config = {} }: RouteOptions): RequestHeaderName[] {
  return [
    ...(config.idempotent ? ['Idempotency-Key' as const] : []),
    ...(config.produces === 'text/event-stream' ? ['Last-Event-ID' as const] : []),
    ...(config.requestHeaders ?? []),
  ]
}

function describeHeaderParameter(name: RequestHeaderName): object {
  return { name, in: 'header', required: false, ...REQUEST_HEADERS[name] }
}

/** A route's responses that are not errors, by status. */
function describeSuccessResponses(
  { schema = {}, config = {} }: RouteOptions,
  schemas: NamedSchemas,
): Record<string, object> {
  const { produces, alsoProduces = [], emptyResponses = {}, responseHeaders = [] } = config
  const describeContent = (mediaTypes: readonly string[]) =>
    describeNonJsonContent(mediaTypes, config.streamExample)
  const headers = referToHeaders([
    ...COMMON_HEADERS,
    ...(config.idempotent ? ['Idempotent-Replayed' as const] : []),
    ...(config.deprecated === undefined ? [] : (['Deprecation', 'Sunset'] as const)),
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
function describeNonJsonContent(mediaTypes: readonly string[], streamExample?: string): object {
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

/** A route's error responses by status, as references to `components`. Routes with the same errors share one. */
function describeErrorResponses(
  route: RouteOptions,
  schemas: NamedSchemas,
  components: Record<string, object>,
): Record<string, object> {
  const byStatus = Object.groupBy(errorCodesOf(route), (code) => ERRORS[code].status)
  return Object.fromEntries(
    Object.entries(byStatus).map(([status, codes]) => {
      const name = codes.map(snakeToPascalCase).join('Or')
      components[name] ??= describeErrors(codes, schemas)
      return [status, { $ref: `#/components/responses/${name}` }]
    }),
  )
}

function errorCodesOf({ method, schema = {}, config = {} }: RouteOptions): ErrorCode[] {
  const acceptsBody = [method].flat().some((name) => BODY_METHODS.has(name))
  const codes = [
    ...COMMON_ERRORS,
    ...(schema.params === undefined ? [] : PATH_PARAMETER_ERRORS),
    ...(acceptsBody ? BODY_ERRORS : []),
    ...(config.idempotent ? IDEMPOTENCY_ERRORS : []),
    ...listSubjects(config.subject).flatMap(errorCodesOfSubject),
    ...(config.errorCodes ?? []),
  ]
  return [...new Set(codes)]
}

/** A viewer who may read but not change something gets 403. Without the right to read, it does not exist for them. */
function errorCodesOfSubject(subject: RouteSubject): ErrorCode[] {
  if (typeof subject !== 'object') return []
  const { kind, action } = subject
  const isReadable = kind === 'token' || action === 'read'
  return [NOT_FOUND_CODES[kind], ...(isReadable ? [] : ['forbidden' as const])]
}

function describeErrors(codes: readonly ErrorCode[], schemas: NamedSchemas): object {
  const headers = new Set(codes.flatMap(headersOf))
  const lines = codes.map((code) => `\`${code}\`: ${ERRORS[code].text}`)
  return {
    description: lines.join('; '),
    headers: referToHeaders(['X-Request-Id', ...headers]),
    content: {
      'application/json': {
        schema: toJsonSchema(ErrorResponse, schemas),
        examples: Object.fromEntries(codes.map((code) => [code, { value: exampleBody(code) }])),
      },
    },
  }
}

function headersOf(code: ErrorCode): readonly ResponseHeaderName[] {
  return ERROR_HEADERS[code] ?? (TEMPORARY_ERRORS.has(code) ? ['Retry-After'] : [])
}

function exampleBody(code: ErrorCode): object {
  const { message: error, hint } = new ServiceError(code)
  return { error, code, requestId: REQUEST_ID, ...(hint !== undefined && { hint }) }
}
