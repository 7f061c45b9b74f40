import { randomUUID } from 'node:crypto'
import { fastify, LogController, type FastifyRequest } from 'fastify'
import { ServiceError } from '../errors.ts'
import type { Log } from '../log.ts'
import {
  respondToMalformedRequest,
  respondToUnknownExpectHeader,
} from './pipeline/malformed-requests.ts'
import { registerErrorHandler, sendError, toServiceError } from './pipeline/error-handler.ts'
import { defaultResponseHeaders, setSecurityHeaders } from './pipeline/security-headers.ts'
import { acceptOnlyJsonBodies } from './pipeline/json-body.ts'
import type { FastifyApp } from './fastify-app.ts'
import { registerSchemaValidation } from './pipeline/validate.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The longest values that the route documents need a longer URL than other routes accept. */
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
  /** Addresses and networks of the proxies whose forwarding headers are trusted. */
  trustProxy: string[] | undefined
  /** True once the service has begun to shut down. */
  isClosing(): boolean
  /** Throws when the caller must not learn whether a path exists. */
  authorizeUnknownPath(request: FastifyRequest): Promise<void>
}

const HOST_PROBLEM = new ServiceError('invalid_request', {
  details: [{ path: 'Host', message: 'Send the header Host exactly once' }],
})

/** The Fastify server with size limits, parsing and error handling. The caller adds access rules and routes. */
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
    // The onRequest hook below rejects a request without Host, or with two, with the usual error body.
    // Node counts the URL as part of the headers. The hook below limits the headers alone.
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
      // Fastify runs no hooks for a path it cannot decode, so the API key is checked here.
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
  acceptOnlyJsonBodies(app)
  registerSchemaValidation(app)
  return app
}

/** HTTP/1.1 requires one header Host. With two, a proxy and the service could disagree about which one counts. */
function hasUsableHost({ raw }: FastifyRequest): boolean {
  const count = raw.rawHeaders.filter((text, i) => i % 2 === 0 && /^host$/i.test(text)).length
  return count === 0 ? raw.httpVersion !== '1.1' : count === 1 && raw.headers.host !== ''
}

function rejectTooLong({ url, raw, routeOptions }: FastifyRequest): void {
  const urlLimit = routeOptions.config.allowsLongUrl ? LONG_URL_LIMIT : URL_LIMIT
  if (url.length > urlLimit) throw new ServiceError('url_too_long')
  // A header is a name, `: `, a value and a line break.
  const headerBytes = raw.rawHeaders.reduce((sum, text) => sum + text.length + 2, 0)
  if (headerBytes > HEADER_LIMIT) throw new ServiceError('headers_too_large')
}
