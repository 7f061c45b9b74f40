import type * as Undici from 'undici'
import type { Clock } from '../lib/time/clock.ts'
import { classifyFetchError, readLimitedBody, type GuardedFetch } from './guarded-fetch.ts'
import type { DeliveryErrorCode } from './network-errors.ts'
import type { NetworkPolicy } from './network-policy.ts'
import { parseRetryAfterMs } from './retry-after.ts'

/** What requests to the API of a provider need. */
export type ApiHttp = {
  guarded: Pick<GuardedFetch, 'fetch'>
  policy: Pick<NetworkPolicy, 'checkUrl'>
  clock: Clock
  /** The limit of one request, with its body. */
  timeoutMs: number
}

export type ApiRequest = {
  method?: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  headers: Record<string, string>
  body?: string
  maxBytes: number
}

export type ApiResponse = {
  status: number
  text: string
  retryAfterMs: number | null
  /** The Date header: the provider's clock. */
  serverTime: Date | null
}

export const REQUEST_TIMEOUT_MS = 30_000

/** There is no complete response. The message says why, for people, as the end of "cannot be reached: …". */
export class ApiUnreachable extends Error {
  override readonly name = 'ApiUnreachable'
}

/** The response has more bytes than allowed. */
export class ApiResponseTooLarge extends Error {
  override readonly name = 'ApiResponseTooLarge'
}

const REASONS: Readonly<Record<DeliveryErrorCode, string>> = {
  dns_error: 'its host name was not found',
  connection_refused: 'the connection was refused',
  connection_reset: 'the connection broke off',
  timeout: 'it did not answer in time',
  tls_error: 'the certificate of the server is not valid',
  blocked_address: 'the network rules of this service do not allow its address',
  bad_answer: 'the answer was not valid HTTP',
}

/** Sends one request, and follows no redirect. Throws `ApiUnreachable` or `ApiResponseTooLarge`. */
export async function sendApiRequest(
  { guarded, policy, clock, timeoutMs }: ApiHttp,
  url: string,
  { maxBytes, ...init }: ApiRequest,
  caller: AbortSignal,
): Promise<ApiResponse> {
  if (policy.checkUrl(url) !== null) throw new ApiUnreachable(REASONS.blocked_address)
  const timeout = AbortSignal.timeout(timeoutMs)
  const signal = AbortSignal.any([caller, timeout])
  try {
    const response = await guarded.fetch(url, {
      ...init,
      headers: { 'user-agent': 'Hansard', ...init.headers },
      signal,
    })
    const body = await readLimitedBody(response, maxBytes)
    if (body === null) throw new ApiResponseTooLarge()
    return {
      status: response.status,
      text: body.toString('utf8'),
      retryAfterMs: parseRetryAfterMs(Object.fromEntries(response.headers), clock),
      serverTime: readDate(response),
    }
  } catch (error) {
    caller.throwIfAborted()
    if (error instanceof ApiResponseTooLarge) throw error
    const code = timeout.aborted ? 'timeout' : classifyFetchError(error)
    if (code === null) throw error
    throw new ApiUnreachable(REASONS[code], { cause: error })
  }
}

function readDate({ headers }: Undici.Response): Date | null {
  const at = Date.parse(headers.get('date') ?? '')
  return Number.isNaN(at) ? null : new Date(at)
}
