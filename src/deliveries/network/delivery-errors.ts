import { errorCode } from '../../lib/error-code.ts'

export const DELIVERY_ERRORS = [
  'dns_error',
  'connection_refused',
  'connection_reset',
  'timeout',
  'tls_error',
  'blocked_address',
  'bad_answer',
] as const
export type DeliveryError = (typeof DELIVERY_ERRORS)[number]

/** The receiver, or the way to it, took longer than the post may take. */
export class CallbackTimeoutError extends Error {
  override readonly name = 'CallbackTimeoutError'
  readonly code = 'ETIMEDOUT'
}

const ERRORS_BY_CODE: Readonly<Record<string, DeliveryError>> = {
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
/** For all other codes, the first that fits; null is a mistake of ours. */
const ERRORS_BY_PATTERN: ReadonlyArray<[pattern: RegExp, kind: DeliveryError | null]> = [
  [/^EAI_/, 'dns_error'],
  [/^(?:EPROTO$|ERR_(?:SSL|TLS|OSSL)_)/, 'tls_error'],
  [/^(?:UND_)?ERR_/, null],
  // The system could not connect: not reachable, forbidden by a firewall, out of sockets.
  [/^E[A-Z0-9]+$/, 'connection_refused'],
  // The words of OpenSSL for what is wrong with a certificate.
  [/^[A-Z][A-Z0-9_]+$/, 'tls_error'],
]
/** The kind of a failed post; null for a mistake of ours, which is no news about the receiver. */
export function classifyNetworkError(error: unknown): DeliveryError | null {
  const code = errorCode(error)
  if (error instanceof AggregateError) return classifyAll(error.errors)
  if (isProtocolError(error)) return 'bad_answer'
  return (
    ERRORS_BY_CODE[code] ?? ERRORS_BY_PATTERN.find(([pattern]) => pattern.test(code))?.[1] ?? null
  )
}

/** Not always told by a code: the other side keeps the connection but not to the protocol. */
function isProtocolError(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (error.name === 'HTTPParserError') return true
  return error.name === 'SocketError' && /^bad (?:response|upgrade)/.test(error.message)
}

/** Several addresses were tried, and none took the connection. */
function classifyAll(errors: readonly unknown[]): DeliveryError | null {
  const kinds = errors.map(classifyNetworkError)
  return kinds.includes('timeout') ? 'timeout' : (kinds[0] ?? null)
}
