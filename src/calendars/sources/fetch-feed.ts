import type { SecureContext } from 'node:tls'
import type * as Undici from 'undici'
import {
  classifyFetchError,
  createGuardedFetch,
  readLimitedBody,
} from '../../network/guarded-fetch.ts'
import type { DeliveryErrorCode } from '../../network/network-errors.ts'
import type { NetworkPolicy } from '../../network/network-policy.ts'
import { parseRetryAfterMs } from '../../network/retry-after.ts'
import type { Clock } from '../../lib/time/clock.ts'
import type { PollFailure, FeedState } from './calendar-source.ts'

export type FetchedFeed =
  | { kind: 'unchanged' }
  | { kind: 'content'; content: Uint8Array; etag: string | null; lastModified: string | null }
  | PollFailure

export type FetchFeed = (state: FeedState, signal: AbortSignal) => Promise<FetchedFeed>

export interface FeedFetcher extends AsyncDisposable {
  fetchFeed: FetchFeed
}

type Parts = {
  policy: NetworkPolicy
  /** Null to trust the certificate authorities that Node trusts by default. */
  secureContext: SecureContext | null
  clock: Clock
  /** The limit for everything together: DNS lookups, redirects and the whole body. */
  timeoutMs?: number
  /** The limit for the body after decompression. */
  maxBytes?: number
}

const TIMEOUT_MS = 30_000
const MAX_BYTES = 25_000_000
const MAX_REDIRECTS = 5
const MAX_VALIDATOR_LENGTH = 500
const REDIRECT_STATUSES: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

/** Why a feed could not be fetched, as sentences for people. None contains the address. */
const NETWORK_PROBLEMS: Readonly<Record<DeliveryErrorCode, string>> = {
  dns_error: 'The host of the address was not found',
  connection_refused: 'The server cannot be reached',
  connection_reset: 'The server broke off the connection',
  timeout: 'The server did not answer in time',
  tls_error: 'The certificate of the server is not valid',
  blocked_address: 'The network rules of this service do not allow this address',
  bad_answer: 'The server sent an answer that is not valid HTTP',
}

const TOO_LARGE_PROBLEM = 'The calendar is larger than 25 MB'
const TOO_MANY_REDIRECTS_PROBLEM = 'The server redirects too often'
const BLOCKED_REDIRECT_PROBLEM =
  'The server redirects to an address that the network rules of this service do not allow'
const BAD_REDIRECT_PROBLEM = 'The server redirects to an address that is not valid'

/** Used for an error inside this service. The log has the details. */
export const INTERNAL_PROBLEM = 'The calendar could not be read because of an error in this service'

const COPY_AGAIN = 'Copy the secret address from the settings of the calendar again'

/** Fetches feeds. Every address, including redirects, must be allowed by the network policy. */
export function createFeedFetcher(parts: Parts): FeedFetcher {
  const { policy, timeoutMs = TIMEOUT_MS, maxBytes = MAX_BYTES } = parts
  const guarded = createGuardedFetch(parts)
  const closing = new AbortController()

  const fetchFollowing = async (state: FeedState, signal: AbortSignal): Promise<FetchedFeed> => {
    let url = state.url
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
      if (policy.checkUrl(url) !== null)
        return failed(redirects === 0 ? NETWORK_PROBLEMS.blocked_address : BLOCKED_REDIRECT_PROBLEM)
      const response = await guarded.fetch(url, { headers: buildHeaders(state), signal })
      if (!REDIRECT_STATUSES.has(response.status)) return readResponse(response, parts, maxBytes)
      await response.body?.cancel()
      const next = URL.parse(response.headers.get('location') ?? '', url)
      if (next === null || !response.headers.has('location')) return failed(BAD_REDIRECT_PROBLEM)
      url = next.href
    }
    return failed(TOO_MANY_REDIRECTS_PROBLEM)
  }

  return {
    async fetchFeed(state, caller) {
      // After closing, a redirect or a new feed would open an agent that nothing closes.
      const signal = AbortSignal.any([caller, closing.signal])
      signal.throwIfAborted()
      const timeout = AbortSignal.timeout(timeoutMs)
      try {
        return await fetchFollowing(state, AbortSignal.any([signal, timeout]))
      } catch (error) {
        signal.throwIfAborted()
        if (timeout.aborted) return failed(NETWORK_PROBLEMS.timeout)
        const code = classifyFetchError(error)
        if (code === null) throw withoutAddress(error)
        return failed(NETWORK_PROBLEMS[code])
      }
    },
    async [Symbol.asyncDispose]() {
      closing.abort(new Error('the calendars are being closed'))
      await guarded[Symbol.asyncDispose]()
    },
  }
}

function buildHeaders({ etag, lastModified }: FeedState): Record<string, string> {
  return {
    accept: 'text/calendar, */*;q=0.5',
    'user-agent': 'Hansard',
    ...(etag !== null && { 'if-none-match': etag }),
    ...(etag === null && lastModified !== null && { 'if-modified-since': lastModified }),
  }
}

async function readResponse(
  response: Undici.Response,
  { clock }: Parts,
  maxBytes: number,
): Promise<FetchedFeed> {
  const { status, headers } = response
  if (status === 304) {
    await response.body?.cancel()
    return { kind: 'unchanged' }
  }
  if (status !== 200) {
    await response.body?.cancel()
    const retryAfterMs = parseRetryAfterMs(Object.fromEntries(headers), clock)
    return { kind: 'failed', problem: describeStatus(status), retryAfterMs }
  }
  const content = await readLimitedBody(response, maxBytes)
  if (content === null) return failed(TOO_LARGE_PROBLEM)
  return {
    kind: 'content',
    content,
    etag: readValidator(headers.get('etag')),
    lastModified: readValidator(headers.get('last-modified')),
  }
}

function readValidator(value: string | null): string | null {
  return value === null || value === '' || value.length > MAX_VALIDATOR_LENGTH ? null : value
}

/** An unexpected error is logged, and messages of undici may contain the secret address. */
function withoutAddress(error: unknown): Error {
  const name = error instanceof Error ? error.name : typeof error
  const code = error instanceof Error && error.cause instanceof Error ? error.cause.name : ''
  return new Error(`failed to fetch a calendar feed: ${name} ${code}`.trim())
}

function failed(problem: string): PollFailure {
  return { kind: 'failed', problem, retryAfterMs: null }
}

function describeStatus(status: number): string {
  if (status === 401 || status === 403) return `The server refused access. ${COPY_AGAIN}`
  if (status === 404 || status === 410)
    return `There is no calendar at this address any more. ${COPY_AGAIN}`
  return `The server answered ${status}`
}
