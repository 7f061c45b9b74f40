import type { RouteOptions } from 'fastify'
import { z } from 'zod'
import { EVENTS, type EventType } from '../../meetings/event-types.ts'
import type { FastifyApp } from '../fastify-app.ts'
import { MeetingId, Ordinal } from '../shapes/common.ts'
import { RESPONSE_HEADERS } from './headers.ts'
import { toJsonSchema, type NamedSchemas } from './json-schema.ts'
import { operationName, snakeToPascalCase } from './operation-names.ts'
import { describeOperation, type Components, jsonContent } from './operations.ts'

type Operations = Record<string, object>

/** The order in which the API reference shows them, the most important first. */
const TAGS = [
  { name: 'Meetings', description: 'Bots that join meetings and transcribe them' },
  {
    name: 'Projects',
    description: 'Saved transcripts and documents, and search over all of them',
  },
  { name: 'Calendars', description: 'Calendars whose meetings bots join, and what is planned' },
  {
    name: 'Connections',
    description: 'Organizations whose official transcripts are read, for admins',
  },
  { name: 'Sharing', description: 'Read-only links to a meeting or document, without an account' },
  { name: 'Deliveries', description: 'Callbacks: what was sent to which URL, and replays' },
  { name: 'Tasks', description: 'Prompts that run on demand or on a schedule' },
  { name: 'Account', description: 'The API token of the request' },
] as const

const INFO = {
  title: 'Hansard',
  summary: 'Meetings, tasks and projects',
  description:
    'Live meeting transcripts, AI tasks, and projects with the documents that both produce.',
  contact: { name: 'The operator of this instance' },
  license: { name: 'MIT', url: 'https://spdx.org/licenses/MIT.html' },
} as const

const SECURITY_SCHEMES = {
  apiKey: {
    type: 'apiKey',
    in: 'header',
    name: 'X-API-Key',
    description: 'An API key, `sk_…`',
  },
  bearer: { type: 'http', scheme: 'bearer', description: 'The same API key as a bearer token' },
} as const

/** The order of a path's operations in the document. */
const METHOD_ORDER = ['get', 'put', 'post', 'patch', 'delete']

/** Headers of every callback. A test compares these names with the headers that are sent. */
const CALLBACK_HEADERS = {
  'X-Service-Signature': {
    description:
      '`sha256=` and the lowercase hexadecimal HMAC-SHA256 of the raw body, with the signing secret as key',
    schema: {
      type: 'string',
      pattern: '^sha256=[0-9a-f]{64}$',
      examples: ['sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17'],
    },
  },
  'X-Service-Event': {
    description: 'The type of the event',
    schema: { type: 'string', examples: ['segment_finalized'] },
  },
  'X-Service-Meeting-Id': {
    description: 'The meeting',
    schema: { type: 'string', examples: ['meeting_1763195400000_k3v9x0q2m4za'] },
  },
  'X-Service-Delivery-Id': {
    description: 'The id of this attempt; different in each attempt',
    schema: { type: 'string', examples: ['dlv_0ToY1a2B5b0c6a1f9d2f1a7e3b4c'] },
  },
  'X-Service-Previous-Sequence': {
    description: 'The sequence of the stored event before this one; 0 for the first',
    schema: { type: 'integer', minimum: 0, format: 'int64', examples: [11] },
  },
  'webhook-id': {
    description: '`<meetingId>_<sequence>`, the same in every attempt',
    schema: { type: 'string', examples: ['meeting_1763195400000_k3v9x0q2m4za_12'] },
  },
  'webhook-timestamp': {
    description: 'When this attempt was signed, in seconds since 1970',
    schema: { type: 'integer', minimum: 0, format: 'int64', examples: [1_763_195_402] },
  },
  'webhook-signature': {
    description:
      '`v1,` and the base64 HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<raw body>`; several signatures are separated by spaces',
    schema: { type: 'string', examples: ['v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4='] },
  },
} as const

const CALLBACK_RESPONSES = {
  '2XX': { description: 'Delivered: the next event is sent' },
  400: { description: 'Rejected: the event is tried five times, then the next one is sent' },
  401: { description: 'Failed, for example because of a wrong signature: the event is retried' },
  410: { description: 'Gone: nothing more is sent for this meeting' },
  '5XX': { description: 'Failed: the event is retried; `Retry-After` is respected' },
} as const

