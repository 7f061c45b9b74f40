import { randomUUID } from 'node:crypto'
import { STATUS_CODES, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { fastify, LogController, type FastifyRequest, type FastifyReply } from 'fastify'
import { ServiceError, ERRORS, type ErrorCode, invalidField } from '../errors.ts'
import { newId } from '../lib/crypto.ts'
import type { Log } from '../log.ts'
import type { FastifyApp } from './fastify-app.ts'
import { acceptsHtml } from './pipeline/access/caller.ts'
import { registerErrorHandler, sendError, toServiceError } from './pipeline/error-handler.ts'
import { acceptOnlyJsonBodies } from './pipeline/json-body.ts'
import { defaultResponseHeaders, setSecurityHeaders } from './pipeline/security-headers.ts'
import { registerSchemaValidation } from './pipeline/validate.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The maximum lengths that the route documents need a longer URL than other routes accept. */
    allowsLongUrl?: boolean
  }
}

const BODY_LIMIT = 64 * 1024
const HEADER_LIMIT = 16 * 1024
const URL_LIMIT = 8 * 1024
/** Percent-encoded, a character can need 12 bytes, so 8,192 characters need 96 KiB. */
const LONG_URL_LIMIT = 128 * 1024

export type HttpServerOptions = {
  log: Log
  /** Addresses and networks of proxies whose forwarding headers are trusted. */
  trustProxy: string[] | undefined
  /** True once the service has begun to shut down. */
  isClosing(): boolean
  /** Throws if the caller must not learn which paths exist. */
  authorizeUnknownPath(request: FastifyRequest): Promise<void>
}

const HOST_PROBLEM = invalidField('Host', 'Send the header Host exactly once')

/** Error codes for requests that Node cannot parse. No route sees them; the response is written to the socket. */
const ERROR_CODE_BY_NODE_CODE: Record<string, ErrorCode> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
}
const INVALID_HTTP_TEXT = 'This is not a valid HTTP request'

declare module 'fastify' {
  interface FastifyReply {
    /** Sends the page for browsers that load an unknown path. Absent if the console is not served. */
    sendNotFoundPage?(): FastifyReply
  }
}

/** Creates the server with size limits, parsing and error handling. The caller adds access rules and routes. */
export async function createHttpServer(options: HttpServerOptions): Promise<FastifyApp> {
  const { log, trustProxy, isClosing, authorizeUnknownPath } = options
  const app: FastifyApp = fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: trustProxy ?? false,
    bodyLimit: BODY_LIMIT,
    requestTimeout: 30_000,
    connectionTimeout: 60_000,
    keepAliveTimeout: 65_000,
    // The onRequest hook below rejects a request with no Host header, or two, with the usual error body. Node counts
    // the URL as part of the headers, so the hook below limits the headers alone.
    http: {
      maxHeaderSize: HEADER_LIMIT + LONG_URL_LIMIT,
      headersTimeout: 15_000,
      requireHostHeader: false,
    },
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: 500, ignoreTrailingSlash: true },
    genReqId: () => `req_${randomUUID().replaceAll('-', '')}`,
    clientErrorHandler: respondToMalformedRequest,
    frameworkErrors: (error, request, reply) => {
      // Fastify runs no hooks for a path that it can't decode, so the API key is checked here.
      void reply.headers(defaultResponseHeaders(request.id))
      authorizeUnknownPath(request).then(
        () => sendError(reply, toServiceError(error), request),
        (accessError: unknown) => sendError(reply, toServiceError(accessError), request),
      )
    },
  })
  app.server.on('checkExpectation', respondToUnknownExpectHeader)
  registerErrorHandler(app, log)
  setSecurityHeaders(app)
  app.addHook('onRequest', async (request) => {
    if (isClosing()) throw new ServiceError('shutting_down', { retryAfterSeconds: 5 })
    rejectTooLong(request)
    if (!hasUsableHost(request)) throw HOST_PROBLEM
  })
  app.addHook('onRequest', announceRemoval)
  acceptOnlyJsonBodies(app)
  registerSchemaValidation(app)
  return app
}

/** Tells programs that a later version will not have the route. */
async function announceRemoval(
  { routeOptions }: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const { deprecated } = routeOptions.config
  if (deprecated === undefined) return
  const since = Date.parse(deprecated.since) / 1000
  reply.headers({ deprecation: `@${since}`, sunset: new Date(deprecated.sunset).toUTCString() })
}

