import { z } from 'zod'
import { errorCode } from '../../../lib/error-code.ts'

/** A callback as the service hands it out. */
export const ListenedCallback = z.object({
  deliveryId: z.string(),
  headers: z.record(z.string(), z.string()),
  body: z.string(),
  timeoutMs: z.number(),
  /** False: a copy, of which nobody wants to know what became. */
  isAnswerWanted: z.boolean(),
})
export type ListenedCallback = z.output<typeof ListenedCallback>

/** What became of it at the receiver. */
export type ListenerAnswer = {
  status: number | null
  error: string | null
  answer: string
  durationMs: number
}

/** Takes callbacks to the receiver. */
export interface Forwarder {
  forward(callback: ListenedCallback): void
  /** Resolves when nothing is under way or waits. */
  whenIdle(): Promise<void>
}

type Parts = {
  post(callback: ListenedCallback, signal: AbortSignal): Promise<ListenerAnswer>
  onDone(callback: ListenedCallback, outcome: ListenerAnswer): Promise<void>
  onFailure(error: unknown): void
}

/** An evolving caption that is under way. */
type PartialInFlight = { calling: AbortController; done: Promise<void> }

/**
 * What is not a copy comes one at a time for each meeting, as the service waits for the answer: it is posted
 * at once. Copies come as fast as they can, so those of one meeting queue here.
 */
export function createForwarder({ post, onDone, onFailure }: Parts): Forwarder {
  const underWay = new Set<Promise<void>>()
  const queues = new Map<string, Promise<void>>()
  const partials = new Map<string, PartialInFlight>()

  const run = async (
    callback: ListenedCallback,
    before: Promise<void> | undefined,
    signal: AbortSignal,
  ) => {
    try {
      await before
      const outcome = await post(callback, signal)
      if (!signal.aborted) await onDone(callback, outcome)
    } catch (error) {
      onFailure(error)
    }
  }
  /** The service waits for the next event only when it no longer waits for the caption before it. */
  const callOff = (meetingId: string) => {
    const partial = partials.get(meetingId)
    partial?.calling.abort()
    return partial?.done
  }
  return {
    forward(callback) {
      const { headers, isAnswerWanted } = callback
      const meetingId = headers['x-service-meeting-id'] ?? ''
      const calling = new AbortController()
      const before = isAnswerWanted ? callOff(meetingId) : queues.get(meetingId)
      const done = run(callback, before, calling.signal).finally(() => {
        underWay.delete(done)
        if (queues.get(meetingId) === done) queues.delete(meetingId)
        if (partials.get(meetingId)?.done === done) partials.delete(meetingId)
      })
      underWay.add(done)
      if (!isAnswerWanted) queues.set(meetingId, done)
      else if (headers['x-service-event'] === PARTIAL) partials.set(meetingId, { calling, done })
    },
    async whenIdle() {
      while (underWay.size > 0) await Promise.all(underWay)
    },
  }
}

const PARTIAL = 'caption_partial'
const MAX_ANSWER_BYTES = 2_048

/** The original headers and bytes, once. */
export async function postCallback(
  url: URL,
  callback: ListenedCallback,
  signal: AbortSignal,
): Promise<ListenerAnswer> {
  // Not above: other commands have no use for it.
  const { request } = await import('undici')
  const startedAt = performance.now()
  const took = () => Math.round(performance.now() - startedAt)
  let status: number | null = null
  try {
    const answer = await request(url, {
      method: 'POST',
      headers: callback.headers,
      body: Buffer.from(callback.body),
      signal: AbortSignal.any([signal, AbortSignal.timeout(callback.timeoutMs)]),
      // A receiver under development starts anew all the time: no connection is kept for later.
      reset: true,
    })
    status = answer.statusCode
    const text = await readBodyStart(answer.body)
    return { status, error: null, answer: text, durationMs: took() }
  } catch (error) {
    return { status, error: classifyPostError(error), answer: '', durationMs: took() }
  }
}

/** The rest is not read. */
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

/** In the words of the deliveries' log; the first that fits. */
const ERRORS_BY_PATTERN: ReadonlyArray<[pattern: RegExp, kind: string]> = [
  [/^(?:ETIMEDOUT|UND_ERR_\w+_TIMEOUT)$/, 'timeout'],
  [/^(?:ENOTFOUND|EAI_\w+)$/, 'dns_error'],
  [/^(?:ECONNRESET|ECONNABORTED|EPIPE|UND_ERR_SOCKET|UND_ERR_ABORTED)$/, 'connection_reset'],
  [/^(?:HPE_|UND_ERR_(?:HEADERS_OVERFLOW|RES_))/, 'bad_answer'],
  [/^(?:EPROTO$|ERR_(?:SSL|TLS|OSSL)_)/, 'tls_error'],
  [/^E[A-Z0-9]+$/, 'connection_refused'],
  // The words of OpenSSL for what is wrong with a certificate.
  [/^(?!(?:UND_)?ERR_)[A-Z][A-Z0-9_]+$/, 'tls_error'],
]

/** Rethrows what is no news about the receiver. */
function classifyPostError(error: unknown): string {
  if (error instanceof DOMException && error.name === 'TimeoutError') return 'timeout'
  if (error instanceof DOMException && error.name === 'AbortError') return 'connection_reset'
  const code = errorCode(error)
  const kind = ERRORS_BY_PATTERN.find(([pattern]) => pattern.test(code))?.[1]
  if (kind === undefined) throw error
  return kind
}
