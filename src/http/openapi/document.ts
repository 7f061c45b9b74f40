import type { RouteOptions } from 'fastify'
import type { FastifyApp } from '../fastify-app.ts'
import { RESPONSE_HEADERS } from './headers.ts'
import { operationName } from './operation-names.ts'
import { describeOperation, type Components } from './operations.ts'
import { describeWebhooks } from './webhooks.ts'

type Operations = Record<string, object>

/** In the order of their importance for readers: the API reference shows the first at the top. */
const TAGS = [
  { name: 'Meetings', description: 'Bots that join meetings and transcribe them' },
  {
    name: 'Projects',
    description: 'Saved transcripts and documents, and search over all of them',
  },
  { name: 'Calendars', description: 'Calendars whose meetings bots join, and what is planned' },
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

/** The order of the operations of a path in the document. */
const METHOD_ORDER = ['get', 'put', 'post', 'patch', 'delete']

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
  const components: Components = { schemas: {}, responses: {} }
  const paths = describePaths(routes, components)
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
  components: Components,
): Record<string, Operations> {
  const paths: Record<string, Operations> = {}
  for (const route of routes) {
    const path = toOpenApiPath(route.url)
    for (const method of [route.method].flat()) {
      const operationId = operationName(method, path.replace('/api/v1', ''))
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
