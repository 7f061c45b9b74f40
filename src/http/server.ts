import { randomUUID } from 'node:crypto'
import { fastify, LogController, type FastifyRequest } from 'fastify'
import cookie from '@fastify/cookie'
import { ServiceError } from '../errors.ts'
import type { Log } from '../log.ts'
import {
  respondToMalformedRequest,
  respondToUnknownExpectation,
} from './pipeline/malformed-requests.ts'
import { handleErrors, sendError, toServiceError } from './pipeline/error-handler.ts'
import { defaultHeaders, setSecurityHeaders } from './pipeline/security-headers.ts'
import { acceptJsonBodies } from './pipeline/json-body.ts'
import type { FastifyApp } from './fastify-app.ts'
import { validateBySchema } from './pipeline/validate.ts'

const BODY_LIMIT = 64 * 1024
const HEADER_LIMIT = 16 * 1024
const URL_LIMIT = 8 * 1024

export type HttpServerOptions = {
  log: Log
  /** Addresses and networks of proxies whose word about the caller counts. */
  trustProxy: string[] | undefined
  /** True from the moment the service begins to stop. */
  isClosing(): boolean
  /** Refuses a caller who may not know whether a path exists. */
  authorizeUnknownPath(request: FastifyRequest): Promise<void>
}

const MISSING_HOST = new ServiceError('invalid_request', {
  details: [{ path: 'Host', message: 'The header Host is missing' }],
})

/** The bare server: limits, parsing, errors. Who may do what, and the routes, are added by the caller. */
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
    // A missing Host is answered below, in our own shape.
    http: { maxHeaderSize: HEADER_LIMIT, headersTimeout: 15_000, requireHostHeader: false },
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: 500, ignoreTrailingSlash: true },
    genReqId: () => `req_${randomUUID().replaceAll('-', '')}`,
    clientErrorHandler: respondToMalformedRequest,
    frameworkErrors: (error, request, reply) => {
      // No hook has run: a path that cannot even be read must not be an exception to the key.
      void reply.headers(defaultHeaders(request.id))
      authorizeUnknownPath(request).then(
        () => sendError(reply, toServiceError(error), request),
        (refusal: unknown) => sendError(reply, toServiceError(refusal), request),
      )
    },
  })
  app.server.on('checkExpectation', respondToUnknownExpectation)
  await app.register(cookie)
  handleErrors(app, log)
  setSecurityHeaders(app)
  app.addHook('onRequest', async (request) => {
    if (isClosing()) throw new ServiceError('shutting_down', { retryAfterSeconds: 5 })
    if (request.url.length > URL_LIMIT) throw new ServiceError('url_too_long')
    if (!request.headers.host && request.raw.httpVersion === '1.1') throw MISSING_HOST
  })
  acceptJsonBodies(app)
  validateBySchema(app)
  return app
}
