import type { FastifyContextConfig, RouteOptions } from 'fastify'
import { z } from 'zod'
import { ERRORS, type ErrorCode } from '../../errors.ts'
import { EVENTS } from '../../meetings/event-types.ts'
import { MAX_IDEMPOTENCY_KEY_LENGTH } from '../pipeline/idempotency.ts'
import { operationName } from './operation-names.ts'
import { ErrorResponse } from '../shapes/common.ts'
import {
  POSITIVE_INTEGER_PATTERN,
  NON_NEGATIVE_INTEGER_PATTERN,
} from '../shapes/query-parameters.ts'
import type { FastifyApp } from '../fastify-app.ts'

declare module 'fastify' {
  interface FastifySchema {
    summary?: string
    description?: string
    tags?: readonly string[]
  }
  interface FastifyContextConfig {
    /** The media type of a response that is not JSON. */
    produces?: string
    /** Media types that a client can request instead of JSON. */
    alsoProduces?: readonly string[]
    /** The media type of a request body that is not JSON. */
    consumes?: string
    /** Error codes in addition to those that follow from the method and the request schemas. */
    errorCodes?: readonly ErrorCode[]
    /** Descriptions of responses without a body, by HTTP status. */
    emptyResponses?: Readonly<Record<number, string>>
  }
}

type JsonSchema = Record<string, unknown>
type Operation = Record<string, unknown>

export const OPENAPI_TAGS = [
  { name: 'Meetings', description: 'Bots that join meetings and transcribe them' },
  {
    name: 'Projects',
    description: 'Saved transcripts and documents, and search over all of them',
  },
  { name: 'Deliveries', description: 'Callbacks: what was sent to which URL, and replays' },
  { name: 'Tasks', description: 'Prompts that run on demand or on a schedule' },
  { name: 'Account', description: 'The API token of the request' },
] as const

/** Errors that every route with an API key can return. */
const COMMON_ERRORS: ErrorCode[] = [
  'invalid_request',
  'invalid_api_key',
  'missing_scope',
  'too_many_requests',
  'database_unavailable',
]
const BODY_ERRORS: ErrorCode[] = ['body_too_large', 'unsupported_media_type']
/** Methods with which a client can send a body. The body is checked even when the route reads none. */
const BODY_METHODS = new Set(['POST', 'PUT', 'PATCH', 'DELETE'])
const PATH_PARAMETER_ERRORS: ErrorCode[] = ['not_found']
const IDEMPOTENCY_ERRORS: ErrorCode[] = ['request_in_progress', 'idempotency_mismatch']

/** Builds the OpenAPI 3.1 document of all routes under /api/v1 from their schemas and configs. */
export function createOpenApiBuilder(app: FastifyApp, version: string): () => object {
  const routes: RouteOptions[] = []
  app.addHook('onRoute', (route) => {
    if (route.url.startsWith('/api/v1/') && route.method !== 'HEAD') routes.push(route)
  })
  let document: object | undefined
  return () => (document ??= buildDocument(routes, version))
}

function buildDocument(routes: readonly RouteOptions[], version: string): object {
  const schemas: Record<string, JsonSchema> = {}
  const paths: Record<string, Record<string, Operation>> = {}
  for (const route of routes) {
    const path = toOpenApiPath(route.url)
    for (const method of [route.method].flat()) {
      const operationId = operationName(method, path.replace('/api/v1', ''))
      const operation = { operationId, ...describeRoute(route, schemas) }
      paths[path] = { ...paths[path], [method.toLowerCase()]: operation }
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Hansard',
      version,
      description:
        'Live meeting transcripts, AI tasks, and projects with the documents that both produce.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    tags: OPENAPI_TAGS,
    security: [{ apiKey: [] }, { bearer: [] }],
    paths,
    webhooks: describeWebhooks(schemas),
    components: {
      schemas,
      securitySchemes: {
        apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
        bearer: { type: 'http', scheme: 'bearer' },
      },
    },
  }
}

/** The path in OpenAPI notation: parameters in braces, a wildcard as `{path}`. */
export function toOpenApiPath(url: string): string {
  return url.replaceAll(/:(\w+)/g, '{$1}').replace('*', '{path}')
}

/** Describes the callbacks that a receiver gets, from the table of event types. */
function describeWebhooks(schemas: Record<string, JsonSchema>): Record<string, object> {
  return Object.fromEntries(
    Object.entries(EVENTS).map(([type, { about, payload }]) => {
      const body = z.object({
        type: z.literal(type),
        meetingId: z.string(),
        sequence: z.int().describe('Per meeting, from 1, strictly increasing'),
        timestamp: z.iso.datetime({ precision: 3 }),
        payload,
      })
      const requestBody = { required: true, content: jsonContent(toJsonSchema(body, schemas)) }
      const responses = { '2XX': { description: 'The receiver has the event' } }
      return [type, { post: { summary: about, tags: ['Meetings'], requestBody, responses } }]
    }),
  )
}

function describeRoute(route: RouteOptions, schemas: Record<string, JsonSchema>): Operation {
  const { schema = {}, config } = route
  const { summary, description, tags, body, response } = schema
  return {
    summary,
    ...(description !== undefined && { description }),
    tags,
    parameters: [
      ...describeParameters(schema.params, 'path', schemas),
      ...describeParameters(schema.querystring, 'query', schemas),
      ...(config?.idempotent ? [IDEMPOTENCY_KEY] : []),
    ],
    ...(config?.consumes !== undefined && {
      requestBody: {
        required: true,
        content: { [config.consumes]: { schema: { type: 'string' } } },
      },
    }),
    ...(body instanceof z.ZodType && {
      requestBody: {
        required: !body.safeParse(undefined).success,
        content: jsonContent(toJsonSchema(body, schemas)),
      },
    }),
    responses: {
      ...successResponses(response, schemas, config ?? {}),
      ...errorResponses(errorCodesOf(route), schemas),
    },
  }
}

/** The error codes of a route. Where several share an HTTP status, the OpenAPI document describes the last one. */
function errorCodesOf({ method, schema = {}, config = {} }: RouteOptions): ErrorCode[] {
  const acceptsBody = [method].flat().some((name) => BODY_METHODS.has(name))
  return [
    ...COMMON_ERRORS,
    ...(schema.params === undefined ? [] : PATH_PARAMETER_ERRORS),
    ...(acceptsBody ? BODY_ERRORS : []),
    ...(config.idempotent ? IDEMPOTENCY_ERRORS : []),
    ...(config.errorCodes ?? []),
  ]
}

const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: 'A repeated request with the same key gets the same response for 24 hours',
  schema: { type: 'string', minLength: 1, maxLength: MAX_IDEMPOTENCY_KEY_LENGTH },
}