/** HTTP/1.1 requires exactly one Host header. With two, a proxy and the service could use different ones. */
function hasUsableHost({ raw }: FastifyRequest): boolean {
  const count = raw.rawHeaders.filter((text, i) => i % 2 === 0 && /^host$/i.test(text)).length
  return count === 0 ? raw.httpVersion !== '1.1' : count === 1 && raw.headers.host !== ''
}

function rejectTooLong({ url, raw, routeOptions }: FastifyRequest): void {
  const urlLimit = routeOptions.config.allowsLongUrl ? LONG_URL_LIMIT : URL_LIMIT
  if (url.length > urlLimit) throw new ServiceError('url_too_long')
  // A header consists of a name, `: `, a value and a line break.
  const headerBytes = raw.rawHeaders.reduce((sum, text) => sum + text.length + 2, 0)
  if (headerBytes > HEADER_LIMIT) throw new ServiceError('headers_too_large')
}

function respondToMalformedRequest(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const code = ERROR_CODE_BY_NODE_CODE[error.code ?? '']
  const { status, headers, body } = buildErrorResponse(
    code ?? 'invalid_request',
    code ? undefined : INVALID_HTTP_TEXT,
  )
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`)
}

/** Responds to an `Expect` header other than 100-continue. Without this listener Node sends an empty 417. */
function respondToUnknownExpectHeader(_request: IncomingMessage, response: ServerResponse): void {
  const { status, headers, body } = buildErrorResponse('unknown_expectation')
  response.writeHead(status, headers).end(body)
}

function buildErrorResponse(code: ErrorCode, text: string = ERRORS[code].text) {
  const requestId = newId('req')
  const body = JSON.stringify({ error: text, code, requestId })
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    'x-request-id': requestId,
    connection: 'close',
  }
  return { status: ERRORS[code].status, headers, body }
}

/**
 * Responds before the body is read: 405 with the allowed methods if only the method is wrong, otherwise 404. Call this
 * after adding the access check, because a caller without an API key must not learn which paths exist.
 */
export function rejectUnknownPathsAndMethods(app: FastifyApp): void {
  const routes = new Map<string, { pattern: RegExp; allowed: Set<string> }>()

  app.addHook('onRoute', ({ url, method }) => {
    const route = routes.get(url) ?? { pattern: routePattern(url), allowed: new Set<string>() }
    for (const name of [method].flat()) route.allowed.add(name)
    routes.set(url, route)
  })

  const errorFor = (method: string, url: string): ServiceError => {
    const path = pathWithoutQuery(url)
    const matching = [...routes.values()].filter(({ pattern }) => pattern.test(path))
    const allow =
      routes.get(path)?.allowed ?? new Set(matching.flatMap(({ allowed }) => [...allowed]))
    // A route accepts this path and method, so the resource that the path names does not exist.
    if (allow.size === 0 || allow.has(method)) return new ServiceError('not_found')
    return new ServiceError('method_not_allowed', { allow: [...allow].toSorted() })
  }
  /**
   * True if the path belongs to a route without parameters, but was matched by a route with parameters, because only
   * that route has the method. DELETE /meetings/start would otherwise remove the meeting with the id `start`.
   */
  const isWrongMethod = ({ method, url, routeOptions }: FastifyRequest): boolean => {
    if (!routeOptions.url?.includes('/:')) return false
    const exact = routes.get(pathWithoutQuery(url))
    return exact !== undefined && !exact.allowed.has(method)
  }
  const respond = (request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const error = errorFor(request.method, request.url)
    if (error.code === 'not_found' && wantsPage(request) && reply.sendNotFoundPage !== undefined)
      return reply.sendNotFoundPage()
    throw error
  }
  app.addHook('onRequest', async (request, reply) => {
    if (request.is404 || isWrongMethod(request)) return respond(request, reply)
  })
  // Also runs if a route finds nothing, for example a static file that does not exist.
  app.setNotFoundHandler(async (request, reply) => respond(request, reply))
}

/** True if a person gets the response in a browser. Paths under /api are for programs. */
function wantsPage(request: FastifyRequest): boolean {
  return acceptsHtml(request) && !/^\/+api(?:[/?]|$)/i.test(request.url)
}

function pathWithoutQuery(url: string): string {
  return url.split('?', 1)[0] ?? ''
}

function routePattern(url: string): RegExp {
  const source = url
    .split('/')
    .map((part) => {
      if (part.startsWith(':')) return '[^/]+'
      return part === '*' ? '.*' : RegExp.escape(part)
    })
    .join('/')
  return new RegExp(`^${source}/?$`)
}
