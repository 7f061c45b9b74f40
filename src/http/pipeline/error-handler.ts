import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import type { FastifyApp } from '../fastify-app.ts'
import { ServiceError, type ErrorCode } from '../../errors.ts'
import { errorCode } from '../../lib/error-code.ts'
import type { Log } from '../../log.ts'
import { acceptsHtml } from './access/accepts-html.ts'

export type ErrorBody = {
  error: string
  code: ErrorCode
  requestId: string
  details?: Array<{ path: string; message: string }>
  hint?: string
}

/** What the framework's own errors mean to a client. */
const FRAMEWORK_ERRORS: Record<string, ErrorCode> = {
  FST_ERR_CTP_INVALID_JSON_BODY: 'invalid_json',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'invalid_json',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'invalid_request',
  FST_ERR_CTP_BODY_TOO_LARGE: 'body_too_large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media_type',
  FST_ERR_BAD_URL: 'not_found',
  FST_ERR_MAX_PARAM_LENGTH: 'not_found',
}

/** What errors of the database and the disk mean: by SQLSTATE, by its first two characters, or by the system's code. */
const SYSTEM_ERRORS: Record<string, ErrorCode> = {
  '53100': 'storage_full',
  '53': 'database_unavailable',
  '08': 'database_unavailable',
  '28': 'database_unavailable',
  '3D': 'database_unavailable',
  '55000': 'database_unavailable',
  '57': 'database_unavailable',
  '58': 'storage_full',
  '22021': 'invalid_request',
  ENOSPC: 'storage_full',
  EDQUOT: 'storage_full',
  EROFS: 'storage_full',
  ECONNREFUSED: 'database_unavailable',
  ECONNRESET: 'database_unavailable',
  ENOENT: 'database_unavailable',
  EPIPE: 'database_unavailable',
  ETIMEDOUT: 'database_unavailable',
  ENOTFOUND: 'database_unavailable',
  EAI_AGAIN: 'database_unavailable',
  EHOSTUNREACH: 'database_unavailable',
}
/** What the errors of plugins mean, which have a status and a code of their own. */
const ERROR_CODE_BY_STATUS: Record<number, ErrorCode> = {
  400: 'invalid_request',
  403: 'not_found',
  404: 'not_found',
  412: 'precondition_failed',
  416: 'range_not_satisfiable',
}
const CONNECTION_LOST_MESSAGES =
  /Connection terminated|timeout exceeded when trying to connect|Client has encountered/

export function handleErrors(app: FastifyApp, log: Log): void {
  app.setErrorHandler<FastifyError>((error, request, reply) => {
    const known = toServiceError(error)
    if (known.status >= 500) {
      const { method } = request
      log.error(
        { err: error, requestId: request.id, method, route: request.routeOptions.url },
        'request failed',
      )
    }
    if (known.code === 'not_signed_in' && acceptsHtml(request)) {
      return reply.redirect(`/sign-in?next=${encodeURIComponent(request.url)}`)
    }
    return sendError(reply, known, request)
  })
}

export function toServiceError(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error
  if (!(error instanceof Error)) return new ServiceError('internal', { cause: error })
  const code = errorCode(error)
  const meaning = FRAMEWORK_ERRORS[code] ?? SYSTEM_ERRORS[code] ?? SYSTEM_ERRORS[code.slice(0, 2)]
  if (meaning !== undefined) return serviceErrorFor(meaning, error)
  if (CONNECTION_LOST_MESSAGES.test(error.message))
    return serviceErrorFor('database_unavailable', error)
  const status = 'statusCode' in error ? ERROR_CODE_BY_STATUS[Number(error.statusCode)] : undefined
  if (status !== undefined) return serviceErrorFor(status, error)
  return new ServiceError('internal', { cause: error })
}

export function sendError(
  reply: FastifyReply,
  error: ServiceError,
  request: FastifyRequest,
): FastifyReply {
  const { details, retryAfterSeconds, allow } = error.extras
  if (retryAfterSeconds !== undefined) void reply.header('retry-after', retryAfterSeconds)
  if (allow !== undefined) void reply.header('allow', allow.join(', '))
  if (error.code === 'invalid_api_key') void reply.header('www-authenticate', 'Bearer realm="api"')
  const body: ErrorBody = {
    error: error.message,
    code: error.code,
    requestId: request.id,
    ...(details && { details }),
    ...(error.hint !== undefined && { hint: error.hint }),
  }
  return reply
    .code(error.status)
    .type('application/json; charset=utf-8')
    .serializer(JSON.stringify)
    .send(body)
}

function serviceErrorFor(code: ErrorCode, cause: Error): ServiceError {
  const isTemporary = code === 'database_unavailable' || code === 'storage_full'
  return new ServiceError(code, { cause, ...(isTemporary && { retryAfterSeconds: 5 }) })
}
