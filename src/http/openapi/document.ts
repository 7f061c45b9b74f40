import type { RouteOptions } from 'fastify'
import type { FastifyApp } from '../fastify-app.ts'
import { describeCallbacks } from './callbacks.ts'
import { RESPONSE_HEADERS } from './headers.ts'
import { operationName } from './operation-names.ts'
import { describeOperation, type Components } from './operations.ts'

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

export const INFO = {
  title: 'Hansard',
  summary: 'Meetings, tasks and projects',
  description:
    'Live meeting transcripts, AI tasks, and projects with the documents that both produce.',
  contact: { name: 'The operator of this instance' },
  license: { name: 'MIT', url: 'https://spdx.org/licenses/MIT.html' },
} as const

export const SECURITY_SCHEMES = {
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
  const webhooks = describeCallbacks(components.schemas)
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
