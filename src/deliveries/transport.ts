import { memoizeForLimitedTime } from '../lib/memoize.ts'
import { isPublicAddress } from '../lib/net/ip-addresses.ts'
import { systemClock, systemTimers, type Clock, type Timers } from '../lib/time/clock.ts'
import {
  createTrustedTlsContext,
  createConnectionPool,
  type ConnectionChoice,
} from '../network/connection-pool.ts'
import { classifyNetworkError, type DeliveryErrorCode } from '../network/network-errors.ts'
import {
  type HttpExchangeResult,
  type HttpRequest,
  createRequestCancellation,
  createBackgroundReadLimiter,
  createRequestSender,
  wasReusedConnectionReset,
  type RequestSender,
} from '../network/http-exchange.ts'
import type { NetworkPolicy } from '../network/network-policy.ts'
import { parseRetryAfterMs } from '../network/retry-after.ts'

export { DELIVERY_ERROR_CODES, type DeliveryErrorCode } from '../network/network-errors.ts'

export type PostRequest = {
  url: string
  /** The token that signed the callback. */
  tokenId: string
  headers: Record<string, string>
  body: Buffer
  /** The limit for the whole exchange: DNS lookup, connection, request and response body. */
  timeoutMs: number
  /** Failing lanes have separate sockets, so that a hanging receiver never holds a socket of a healthy lane. */
  pool: 'healthy' | 'failing'
  /** `fresh` opens a new connection instead of reusing an idle one. */
  connection: ConnectionChoice
  /** Called when the response headers have arrived. The outcome is then decided, and only the answer may follow. */
  onStatus?(status: number): void
}

/**
 * The result of one request. If it has both a status and an error, the response broke off after the status line, and
 * the receiver has the event.
 */
export type PostResult = {
  status: number | null
  error: DeliveryErrorCode | null
  /** The first 2 KiB of the response body as text, or a note that it is not shown. */
  answer: string
  retryAfterMs: number | null
  durationMs: number
  /**
   * True if a reused connection was reset before any byte of a response. The receiver may have closed the idle
   * connection just before, so this is not a failure of the receiver. The caller may send a new request at once, with a
   * new delivery id and on a fresh connection.
   */
  wasStaleConnection?: true
}

export type HttpCallbackTransportOptions = {
  policy: NetworkPolicy
  /** If false, callers learn the status of a receiver at a private address, but not the body of its response. */
  showsPrivateAnswers: boolean
  /** Certificates of additional certificate authorities to trust, as PEM. */
  extraCa?: string
  timers?: Timers
  /** The clock to compare a Retry-After date with if the response has no Date header. */
  clock?: Clock
  /** Called if reading a response fails with an error of no known kind. */
  onUnexpectedError?(error: unknown, origin: string): void
}

const MAX_ANSWER_BYTES = 2_048
const PRIVATE_ANSWER_NOTE = 'Not shown, because the receiver is at a private address'

export function createCallbackTransport(options: HttpCallbackTransportOptions) {
  const {
    policy,
    showsPrivateAnswers,
    extraCa,
    timers = systemTimers,
    clock = systemClock,
  } = options
  const { onUnexpectedError = () => undefined } = options
  const trusted = createTrustedTlsContext(extraCa)
  const healthy = createConnectionPool(policy, trusted)
  const failing = createConnectionPool(policy, trusted)
  const backgroundReads = createBackgroundReadLimiter()
  const senders: Record<PostRequest['pool'], RequestSender> = {
    healthy: createRequestSender(healthy, backgroundReads, timers),
    failing: createRequestSender(failing, backgroundReads, timers),
  }
  const closing = new AbortController()
  // The URL check is cached for a second, because it depends only on the URL and this machine's addresses.
  const destinationOf = memoizeForLimitedTime((url) => parseDestination(url, policy), {
    maxEntries: 1_000,
    ttlMs: 1_000,
  })

  /** The address of the connection decides, because a name can resolve to several addresses. */
  const readAnswer = ({ status, bodyStart, remoteAddress }: HttpExchangeResult) => {
    const isShown = showsPrivateAnswers || isPublicAddress(remoteAddress ?? '')
    return isShown || status === null ? decodeBodyStart(bodyStart) : PRIVATE_ANSWER_NOTE
  }

  return {
    /**
     * Sends at most one HTTP request. Rejects with the signal's reason if the signal aborts, or before anything is sent
     * if the caller made a mistake.
     */
    async post(request: PostRequest, signal: AbortSignal): Promise<PostResult> {
      signal.throwIfAborted()
      closing.signal.throwIfAborted()
      const startedAt = timers.now()
      const elapsedMs = () => Math.round(timers.now() - startedAt)
      const destination = destinationOf(request.url)
      if (destination === null) return { ...BLOCKED_RESULT, durationMs: elapsedMs() }
      using cancellation = createRequestCancellation(request.timeoutMs, signal, timers)
      const { headers, body, connection, timeoutMs } = request
      const send = senders[request.pool]
      const response = await send(
        { ...destination, headers, body },
        {
          connection,
          cancellation,
          remainingMs: () => timeoutMs - elapsedMs(),
          onStatus: (status) => request.onStatus?.(status),
        },
      )
      if (response.error !== null) {
        signal.throwIfAborted()
        closing.signal.throwIfAborted()
      }
      return {
        status: response.status,
        error:
          response.error === null
            ? null
            : toDeliveryError(response, destination.origin, onUnexpectedError),
        answer: readAnswer(response),
        retryAfterMs: parseRetryAfterMs(response.headers, clock),
        durationMs: elapsedMs(),
        ...(wasReusedConnectionReset(response) && { wasStaleConnection: true }),
      }
    },
    async [Symbol.asyncDispose]() {
      closing.abort(new Error('The transport is closed'))
      await Promise.all([healthy, failing].map((pool) => pool[Symbol.asyncDispose]()))
    },
  }
}

export type CallbackTransport = ReturnType<typeof createCallbackTransport>

const BLOCKED_RESULT = {
  status: null,
  error: 'blocked_address',
  answer: '',
  retryAfterMs: null,
} as const

/** The origin and path of a callback URL. Null if the network policy does not allow the URL. */
function parseDestination(
  url: string,
  policy: NetworkPolicy,
): Pick<HttpRequest, 'origin' | 'path'> | null {
  if (policy.checkUrl(url) !== null) return null
  const { origin, pathname, search } = new URL(url)
  return { origin, path: `${pathname}${search}` }
}

function toDeliveryError(
  { error, hasStarted }: HttpExchangeResult,
  origin: string,
  onUnexpectedError: NonNullable<HttpCallbackTransportOptions['onUnexpectedError']>,
): DeliveryErrorCode {
  const deliveryError = classifyNetworkError(error)
  if (deliveryError !== null) return deliveryError
  if (!hasStarted) throw error
  onUnexpectedError(error, origin)
  return 'bad_answer'
}

/** Decodes UTF-8 without splitting a character, and replaces NUL, which PostgreSQL cannot store. */
function decodeBodyStart(bytes: Buffer): string {
  if (bytes.length === 0) return ''
  const text = new TextDecoder().decode(bytes, { stream: true }).replaceAll('\0', '\ufffd')
  // The replacement character is three bytes long, so the decoded text may exceed the limit again.
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(MAX_ANSWER_BYTES))
  return text.slice(0, read)
}
