import { systemClock, type Clock } from '../../lib/time/clock.ts'
import { memoize } from '../../lib/memoize.ts'
import { createConnectionPool, type ConnectionPool } from './connection-pool.ts'
import { createCancellation, type Cancellation } from './cancellation.ts'
import { sendHttpRequest, type HttpResponse, type HttpRequest } from './http-exchange.ts'
import { classifyNetworkError, type DeliveryError } from './delivery-errors.ts'
import type { NetworkPolicy } from './network-policy.ts'
import { parseRetryAfterMs } from './retry-after.ts'
import { createTrustedContext } from './trusted-certificates.ts'

export { DELIVERY_ERRORS, type DeliveryError } from './delivery-errors.ts'

export type PostRequest = {
  url: string
  headers: Record<string, string>
  body: Buffer
  /** For everything: the name, the connection, the request and the answer with its body. */
  timeoutMs: number
  /** Lanes in trouble have their own sockets, so that one that hangs never holds a healthy lane's. */
  pool: 'healthy' | 'failing'
}

/**
 * What the receiver said counts from its status line on: with a status there is an error only when the rest
 * of the answer did not come, and the receiver has the event all the same.
 */
export type PostResult = {
  status: number | null
  error: DeliveryError | null
  /** The start of the answer's body: at most 2 KiB, whatever the receiver sent. */
  answer: string
  retryAfterMs: number | null
  durationMs: number
}

export interface Transport extends AsyncDisposable {
  /** Rejects when the signal ends it, with its reason, and on a mistake of the caller, before anything is sent. */
  post(request: PostRequest, signal: AbortSignal): Promise<PostResult>
}

export type TransportOptions = {
  policy: NetworkPolicy
  /** Certificates in PEM of further authorities to trust. */
  extraCa?: string
  /** Milliseconds of a clock that nobody sets. */
  monotonic?: () => number
  /** For a `Retry-After` with a date from a receiver that does not tell the time. */
  clock?: Clock
  /** An answer failed in a way that nobody foresaw. */
  onUnexpectedError?(error: unknown, origin: string): void
}

const MAX_ANSWER_BYTES = 2_048

export function createTransport(options: TransportOptions): Transport {
  const { policy, extraCa, monotonic = () => performance.now(), clock = systemClock } = options
  const { onUnexpectedError = () => undefined } = options
  const trusted = createTrustedContext(extraCa)
  const pools: Record<PostRequest['pool'], ConnectionPool> = {
    healthy: createConnectionPool(policy, trusted),
    failing: createConnectionPool(policy, trusted),
  }
  const closing = new AbortController()
  // Of names only what needs no look-up, and that changes with this machine's own addresses at most.
  const placeOf = memoize((url) => parseDestination(url, policy), {
    maxEntries: 1_000,
    ttlMs: 1_000,
  })

  return {
    async post(request, signal) {
      signal.throwIfAborted()
      closing.signal.throwIfAborted()
      const startedAt = monotonic()
      const took = () => Math.round(monotonic() - startedAt)
      const place = placeOf(request.url)
      if (place === null) return { ...BLOCKED_RESULT, durationMs: took() }
      using ending = createCancellation(request.timeoutMs, signal)
      const { headers, body } = request
      const question = { ...place, headers, body }
      const heard = await postWithReconnect(pools[request.pool], question, 'any', ending)
      if (heard.error !== null) {
        signal.throwIfAborted()
        closing.signal.throwIfAborted()
      }
      return {
        status: heard.status,
        error:
          heard.error === null ? null : toDeliveryError(heard, place.origin, onUnexpectedError),
        answer: decodeBodyStart(heard.bodyStart),
        retryAfterMs: parseRetryAfterMs(heard.headers, clock),
        durationMs: took(),
      }
    },
    async [Symbol.asyncDispose]() {
      closing.abort(new Error('The transport is closed'))
      await Promise.all(Object.values(pools).map((pool) => pool[Symbol.asyncDispose]()))
    },
  }
}

const BLOCKED_RESULT = {
  status: null,
  error: 'blocked_address',
  answer: '',
  retryAfterMs: null,
} as const

async function postWithReconnect(
  pool: ConnectionPool,
  question: HttpRequest,
  want: 'any' | 'fresh',
  ending: Cancellation,
): Promise<HttpResponse> {
  const connection = pool.acquire(question.origin, want)
  const heard = await sendHttpRequest(connection, question, ending)
  if (heard.isComplete) pool.release(connection)
  else pool.destroy(connection)
  // A socket that was kept can be closed by the other side just when it is used again: nobody's fault.
  const wasClosed =
    heard.mayBeStaleSocket && classifyNetworkError(heard.error) === 'connection_reset'
  return wasClosed && want === 'any' ? postWithReconnect(pool, question, 'fresh', ending) : heard
}

/** Where a request goes; null: nowhere. */
function parseDestination(
  text: string,
  policy: NetworkPolicy,
): Pick<HttpRequest, 'origin' | 'path'> | null {
  if (policy.checkUrl(text) !== null) return null
  const { origin, pathname, search } = new URL(text)
  return { origin, path: `${pathname}${search}` }
}

function toDeliveryError(
  { error, hasStarted }: HttpResponse,
  origin: string,
  onUnforeseen: NonNullable<TransportOptions['onUnexpectedError']>,
): DeliveryError {
  const kind = classifyNetworkError(error)
  if (kind !== null) return kind
  if (!hasStarted) throw error
  onUnforeseen(error, origin)
  return 'bad_answer'
}

/** Text that any store takes: what is no text is shown as such, and a cut leaves no half characters. */
function decodeBodyStart(bytes: Buffer): string {
  if (bytes.length === 0) return ''
  const text = new TextDecoder().decode(bytes, { stream: true }).replaceAll('\0', '\ufffd')
  // What stands for an unreadable byte is three bytes long.
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(MAX_ANSWER_BYTES))
  return text.slice(0, read)
}
