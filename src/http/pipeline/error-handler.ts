import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { resourceMetadataUrl, type OAuthServer } from '../../accounts/oauth/server-metadata.ts'
import { ServiceError, type ErrorCode } from '../../errors.ts'
import { errorCode } from '../../lib/error-code.ts'
import type { Log } from '../../log.ts'
import type { FastifyApp } from '../fastify-app.ts'
import { acceptsHtml } from './access/caller.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** The authorization server for assistants. Absent if there is none. */
    oauthServer?: OAuthServer
  }
}

export type ErrorBody = {
  error: string
  code: ErrorCode
  requestId: string
  details?: Array<{ path: string; message: string }>
  hint?: string
}

/** Fastify's errors, and the codes that clients get. */
const FRAMEWORK_ERRORS: Record<string, ErrorCode> = {
  FST_ERR_CTP_INVALID_JSON_BODY: 'invalid_json',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'invalid_json',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'invalid_request',
  FST_ERR_CTP_BODY_TOO_LARGE: 'body_too_large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media_type',
  FST_ERR_BAD_URL: 'not_found',
  FST_ERR_MAX_PARAM_LENGTH: 'not_found',
}

/** Database and disk errors by SQLSTATE, SQLSTATE class (its first two characters) or errno name. */
const SYSTEM_ERRORS: Record<string, ErrorCode> = {
  '53100': 'storage_full',
  '53': 'database_unavailable',
  '08': 'database_unavailable',
  '28': 'database_unavailable',
  '3D': 'database_unavailable',
  // The transaction was rolled back after it waited too long for others, or because it would have waited forever.
  '40001': 'database_unavailable',
  '40P01': 'database_unavailable',
  '55P03': 'database_unavailable',
  '55000': 'database_unavailable',
  '57': 'database_unavailable',
  '58': 'database_unavailable',
  '22021': 'invalid_request',
  ENOSPC: 'storage_full',
  EDQUOT: 'storage_full',
  EROFS: 'storage_not_writable',
  EACCES: 'storage_not_writable',
  EPERM: 'storage_not_writable',
  ECONNREFUSED: 'database_unavailable',
  ECONNRESET: 'database_unavailable',
  ENOENT: 'database_unavailable',
  EPIPE: 'database_unavailable',
  ETIMEDOUT: 'database_unavailable',
  ENOTFOUND: 'database_unavailable',
  EAI_AGAIN: 'database_unavailable',
  EHOSTUNREACH: 'database_unavailable',
}
/** Errors of Fastify plugins, which carry an HTTP status. */
const ERROR_CODE_BY_STATUS: Record<number, ErrorCode> = {
  400: 'invalid_request',
  403: 'not_found',
  404: 'not_found',
  412: 'precondition_failed',
  416: 'range_not_satisfiable',
}
/** Errors after which the same request may succeed later. Their responses have the Retry-After header. */
export const TEMPORARY_ERRORS: ReadonlySet<ErrorCode> = new Set([
  'database_unavailable',
  'storage_full',
  'storage_not_writable',
])
const CONNECTION_LOST_MESSAGES =
  /Connection terminated|timeout exceeded when trying to connect|Client has encountered/

/** The status of a request whose client disconnected, as in nginx. It is never sent. */
const CLIENT_DISCONNECTED_STATUS = 499

export function registerErrorHandler(app: FastifyApp, log: Log): void {
  app.setErrorHandler<FastifyError>((error, request, reply) => {
    if (isIncompleteRequest(request, error)) {
      log.debug({ requestId: request.id, method: request.method }, 'client disconnected')
      return reply.code(CLIENT_DISCONNECTED_STATUS).send()
    }
    const serviceError = toServiceError(error)
    if (serviceError.status >= 500) {
      const { method } = request
      log.error(
        { err: error, requestId: request.id, method, route: request.routeOptions.url },
        'request failed',
      )
    }
    if (serviceError.code === 'not_signed_in' && acceptsHtml(request)) {
      return reply.redirect(`/sign-in?next=${encodeURIComponent(request.url)}`)
    }
    return sendError(reply, serviceError, request)
  })
}

/** True if the body could not be read because the client disconnected before it had sent the whole request. */
function isIncompleteRequest({ raw }: FastifyRequest, error: Error): boolean {
  return !raw.complete && raw.destroyed && errorCode(error) === 'ECONNRESET'
}

export function toServiceError(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error
  if (!(error instanceof Error)) return new ServiceError('internal', { cause: error })
  const code = errorCode(error)
  const mapped = FRAMEWORK_ERRORS[code] ?? SYSTEM_ERRORS[code] ?? SYSTEM_ERRORS[code.slice(0, 2)]
  if (mapped !== undefined) return serviceErrorFor(mapped, error)
  if (CONNECTION_LOST_MESSAGES.test(error.message))
    return serviceErrorFor('database_unavailable', error)
  const byStatus =
    'statusCode' in error ? ERROR_CODE_BY_STATUS[Number(error.statusCode)] : undefined
  if (byStatus !== undefined) return serviceErrorFor(byStatus, error)
  return new ServiceError('internal', { cause: error })
}

export function sendError(
  reply: FastifyReply,
  error: ServiceError,
  request: FastifyRequest,
): FastifyReply {
  const { retryAfterSeconds, allow } = error.extras
  if (retryAfterSeconds !== undefined) void reply.header('retry-after', retryAfterSeconds)
  if (allow !== undefined) void reply.header('allow', allow.join(', '))
  if (error.code === 'invalid_api_key') void reply.header('www-authenticate', challengeOf(request))
  return reply
    .code(sendsMissingAsAnswer(error, request, reply) ? 200 : error.status)
    .type('application/json; charset=utf-8')
    .serializer(JSON.stringify)
    .send(toErrorBody(error, request))
}

/** Tells a client to send a token, and where it finds out how to get one (RFC 6750, RFC 9728). */
function challengeOf({ headers, routeOptions, server }: FastifyRequest): string {
  const { oauthServer } = server
  if (!oauthServer) return 'Bearer realm="api"'
  const error = headers.authorization === undefined ? '' : 'error="invalid_token", '
  const url = resourceMetadataUrl(oauthServer, routeOptions.config.audience ?? 'api')
  return `Bearer realm="api", ${error}resource_metadata="${url}"`
}

/**
 * Browsers log every 404 response as an error of the page. Where the console expects that something may not exist, it
 * asks for the error as a successful response, with its status in a header.
 */
function sendsMissingAsAnswer(
  error: ServiceError,
  request: FastifyRequest,
  reply: FastifyReply,
): boolean {
  const isAnswer =
    error.status === 404 &&
    request.headers['x-missing'] === 'expected' &&
    request.url.startsWith('/web/')
  if (isAnswer) void reply.header('x-error-status', error.status)
  return isAnswer
}

export function toErrorBody(error: ServiceError, { id: requestId }: FastifyRequest): ErrorBody {
  const { details } = error.extras
  return {
    error: error.message,
    code: error.code,
    requestId,
    ...(details && { details }),
    ...(error.hint !== undefined && { hint: error.hint }),
  }
}

function serviceErrorFor(code: ErrorCode, cause: Error): ServiceError {
  const isTemporary = TEMPORARY_ERRORS.has(code)
  return new ServiceError(code, { cause, ...(isTemporary && { retryAfterSeconds: 5 }) })
}
