import type * as Undici from 'undici'
import {
  classifyFetchError,
  readLimitedBody,
  type GuardedFetch,
} from '../../network/guarded-fetch.ts'
import type { DeliveryErrorCode } from '../../network/network-errors.ts'
import type { NetworkPolicy } from '../../network/network-policy.ts'
import { parseRetryAfterMs } from '../../network/retry-after.ts'
import type { Clock } from '../../lib/time/clock.ts'
import { ReadProblem } from '../problems.ts'

/** What requests to Microsoft need. */
export type MicrosoftHttp = {
  guarded: Pick<GuardedFetch, 'fetch'>
  policy: Pick<NetworkPolicy, 'checkUrl'>
  clock: Clock
  /** The limit of one request, with its body. */
  timeoutMs: number
}

export type MicrosoftResponse = {
  status: number
  text: string
  retryAfterMs: number | null
  /** The Date header: Microsoft's clock. */
  serverTime: Date | null
}

export const REQUEST_TIMEOUT_MS = 30_000

const NETWORK_PROBLEMS: Readonly<Record<DeliveryErrorCode, string>> = {
  dns_error: 'its host name was not found',
  connection_refused: 'the connection was refused',
  connection_reset: 'the connection broke off',
  timeout: 'it did not answer in time',
  tls_error: 'the certificate of the server is not valid',
  blocked_address: 'the network rules of this service do not allow its address',
  bad_answer: 'the answer was not valid HTTP',
}

type Request = {
  method?: 'GET' | 'POST'
  headers: Record<string, string>
  body?: string
  maxBytes: number
  /** The problem of a larger body. */
  tooLarge?: ReadProblem
}

/**
 * Sends one request. Throws a `ReadProblem` if there is no complete response, and `tooLarge` if the body is larger than
 * `maxBytes`.
 */
export async function sendRequest(
  { guarded, policy, clock, timeoutMs }: MicrosoftHttp,
  url: string,
  { maxBytes, tooLarge = new ReadProblem('bad_answer', 'larger than allowed'), ...init }: Request,
  caller: AbortSignal,
): Promise<MicrosoftResponse> {
  if (policy.checkUrl(url) !== null)
    throw new ReadProblem('unreachable', NETWORK_PROBLEMS.blocked_address)
  const timeout = AbortSignal.timeout(timeoutMs)
  const signal = AbortSignal.any([caller, timeout])
  try {
    const response = await guarded.fetch(url, {
      ...init,
      headers: { 'user-agent': 'Hansard', ...init.headers },
      signal,
    })
    const body = await readLimitedBody(response, maxBytes)
    if (body === null) throw tooLarge
    return {
      status: response.status,
      text: body.toString('utf8'),
      retryAfterMs: parseRetryAfterMs(Object.fromEntries(response.headers), clock),
      serverTime: readDate(response),
    }
  } catch (error) {
    caller.throwIfAborted()
    if (error instanceof ReadProblem) throw error
    const code = timeout.aborted ? 'timeout' : classifyFetchError(error)
    if (code === null) throw error
    throw new ReadProblem('unreachable', NETWORK_PROBLEMS[code])
  }
}

function readDate({ headers }: Undici.Response): Date | null {
  const at = Date.parse(headers.get('date') ?? '')
  return Number.isNaN(at) ? null : new Date(at)
}
