import { errorCode, errorMessageOf } from '../../../lib/error-code.ts'
import type { ServerSentEvent } from '../../../lib/net/server-sent-events.ts'
import { createWakeableSleep } from '../../../lib/async/wake-up.ts'
import { RetryableError, openEventStream, type ListenRequest } from './event-stream.ts'

const BACKOFF_MS = [500, 1_000, 2_000, 5_000]
const MAX_BACKOFF_MS = 10_000

type Parts = {
  onMessage(message: ServerSentEvent): void
  /** Prints a message when the connection is lost or cannot be opened. */
  printNote(text: string): void
}

/**
 * Reads the event stream of the service until the signal aborts. After a lost connection it reconnects and continues
 * after the last message that it received.
 */
export async function followEventStream(
  request: ListenRequest,
  signal: AbortSignal,
  { onMessage, printNote }: Parts,
): Promise<void> {
  const wakeUp = createWakeableSleep()
  signal.addEventListener('abort', wakeUp.wake, { once: true })
  let lastId = ''
  let failures = 0
  while (!signal.aborted) {
    let problem = new RetryableError('The service ended the stream', 0)
    try {
      for await (const message of openEventStream(request, lastId, signal)) {
        failures = 0
        lastId = message.id
        onMessage(message)
      }
    } catch (error) {
      if (signal.aborted) return
      problem = toRetryableError(error, request)
    }
    if (signal.aborted) return
    const waitMs = Math.max(problem.waitMs, BACKOFF_MS[failures] ?? MAX_BACKOFF_MS)
    failures += 1
    printNote(`${problem.message}; retrying in ${waitMs / 1000} s`)
    await wakeUp.sleep(waitMs)
  }
}

/** Rethrows errors that a retry would not fix. */
function toRetryableError(error: unknown, { service }: ListenRequest): RetryableError {
  if (error instanceof RetryableError) return error
  // fetch reports connection failures as a TypeError with the reason in `cause`.
  if (!(error instanceof TypeError) || error.cause === undefined) throw error
  const why = errorCode(error.cause) || errorMessageOf(error.cause)
  return new RetryableError(`No connection to ${service.origin} (${why})`, 0)
}
