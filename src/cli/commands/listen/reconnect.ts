import { errorCode, messageOf } from '../../../lib/error-code.ts'
import type { ServerSentEvent } from '../../../lib/net/server-sent-events.ts'
import { createWakeUp } from '../../../lib/async/wake-up.ts'
import { RetryableError, openEventStream, type ListenRequest } from './event-stream.ts'

const BACKOFF_MS = [500, 1_000, 2_000, 5_000]
const MAX_BACKOFF_MS = 10_000

type Parts = {
  onMessage(message: ServerSentEvent): void
  /** Told when the connection is lost, or there is none. */
  note(text: string): void
}

/** Stays connected until the signal, and goes on where it was after every break. */
export async function followWithReconnect(
  asking: ListenRequest,
  signal: AbortSignal,
  { onMessage, note }: Parts,
): Promise<void> {
  const wakeUp = createWakeUp()
  signal.addEventListener('abort', wakeUp.wake, { once: true })
  let lastId = ''
  let failures = 0
  while (!signal.aborted) {
    let trouble = new RetryableError('The service ended the stream', 0)
    try {
      for await (const message of openEventStream(asking, lastId, signal)) {
        failures = 0
        lastId = message.id
        onMessage(message)
      }
    } catch (error) {
      if (signal.aborted) return
      trouble = toRetryableError(error, asking)
    }
    if (signal.aborted) return
    const waitMs = Math.max(trouble.waitMs, BACKOFF_MS[failures] ?? MAX_BACKOFF_MS)
    failures += 1
    note(`${trouble.message}; next try in ${waitMs / 1000} s`)
    await wakeUp.sleep(waitMs)
  }
}

/** Rethrows what another try will not mend. */
function toRetryableError(error: unknown, { service }: ListenRequest): RetryableError {
  if (error instanceof RetryableError) return error
  // That is how fetch reports whatever happens to a connection; the cause says what.
  if (!(error instanceof TypeError) || error.cause === undefined) throw error
  const why = errorCode(error.cause) || messageOf(error.cause)
  return new RetryableError(`No connection to ${service.origin} (${why})`, 0)
}
