import { setTimeout as pause } from 'node:timers/promises'
import { createTrustedTlsContext } from '../network/connection-pool.ts'
import {
  classifyFetchError,
  createGuardedFetch,
  readLimitedBody,
} from '../network/guarded-fetch.ts'
import type { NetworkPolicy } from '../network/network-policy.ts'
import { parseRetryAfterMs } from '../network/retry-after.ts'
import { isDoneBefore, runUntilDeadlineOrAbort } from '../lib/async/abort.ts'
import { doublingDelayMs } from '../lib/time/backoff.ts'
import { systemTimers, type Clock } from '../lib/time/clock.ts'
import type { Log } from '../log.ts'

export type CollectorOptions = {
  headers: Readonly<Record<string, string>>
  contentType: string
  /** For an export with its retries. */
  timeoutMs: number
  /** Further certificate authorities, in PEM. */
  ca: string | undefined
}

type Parts = CollectorOptions & { policy: NetworkPolicy; clock: Clock; log: Log }

/** Sends exports to a collector of OpenTelemetry, by OTLP over HTTP. */
export interface OtlpSender extends AsyncDisposable {
  /** True if the collector has accepted the data. Never throws: what could not be sent in time is dropped. */
  send(url: string, body: Uint8Array): Promise<boolean>
  /** From now on, an export may take only this long, and none is sent again. */
  hurry(ms: number): void
}

/** These answers ask to send the same data again. */
const RETRIED_STATUSES: ReadonlySet<number> = new Set([429, 502, 503, 504])
const FIRST_RETRY_MS = 1_000
/** Only the status matters. A longer answer is not read. */
const MAX_ANSWER_BYTES = 16_384
const CA_SETTING = 'OTEL_EXPORTER_OTLP_CERTIFICATE'

type Attempt = { problem: string | null; isRetried: boolean; retryAfterMs: number | null }

export function createOtlpSender(parts: Parts): OtlpSender {
  const { policy, clock, log, timeoutMs } = parts
  const secureContext = createTrustedTlsContext(parts.ca, CA_SETTING)
  const http = createGuardedFetch({ policy, secureContext })
  const closing = new AbortController()
  const hurrying = new AbortController()
  let limitMs = timeoutMs
  let isFailing = false

  const attempt = async (url: string, body: Uint8Array, signal: AbortSignal): Promise<Attempt> => {
    const refusal = policy.checkUrl(url)
    if (refusal !== null) return { problem: refusal, isRetried: false, retryAfterMs: null }
    try {
      const headers = {
        ...parts.headers,
        'content-type': parts.contentType,
        'user-agent': 'Hansard',
      }
      const response = await http.fetch(url, { method: 'POST', headers, body, signal })
      await readLimitedBody(response, MAX_ANSWER_BYTES)
      return {
        problem: response.ok ? null : `the collector answered ${response.status}`,
        isRetried: RETRIED_STATUSES.has(response.status),
        retryAfterMs: parseRetryAfterMs(Object.fromEntries(response.headers), clock),
      }
    } catch (error) {
      if (signal.aborted) throw error
      const code = classifyFetchError(error)
      if (code === null) log.error({ err: error }, 'failed to export telemetry')
      return { problem: code ?? 'unexpected error', isRetried: true, retryAfterMs: null }
    }
  }
  const sendWithRetries = async (url: string, body: Uint8Array, signal: AbortSignal) => {
    const beganAt = systemTimers.now()
    for (let failures = 1; ; failures += 1) {
      const { problem, isRetried, retryAfterMs } = await attempt(url, body, signal)
      const waitMs =
        retryAfterMs ?? doublingDelayMs(FIRST_RETRY_MS, failures) * (0.5 + Math.random())
      const isLate = systemTimers.now() + waitMs - beganAt > timeoutMs
      if (problem === null || !isRetried || isLate) return problem
      const wait = pause(waitMs, undefined, { ref: false })
      if (!(await isDoneBefore(wait, hurrying.signal))) return problem
    }
  }
  /** Only the first failure and the end of an outage are logged, because exports are frequent. */
  const noteResult = (problem: string | null) => {
    if (problem !== null && !isFailing)
      log.warn({ reason: problem }, 'failed to export telemetry; it is dropped until this works')
    if (problem === null && isFailing) log.info('telemetry is exported again')
    isFailing = problem !== null
    return problem === null
  }
  return {
    async send(url, body) {
      const result = await runUntilDeadlineOrAbort(limitMs, closing.signal, (signal) =>
        sendWithRetries(url, body, signal),
      )
      if (result.ended === 'aborted') return false
      return noteResult(result.ended === 'late' ? 'timeout' : result.value)
    },
    hurry(ms) {
      limitMs = Math.min(limitMs, ms)
      hurrying.abort()
    },
    async [Symbol.asyncDispose]() {
      closing.abort()
      await http[Symbol.asyncDispose]()
    },
  }
}