/** The API for programs, or the API of the console, which is not published. */
export type ApiPrefix = '/api/v1' | '/web'
export type OpenApiBuilder = (prefix?: ApiPrefix) => object

/** Builds the OpenAPI 3.1 document of all routes under a prefix from their schemas and configs. */
export function createOpenApiBuilder(app: FastifyApp, version: string): OpenApiBuilder {
  const routes: RouteOptions[] = []
  app.addHook('onRoute', (route) => {
    if (route.method !== 'HEAD') routes.push(route)
  })
  const documents = new Map<ApiPrefix, object>()
  return (prefix = '/api/v1') => {
    const document = documents.get(prefix) ?? buildDocument(routes, prefix, version)
    documents.set(prefix, document)
    return document
  }
}

function buildDocument(
  routes: readonly RouteOptions[],
  prefix: ApiPrefix,
  version: string,
): object {
  const components: Components = { schemas: {}, responses: {} }
  const chosen = routes.filter(({ url }) => url.startsWith(`${prefix}/`))
  const paths = describePaths(chosen, prefix, components)
  const webhooks = describeWebhooks(components.schemas)
  return {
    openapi: '3.1.0',
    info: { ...INFO, version },
    servers: [{ url: '/' }],
    tags: TAGS,
    security: [{ apiKey: [] }, { bearer: [] }],
    paths,
    webhooks,
    components: { ...components, headers: RESPONSE_HEADERS, securitySchemes: SECURITY_SCHEMES },
  }
}

function describePaths(
  routes: readonly RouteOptions[],
  prefix: ApiPrefix,
  components: Components,
): Record<string, Operations> {
  const paths: Record<string, Operations> = {}
  for (const route of routes) {
    const path = toOpenApiPath(route.url)
    for (const method of [route.method].flat()) {
      const operationId = operationName(method, path.slice(prefix.length))
      const operation = { operationId, ...describeOperation(route, components) }
      paths[path] = sortByMethod({ ...paths[path], [method.toLowerCase()]: operation })
    }
  }
  return paths
}

function sortByMethod(operations: Operations): Operations {
  const position = ([method]: [string, object]) => METHOD_ORDER.indexOf(method)
  return Object.fromEntries(
    Object.entries(operations).toSorted((a, b) => position(a) - position(b)),
  )
}

/** The path in OpenAPI notation: parameters in braces, a wildcard as `{path}`. */
export function toOpenApiPath(url: string): string {
  return url.replaceAll(/:(\w+)/g, '{$1}').replace('*', '{path}')
}

/** Describes the callbacks that a receiver gets, from the table of event types. */
function describeWebhooks(collectedSchemas: NamedSchemas): Record<string, object> {
  return Object.fromEntries(
    Object.keys(EVENTS).map((type) => [
      type,
      { post: describeCallback(type as EventType, collectedSchemas) },
    ]),
  )
}

function describeCallback(type: EventType, schemas: NamedSchemas): object {
  const { about, isStored, payload } = EVENTS[type]
  // Not a named schema, because generators drop schemas that only webhooks use.
  const body = z.object({
    type: z.literal(type),
    meetingId: MeetingId,
    sequence: Ordinal.describe('Per meeting, from 1, strictly increasing'),
    timestamp: z.iso.datetime({ precision: 3 }),
    payload,
  })
  return {
    operationId: `callbacks.on${snakeToPascalCase(type)}`,
    summary: about,
    description: isStored
      ? 'Stored; sent in the order of its sequence and retried until your server accepts it.'
      : 'Sent at most once, with the sequence of the event before it, and never stored.',
    tags: ['Meetings'],
    security: [],
    parameters: Object.entries(CALLBACK_HEADERS).map(([header, facts]) => ({
      name: header,
      in: 'header',
      required: true,
      ...facts,
    })),
    requestBody: { required: true, content: jsonContent(toJsonSchema(body, schemas)) },
    responses: CALLBACK_RESPONSES,
  }
}