function describeParameters(
  schema: unknown,
  location: 'path' | 'query',
  schemas: Record<string, JsonSchema>,
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

function successResponses(
  response: unknown,
  schemas: Record<string, JsonSchema>,
  { produces, alsoProduces = [], emptyResponses = {} }: FastifyContextConfig,
): Record<string, object> {
  const empty = Object.entries(emptyResponses).map(([status, description]) => [
    status,
    { description },
  ])
  if (produces !== undefined) {
    const success = { description: 'Success', content: textContent([produces]) }
    return { 200: success, ...Object.fromEntries(empty) }
  }
  const full = Object.entries(response ?? {}).map(([status, schema]: [string, z.ZodType]) => [
    status,
    {
      description: schema.description ?? 'Success',
      content: { ...jsonContent(toJsonSchema(schema, schemas)), ...textContent(alsoProduces) },
    },
  ])
  return Object.fromEntries([...full, ...empty])
}

function errorResponses(
  codes: readonly ErrorCode[],
  schemas: Record<string, JsonSchema>,
): Record<string, object> {
  const content = jsonContent(toJsonSchema(ErrorResponse, schemas))
  return Object.fromEntries(
    codes.map((code) => [ERRORS[code].status, { description: ERRORS[code].text, content }]),
  )
}

function textContent(types: readonly string[]): object {
  return Object.fromEntries(types.map((type) => [type, { schema: { type: 'string' } }]))
}

function jsonContent(schema: JsonSchema): object {
  return { 'application/json': { schema } }
}

/** The JSON Schema of a value as JSON carries it. Schemas with an id go to the components of the document. */
function toJsonSchema(schema: z.ZodType, schemas: Record<string, JsonSchema>): JsonSchema {
  const {
    $schema: _,
    $defs = {},
    ...root
  } = JSON.parse(
    JSON.stringify(
      z.toJSONSchema(schema, { io: 'input', override: replacePatternsWithRanges }),
    ).replaceAll('"#/$defs/', '"#/components/schemas/'),
  ) as { $schema: string; $defs?: Record<string, JsonSchema>; id?: string }
  for (const [name, { id: _id, ...part }] of Object.entries($defs)) schemas[name] = part
  const { id, ...rest } = root
  if (id === undefined) return rest
  schemas[id] = rest
  return { $ref: `#/components/schemas/${id}` }
}

const INTEGER_RANGES: Readonly<Record<string, object>> = {
  [NON_NEGATIVE_INTEGER_PATTERN.source]: { minimum: 0, maximum: 999_999_999 },
  [POSITIVE_INTEGER_PATTERN.source]: { minimum: 1 },
}

/** Describes numbers in a query string as integers with a range instead of by a regular expression. */
function replacePatternsWithRanges({
  jsonSchema,
}: {
  jsonSchema: z.core.JSONSchema.BaseSchema
}): void {
  if (jsonSchema.format === 'date-time') delete jsonSchema.pattern
  const range = INTEGER_RANGES[jsonSchema.pattern ?? '']
  if (range === undefined) return
  delete jsonSchema.pattern
  Object.assign(jsonSchema, { type: 'integer', ...range })
}
