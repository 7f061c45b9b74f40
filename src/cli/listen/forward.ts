import { request } from 'undici'
import { z } from 'zod'
import { errorCode } from '../../lib/error-code.ts'

/** A callback as the service hands it out. */
export const Callback = z.object({
  deliveryId: z.string(),
  headers: z.record(z.string(), z.string()),
  body: z.string(),
  timeoutMs: z.number(),
  /** False: a copy, of which nobody wants to know what became. */
  isAnswerWanted: z.boolean(),
})
export type Callback = z.output<typeof Callback>

/** What became of it at the receiver. */
export type Outcome = {
  status: number | null
  error: string | null
  answer: string
  durationMs: number
}

/** Takes callbacks to the receiver. */
export interface Forwarder {
  take(callback: Callback): void
  /** Resolves when nothing is under way or waits. */
  idle(): Promise<void>
}

type Parts = {
  post(callback: Callback): Promise<Outcome>
  onDone(callback: Callback, outcome: Outcome): Promise<void>
  onFailure(error: unknown): void
}

/**
 * What is not a copy comes one at a time for each meeting, as the service waits for the answer: it is posted
 * at once. Copies come as fast as they can, so those of one meeting queue here.
 */
export function createForwarder({ post, onDone, onFailure }: Parts): Forwarder {
  const underWay = new Set<Promise<void>>()
  const queues = new Map<string, Promise<void>>()

  const run = async (callback: Callback, before: Promise<void> | undefined) => {
    try {
      await before
      await onDone(callback, await post(callback))
    } catch (error) {
      onFailure(error)
    }
  }
  return {
    take(callback) {
      const queue = callback.isAnswerWanted ? null : (callback.headers['x-service-meeting-id'] ?? '')
      const running = run(callback, queue === null ? undefined : queues.get(queue))
      const done = running.finally(() => {
        underWay.delete(done)
        if (queue !== null && queues.get(queue) === done) queues.delete(queue)
      })
      underWay.add(done)
      if (queue !== null) queues.set(queue, done)
    },
    async idle() {
      while (underWay.size > 0) await Promise.all(underWay)
    },
  }
}

const MAX_ANSWER_BYTES = 2_048

/** The original headers and bytes, once. */
export async function postTo(url: URL, callback: Callback): Promise<Outcome> {
  const startedAt = performance.now()
  const took = () => Math.round(performance.now() - startedAt)
  let status: number | null = null
  try {
    const answer = await request(url, {
      method: 'POST',
      headers: callback.headers,
      body: Buffer.from(callback.body),
      signal: AbortSignal.timeout(callback.timeoutMs),
      // A receiver under development starts anew all the time: no connection is kept for later.
      reset: true,
    })
    status = answer.statusCode
    const text = await startOf(answer.body)
    return { status, error: null, answer: text, durationMs: took() }
  } catch (error) {
    return { status, error: kindOf(error), answer: '', durationMs: took() }
  }
}

/** The rest is not read. */
async function startOf(body: AsyncIterable<Uint8Array>): Promise<string> {
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
const KINDS: ReadonlyArray<[pattern: RegExp, kind: string]> = [
  [/^(?:ETIMEDOUT|UND_ERR_\w+_TIMEOUT)$/, 'timeout'],
  [/^(?:ENOTFOUND|EAI_\w+)$/, 'dns_error'],
  [/^(?:ECONNRESET|ECONNABORTED|EPIPE|UND_ERR_SOCKET)$/, 'connection_reset'],
  [/^(?:HPE_|UND_ERR_(?:HEADERS_OVERFLOW|RES_))/, 'bad_answer'],
  [/^(?:EPROTO$|ERR_(?:SSL|TLS|OSSL)_)/, 'tls_error'],
  [/^E[A-Z0-9]+$/, 'connection_refused'],
  // The words of OpenSSL for what is wrong with a certificate.
  [/^(?!(?:UND_)?ERR_)[A-Z][A-Z0-9_]+$/, 'tls_error'],
]

/** Rethrows what is no news about the receiver. */
function kindOf(error: unknown): string {
  if (error instanceof DOMException && error.name === 'TimeoutError') return 'timeout'
  const code = errorCode(error)
  const kind = KINDS.find(([pattern]) => pattern.test(code))?.[1]
  if (kind === undefined) throw error
  return kind
}
