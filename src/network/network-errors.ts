import { errorCode } from '../lib/error-code.ts'

export const DELIVERY_ERROR_CODES = [
  'dns_error',
  'connection_refused',
  'connection_reset',
  'timeout',
  'tls_error',
  'blocked_address',
  'bad_answer',
] as const
export type DeliveryErrorCode = (typeof DELIVERY_ERROR_CODES)[number]

/** The receiver or the network took longer than the time limit of the request. */
export class CallbackTimeoutError extends Error {
  override readonly name = 'CallbackTimeoutError'
  readonly code = 'ETIMEDOUT'
}

const ERRORS_BY_CODE: Readonly<Record<string, DeliveryErrorCode>> = {
  ERR_BLOCKED_ADDRESS: 'blocked_address',
  ENOTFOUND: 'dns_error',
  ETIMEDOUT: 'timeout',
  UND_ERR_CONNECT_TIMEOUT: 'timeout',
  UND_ERR_HEADERS_TIMEOUT: 'timeout',
  UND_ERR_BODY_TIMEOUT: 'timeout',
  ECONNRESET: 'connection_reset',
  ECONNABORTED: 'connection_reset',
  EPIPE: 'connection_reset',
  UND_ERR_SOCKET: 'connection_reset',
  UND_ERR_HEADERS_OVERFLOW: 'bad_answer',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'bad_answer',
}
/** For codes that are not in ERRORS_BY_CODE, the first matching pattern decides. Null means a bug in this service. */
const ERRORS_BY_PATTERN: ReadonlyArray<[pattern: RegExp, error: DeliveryErrorCode | null]> = [
  [/^EAI_/, 'dns_error'],
  [/^(?:EPROTO$|ERR_(?:SSL|TLS|OSSL)_)/, 'tls_error'],
  [/^(?:UND_)?ERR_/, null],
  // System errors while connecting, such as an unreachable host, a firewall or no free sockets.
  [/^E[A-Z0-9]+$/, 'connection_refused'],
  // OpenSSL codes for an invalid certificate.
  [/^[A-Z][A-Z0-9_]+$/, 'tls_error'],
]

/** Maps the error of a failed request to a DeliveryErrorCode. Null means a bug in this service. */
export function classifyNetworkError(error: unknown): DeliveryErrorCode | null {
  const code = errorCode(error)
  if (error instanceof AggregateError) return classifyAll(error.errors)
  if (isProtocolError(error)) return 'bad_answer'
  return (
    ERRORS_BY_CODE[code] ?? ERRORS_BY_PATTERN.find(([pattern]) => pattern.test(code))?.[1] ?? null
  )
}

/** True if the other side does not speak HTTP. undici reports some of these errors without their own code. */
function isProtocolError(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (error.name === 'HTTPParserError') return true
  return error.name === 'SocketError' && /^bad (?:response|upgrade)/.test(error.message)
}

/** Several addresses of the host were tried without success. */
function classifyAll(errors: readonly unknown[]): DeliveryErrorCode | null {
  const deliveryErrors = errors.map(classifyNetworkError)
  return deliveryErrors.includes('timeout') ? 'timeout' : (deliveryErrors[0] ?? null)
}
