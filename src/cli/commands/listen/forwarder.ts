import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { createLazyValue } from '../../../lib/async/sharing.ts'
import { errorCode, errorMessageOf } from '../../../lib/error-code.ts'
import { installInterimResponseFilter } from '../../../lib/net/interim-responses.ts'
import { apiUrl, type ListenRequest } from './event-stream.ts'

const RETRY_DELAYS_MS = [200, 1_000]
const TIMEOUT_MS = 5_000

/** A callback, as the service sends it to a listener. */
export const ListenedCallback = z.object({
  deliveryId: z.string(),
  headers: z.record(z.string(), z.string()),
  body: z.string(),
  timeoutMs: z.number(),
  /** False for a copy of another receiver's callback. The service does not expect a response to it. */
  isAnswerWanted: z.boolean(),
})
export type ListenedCallback = z.output<typeof ListenedCallback>

/** The receiver's response to a callback, or the error of the attempt. */
export type ReceiverAnswer = {
  status: number | null
  error: string | null
  answer: string
  durationMs: number
}

export interface CallbackForwarder {
  forward(callback: ListenedCallback): void
  /** Resolves when no callback is in flight or queued. */
  whenIdle(): Promise<void>
}

type Parts = {
  post(callback: ListenedCallback, signal: AbortSignal): Promise<ReceiverAnswer>
  onDone(callback: ListenedCallback, outcome: ReceiverAnswer): Promise<void>
  onFailure(error: unknown): void
}

/** A partial caption that is being posted. */
type PartialInFlight = { controller: AbortController; done: Promise<void> }

/**
 * Callbacks that expect a response are posted immediately, because the service sends them one at a time for each
 * meeting. Copies come without waiting, so the copies of one meeting are queued here.
 */
export function createCallbackForwarder({ post, onDone, onFailure }: Parts): CallbackForwarder {
  const inFlight = new Set<Promise<void>>()
  const queues = new Map<string, Promise<void>>()
  const partials = new Map<string, PartialInFlight>()

  const run = async (
    callback: ListenedCallback,
    previous: Promise<void> | undefined,
    signal: AbortSignal,
  ) => {
    try {
      await previous
      const outcome = await post(callback, signal)
      if (!signal.aborted) await onDone(callback, outcome)
    } catch (error) {
      onFailure(error)
    }
  }
  /** When the next event arrives, the service no longer waits for the previous partial caption, so that is aborted. */
  const abortPartial = (meetingId: string) => {
    const partial = partials.get(meetingId)
    partial?.controller.abort()
    return partial?.done
  }
  return {
    forward(callback) {
      const { headers, isAnswerWanted } = callback
      const meetingId = headers['x-service-meeting-id'] ?? ''
      const controller = new AbortController()
      const previous = isAnswerWanted ? abortPartial(meetingId) : queues.get(meetingId)
      const done = run(callback, previous, controller.signal).finally(() => {
        inFlight.delete(done)
        if (queues.get(meetingId) === done) queues.delete(meetingId)
        if (partials.get(meetingId)?.done === done) partials.delete(meetingId)
      })
      inFlight.add(done)
      if (!isAnswerWanted) queues.set(meetingId, done)
      else if (headers['x-service-event'] === PARTIAL) partials.set(meetingId, { controller, done })
    },
    async whenIdle() {
      while (inFlight.size > 0) await Promise.all(inFlight)
    },
  }
}

const PARTIAL = 'caption_partial'
const MAX_ANSWER_BYTES = 2_048

/** undici is loaded with the first callback, because other commands don't need it. */
const httpClient = createLazyValue(async () => {
  const { Agent, buildConnector, request } = await import('undici')
  const connect = buildConnector({})
  const dispatcher = new Agent({
    connect: (options, callback) =>
      connect(options, (...outcome) => {
        if (outcome[1]) installInterimResponseFilter(outcome[1])
        callback(...outcome)
      }),
  })
  return { request, dispatcher }
})

