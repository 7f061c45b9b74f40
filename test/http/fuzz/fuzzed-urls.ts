import { z } from 'zod'
import type { FuzzedUrl } from '../../support/http/fuzz-requests.ts'
import type { RegisteredRoute } from '../../support/service/start-nodes.ts'

/** The number of generated requests to one URL, by kind. */
const RUNS = {
  /** Reads parameters, a query or a body. */
  handler: 5,
  /** Has the handler of the same path under /api/v1. */
  consoleTwin: 3,
  /** Hashes a password for each well-formed request. */
  password: 3,
  /** Opens a connection for each request. */
  stream: 4,
  /** Reads no parameters, no query and no body. */
  noInput: 2,
  /** Answers every request with the same page. */
  constant: 2,
} as const
const HASHES_PASSWORD = /^\/web\/(?:setup|sign-in|password|invitations?\/accept)/

/** The URLs of the routes, each with all its methods. */
export function listFuzzedUrls(routes: RegisteredRoute[]): FuzzedUrl[] {
  return [...Map.groupBy(routes, ({ url }) => url)].map(([url, group]) => ({
    url,
    access: group[0]?.access ?? 'open',
    methods: group.map(({ method }) => method),
    bodyMethods: group
      .filter(({ schema }) => schema?.body !== undefined)
      .map(({ method }) => method),
    bodyFields: fieldsOf(group.map(({ schema }) => schema?.body)),
    queryFields: fieldsOf(group.map(({ schema }) => schema?.querystring)),
    hasTwin:
      url.startsWith('/web/') &&
      routes.some((route) => route.url === url.replace('/web', '/api/v1')),
  }))
}

export function runsFor({ url, access, methods, queryFields, hasTwin }: FuzzedUrl): number {
  if (url.includes('stream')) return RUNS.stream
  if (HASHES_PASSWORD.test(url)) return RUNS.password
  const isReadOnly = methods.every((method) => method === 'GET' || method === 'HEAD')
  if (
    isReadOnly &&
    (access === 'open' || access === 'key_or_session') &&
    !/^\/web\/|\*|^\/$/.test(url)
  ) {
    return RUNS.constant
  }
  if (isReadOnly && queryFields.length === 0 && !/[:*]/.test(url)) return RUNS.noInput
  return hasTwin ? RUNS.consoleTwin : RUNS.handler
}

function fieldsOf(schemas: unknown[]): string[] {
  const names = schemas
    .filter((schema) => schema instanceof z.ZodType)
    .flatMap((schema) => {
      const { properties } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
      return Object.keys(properties ?? {})
    })
  return [...new Set(names)]
}
