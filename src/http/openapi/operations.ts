import type { RouteOptions } from 'fastify'
import { z } from 'zod'
import type { ErrorCode } from '../../errors.ts'
import { describeErrorResponses } from './error-responses.ts'
import { REQUEST_HEADERS, type RequestHeaderName, type ResponseHeaderName } from './headers.ts'
import { toJsonSchema, type JsonSchema, type NamedSchemas } from './json-schema.ts'
import {
  describeNonJsonContent,
  jsonContent,
  describeSuccessResponses,
} from './success-responses.ts'

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
    /** A message of the stream, for the documentation of a route that sends server-sent events. */
    streamExample?: string
    /** Media types of a request body that is not JSON, the usual one first. */
    consumes?: readonly string[]
    /** Headers that the route reads, in addition to those that follow from its kind. */
    requestHeaders?: readonly RequestHeaderName[]
    /** Headers of a successful response, in addition to those of every response. */
    responseHeaders?: readonly ResponseHeaderName[]
    /** Error codes in addition to those that follow from the method and the request schemas. */
    errorCodes?: readonly ErrorCode[]
    /** Descriptions of responses without a body, by HTTP status. */
    emptyResponses?: Readonly<Record<number, string>>
  }
}

export type Components = { schemas: NamedSchemas; responses: Record<string, object> }

/** Describes a route as an operation, without its id. What operations share goes to `components`. */
export function describeOperation(route: RouteOptions, components: Components): object {
  const { summary, description, tags, params, querystring } = route.schema ?? {}
  const { schemas } = components
  return {
    summary,
    ...(description !== undefined && { description }),
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
