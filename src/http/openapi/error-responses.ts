import type { RouteOptions } from 'fastify'
import { ERRORS, ServiceError, type ErrorCode } from '../../errors.ts'
import { NOT_FOUND_CODES } from '../../access/subjects.ts'
import { listSubjects } from '../pipeline/access/subject-access.ts'
import type { RouteSubject } from '../pipeline/access/route-subjects.ts'
import { TEMPORARY_ERRORS } from '../pipeline/error-handler.ts'
import { ErrorResponse } from '../shapes/common.ts'
import { RESPONSE_HEADERS, referToHeaders, type ResponseHeaderName } from './headers.ts'
import { toJsonSchema, type NamedSchemas } from './json-schema.ts'
import { snakeToPascalCase } from './operation-names.ts'

/** Errors that every route with an API key can return. */
const COMMON_ERRORS: readonly ErrorCode[] = [
  'invalid_request',
  'invalid_api_key',
  'missing_scope',
  'method_not_allowed',
  'request_timeout',
  'url_too_long',
  'unknown_expectation',
  'too_many_requests',
  'headers_too_large',
  'internal',
  'shutting_down',
  'database_unavailable',
]
const PATH_PARAMETER_ERRORS: readonly ErrorCode[] = ['not_found']
/** Methods with which a client can send a body. The body is checked even when the route reads none. */
const BODY_METHODS = new Set(['POST', 'PUT', 'PATCH', 'DELETE'])
const BODY_ERRORS: readonly ErrorCode[] = [
  'invalid_json',
  'body_too_large',
  'unsupported_media_type',
  'storage_full',
  'storage_not_writable',
]
const IDEMPOTENCY_ERRORS: readonly ErrorCode[] = ['request_in_progress', 'idempotency_mismatch']

/** Headers of an error response, in addition to X-Request-Id. A temporary error has Retry-After without a row. */
const ERROR_HEADERS: Partial<Record<ErrorCode, readonly ResponseHeaderName[]>> = {
  invalid_api_key: ['WWW-Authenticate'],
  method_not_allowed: ['Allow'],
  too_many_requests: ['Retry-After', 'RateLimit', 'RateLimit-Policy'],
  too_many_executions: ['Retry-After'],
  over_budget: ['Retry-After'],
  request_in_progress: ['Retry-After'],
  document_busy: ['Retry-After'],
  shutting_down: ['Retry-After'],
  at_capacity: ['Retry-After'],
}
const [REQUEST_ID] = RESPONSE_HEADERS['X-Request-Id'].schema.examples

/** The error responses of a route by status, as references to `components`. Routes with the same errors share one. */
export function describeErrorResponses(
  route: RouteOptions,
  schemas: NamedSchemas,
  components: Record<string, object>,
): Record<string, object> {
  const byStatus = Object.groupBy(errorCodesOf(route), (code) => ERRORS[code].status)
  return Object.fromEntries(
    Object.entries(byStatus).map(([status, codes]) => {
      const name = codes.map(snakeToPascalCase).join('Or')
      components[name] ??= describeErrors(codes, schemas)
      return [status, { $ref: `#/components/responses/${name}` }]
    }),
  )
}

function errorCodesOf({ method, schema = {}, config = {} }: RouteOptions): ErrorCode[] {
  const acceptsBody = [method].flat().some((name) => BODY_METHODS.has(name))
  const codes = [
    ...COMMON_ERRORS,
    ...(schema.params === undefined ? [] : PATH_PARAMETER_ERRORS),
    ...(acceptsBody ? BODY_ERRORS : []),
    ...(config.idempotent ? IDEMPOTENCY_ERRORS : []),
    ...listSubjects(config.subject).flatMap(errorCodesOfSubject),
    ...(config.errorCodes ?? []),
  ]
  return [...new Set(codes)]
}

/** Who may read something but not change it is told so; what one may not read does not exist. */
function errorCodesOfSubject(subject: RouteSubject): ErrorCode[] {
  if (typeof subject !== 'object') return []
  const { kind, action } = subject
  const isReadable = kind === 'token' || action === 'read'
  return [NOT_FOUND_CODES[kind], ...(isReadable ? [] : ['forbidden' as const])]
}

function describeErrors(codes: readonly ErrorCode[], schemas: NamedSchemas): object {
  const headers = new Set(codes.flatMap(headersOf))
  const lines = codes.map((code) => `\`${code}\`: ${ERRORS[code].text}`)
  return {
    description: lines.join('; '),
    headers: referToHeaders(['X-Request-Id', ...headers]),
    content: {
      'application/json': {
        schema: toJsonSchema(ErrorResponse, schemas),
        examples: Object.fromEntries(codes.map((code) => [code, { value: exampleBody(code) }])),
      },
    },
  }
}

function headersOf(code: ErrorCode): readonly ResponseHeaderName[] {
  return ERROR_HEADERS[code] ?? (TEMPORARY_ERRORS.has(code) ? ['Retry-After'] : [])
}

function exampleBody(code: ErrorCode): object {
  const { message: error, hint } = new ServiceError(code)
  return { error, code, requestId: REQUEST_ID, ...(hint !== undefined && { hint }) }
}
