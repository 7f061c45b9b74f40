import { systemClock, type Clock } from '../lib/clock.ts'
import { memoize } from '../lib/memo.ts'
import { createConnections, type Connections } from './network/connections.ts'
import { createEnding, type Ending } from './network/ending.ts'
import { exchange, type Heard, type Question } from './network/exchange.ts'
import { kindOf, type DeliveryError } from './network/failures.ts'
import type { NetworkPolicy } from './network/policy.ts'
import { retryAfterMs } from './network/retry-after.ts'
import { trustedWith } from './network/trust.ts'

export { DELIVERY_ERRORS, type DeliveryError } from './network/failures.ts'

export type PostRequest = {
  url: string
  headers: Record<string, string>
  body: Buffer
  /** For everything: the name, the connection, the request and the answer with its body. */
  timeoutMs: number
  /** Lanes in trouble have their own sockets, so that one that hangs never holds a healthy lane's. */
  pool: 'healthy' | 'troubled'
}

/**
 * What the receiver said counts from its status line on: with a status there is an error only when the rest
 * of the answer did not come, and the receiver has the event all the same.
 */
export type Posted = {
  status: number | null
  error: DeliveryError | null
  /** The start of the answer's body: at most 2 KiB, whatever the receiver sent. */
  answer: string
  retryAfterMs: number | null
  durationMs: number
}

export interface Transport extends AsyncDisposable {
  /** Rejects when the signal ends it, with its reason, and on a mistake of the caller, before anything is sent. */
  post(request: PostRequest, signal: AbortSignal): Promise<Posted>
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
  onUnforeseen?(error: unknown, origin: string): void
}

const MAX_ANSWER_BYTES = 2_048

export function createTransport(options: TransportOptions): Transport {
  const { policy, extraCa, monotonic = () => performance.now(), clock = systemClock } = options
  const { onUnforeseen = () => undefined } = options
  const trusted = trustedWith(extraCa)
  const pools: Record<PostRequest['pool'], Connections> = {
    healthy: createConnections(policy, trusted),
    troubled: createConnections(policy, trusted),
  }
  const closing = new AbortController()
  // Of names only what needs no look-up, and that changes with this machine's own addresses at most.
  const placeOf = memoize((url) => readPlace(url, policy), { most: 1_000, ttlMs: 1_000 })

  return {
    async post(request, signal) {
      signal.throwIfAborted()
      closing.signal.throwIfAborted()
      const startedAt = monotonic()
      const took = () => Math.round(monotonic() - startedAt)
      const place = placeOf(request.url)
      if (place === null) return { ...UNSENT, durationMs: took() }
      using ending = createEnding(request.timeoutMs, signal)
      const { headers, body } = request
      const question = { ...place, headers, body }
      const heard = await ask(pools[request.pool], question, 'any', ending)
      if (heard.error !== null) {
        signal.throwIfAborted()
        closing.signal.throwIfAborted()
      }
      return {
        status: heard.status,
        error: heard.error === null ? null : kindOfHeard(heard, place.origin, onUnforeseen),
        answer: readable(heard.start),
        retryAfterMs: retryAfterMs(heard.headers, clock),
        durationMs: took(),
      }
    },
    async [Symbol.asyncDispose]() {
      closing.abort(new Error('The transport is closed'))
      await Promise.all(Object.values(pools).map((pool) => pool[Symbol.asyncDispose]()))
    },
  }
}

const UNSENT = {
  status: null,
  error: 'blocked_address',
  answer: '',
  retryAfterMs: null,
} as const

async function ask(
  pool: Connections,
  question: Question,
  want: 'any' | 'fresh',
  ending: Ending,
): Promise<Heard> {
  const connection = pool.take(question.origin, want)
  const heard = await exchange(connection, question, ending)
  if (heard.isWhole) pool.giveBack(connection)
  else pool.drop(connection)
  // A socket that was kept can be closed by the other side just when it is used again: nobody's fault.
  const wasClosed = heard.isStale && kindOf(heard.error) === 'connection_reset'
  return wasClosed && want === 'any' ? ask(pool, question, 'fresh', ending) : heard
}

/** Where a request goes; null: nowhere. */
function readPlace(text: string, policy: NetworkPolicy): Pick<Question, 'origin' | 'path'> | null {
  if (policy.refuseUrl(text) !== null) return null
  const { origin, pathname, search } = new URL(text)
  return { origin, path: `${pathname}${search}` }
}

function kindOfHeard(
  { error, isBegun }: Heard,
  origin: string,
  onUnforeseen: NonNullable<TransportOptions['onUnforeseen']>,
): DeliveryError {
  const kind = kindOf(error)
  if (kind !== null) return kind
  if (!isBegun) throw error
  onUnforeseen(error, origin)
  return 'bad_answer'
}

/** Text that any store takes: what is no text is shown as such, and a cut leaves no half characters. */
function readable(bytes: Buffer): string {
  if (bytes.length === 0) return ''
  const text = new TextDecoder().decode(bytes, { stream: true }).replaceAll('\0', '\ufffd')
  // What stands for an unreadable byte is three bytes long.
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(MAX_ANSWER_BYTES))
  return text.slice(0, read)
}
