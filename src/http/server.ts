import { randomUUID } from 'node:crypto'
import { fastify, LogController, type FastifyRequest } from 'fastify'
import cookie from '@fastify/cookie'
import { ServiceError } from '../errors.ts'
import type { Log } from '../log.ts'
import { answerClientError, answerExpectation } from './client-errors.ts'
import { handleErrors, sendError, toServiceError } from './error-handler.ts'
import { safeHeaders, setSafeHeaders } from './headers.ts'
import { readJsonBodies } from './json-body.ts'
import type { App } from './type-provider.ts'
import { validateBySchema } from './validate.ts'

const BODY_LIMIT = 64 * 1024
const HEADER_LIMIT = 16 * 1024
const URL_LIMIT = 8 * 1024

export type ServerOptions = {
  log: Log
  /** Addresses and networks of proxies whose word about the caller counts. */
  trustProxy: string[] | undefined
  /** True from the moment the service begins to stop. */
  isClosing(): boolean
  /** Refuses a caller who may not know whether a path exists. */
  checkUnknown(request: FastifyRequest): Promise<void>
}

const MISSING_HOST = new ServiceError('invalid_request', {
  details: [{ path: 'Host', message: 'The header Host is missing' }],
})

/** The bare server: limits, parsing, errors. Who may do what, and the routes, are added by the caller. */
export async function createServer(options: ServerOptions): Promise<App> {
  const { log, trustProxy, isClosing, checkUnknown } = options
  const app: App = fastify({
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
    clientErrorHandler: answerClientError,
    frameworkErrors: (error, request, reply) => {
      // No hook has run: a path that cannot even be read must not be an exception to the key.
      void reply.headers(safeHeaders(request.id))
      checkUnknown(request).then(
        () => sendError(reply, toServiceError(error), request),
        (refusal: unknown) => sendError(reply, toServiceError(refusal), request),
      )
    },
  })
  app.server.on('checkExpectation', answerExpectation)
  await app.register(cookie)
  handleErrors(app, log)
  setSafeHeaders(app)
  app.addHook('onRequest', async (request) => {
    if (isClosing()) throw new ServiceError('shutting_down', { retryAfterSeconds: 5 })
    if (request.url.length > URL_LIMIT) throw new ServiceError('url_too_long')
    if (!request.headers.host && request.raw.httpVersion === '1.1') throw MISSING_HOST
  })
  readJsonBodies(app)
  validateBySchema(app)
  return app
}