/** Posts a callback to the receiver once, with the original headers and bytes. */
export async function postCallback(
  url: URL,
  callback: ListenedCallback,
  signal: AbortSignal,
): Promise<ReceiverAnswer> {
  const { request, dispatcher } = await httpClient.get()
  const startedAt = performance.now()
  const elapsedMs = () => Math.round(performance.now() - startedAt)
  let status: number | null = null
  try {
    const response = await request(url, {
      method: 'POST',
      headers: callback.headers,
      body: Buffer.from(callback.body),
      signal: AbortSignal.any([signal, AbortSignal.timeout(callback.timeoutMs)]),
      dispatcher,
      // A receiver under development restarts often, so connections are not reused.
      reset: true,
    })
    status = response.statusCode
    const text = await readBodyStart(response.body)
    return { status, error: null, answer: text, durationMs: elapsedMs() }
  } catch (error) {
    return { status, error: classifyPostError(error), answer: '', durationMs: elapsedMs() }
  }
}

/** Reads at most MAX_ANSWER_BYTES of the response. */
async function readBodyStart(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body) {
    chunks.push(chunk)
    size += chunk.length
    if (size >= MAX_ANSWER_BYTES) break
  }
  const start = Buffer.concat(chunks).subarray(0, MAX_ANSWER_BYTES)
  return new TextDecoder().decode(start, { stream: true })
}

/** Error kinds with the names of the delivery log. The first matching pattern decides. */
const ERRORS_BY_PATTERN: ReadonlyArray<[pattern: RegExp, kind: string]> = [
  [/^(?:ETIMEDOUT|UND_ERR_\w+_TIMEOUT)$/, 'timeout'],
  [/^(?:ENOTFOUND|EAI_\w+)$/, 'dns_error'],
  [/^(?:ECONNRESET|ECONNABORTED|EPIPE|UND_ERR_SOCKET|UND_ERR_ABORTED)$/, 'connection_reset'],
  [/^(?:HPE_|UND_ERR_(?:HEADERS_OVERFLOW|RES_))/, 'bad_answer'],
  [/^(?:EPROTO$|ERR_(?:SSL|TLS|OSSL)_)/, 'tls_error'],
  [/^E[A-Z0-9]+$/, 'connection_refused'],
  // OpenSSL codes for certificate problems.
  [/^(?!(?:UND_)?ERR_)[A-Z][A-Z0-9_]+$/, 'tls_error'],
]

/** Rethrows errors that do not come from the connection to the receiver. */
function classifyPostError(error: unknown): string {
  if (error instanceof DOMException && error.name === 'TimeoutError') return 'timeout'
  if (error instanceof DOMException && error.name === 'AbortError') return 'connection_reset'
  const code = errorCode(error)
  const kind = ERRORS_BY_PATTERN.find(([pattern]) => pattern.test(code))?.[1]
  if (kind === undefined) throw error
  return kind
}

/** Reports the receiver's response to the service. If that fails, the service repeats the callback. */
export function createReceiverAnswerUploader(
  { service, name, apiKey }: ListenRequest,
  printNote: (text: string) => void,
) {
  const url = apiUrl(service, `/listeners/${encodeURIComponent(name)}/answers`)

  /** Sends a report to the service. Null on success, otherwise the reason of the failure. */
  const send = async (body: string): Promise<string | null> => {
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
        body,
        redirect: 'manual',
        signal: AbortSignal.timeout(TIMEOUT_MS),
      })
      await response.body?.cancel()
      return response.ok ? null : `status ${response.status}`
    } catch (error) {
      if (error instanceof TypeError || error instanceof DOMException) return errorMessageOf(error)
      throw error
    }
  }
  return async (deliveryId: string, outcome: ReceiverAnswer): Promise<void> => {
    const body = JSON.stringify({ deliveryId, ...outcome })
    let problem = await send(body)
    for (const delayMs of RETRY_DELAYS_MS) {
      if (problem === null) return
      await sleep(delayMs)
      problem = await send(body)
    }
    if (problem !== null)
      printNote(`Could not report the receiver's response to the service (${problem})`)
  }
}

/** One line for people: time, type, meeting, sequence and the receiver's response. */
export function formatCallbackLine(
  { headers, body }: ListenedCallback,
  outcome: ReceiverAnswer,
  now: Date,
): string {
  const { sequence } = JSON.parse(body) as { sequence: number }
  const type = headers['x-service-event'] ?? ''
  const meeting = headers['x-service-meeting-id'] ?? ''
  const result = outcome.status ?? outcome.error
  return `${clockTime(now)}  ${type.padEnd(20)} ${meeting} #${sequence}  ${result}  ${outcome.durationMs} ms`
}

function clockTime(now: Date): string {
  return [now.getHours(), now.getMinutes(), now.getSeconds()]
    .map((part) => String(part).padStart(2, '0'))
    .join(':')
}
