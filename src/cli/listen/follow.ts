import { errorCode, messageOf } from '../../lib/error-code.ts'
import type { ServerSentEvent } from '../../lib/server-sent-events.ts'
import { createWakeUp } from '../../lib/wake-up.ts'
import { NotNowError, readStream, type Asking } from './connection.ts'

const PAUSES_MS = [500, 1_000, 2_000, 5_000]
const LONGEST_PAUSE_MS = 10_000

type Parts = {
  onMessage(message: ServerSentEvent): void
  /** Told when the connection is lost, or there is none. */
  note(text: string): void
}

/** Stays connected until the signal, and goes on where it was after every break. */
export async function follow(
  asking: Asking,
  signal: AbortSignal,
  { onMessage, note }: Parts,
): Promise<void> {
  const wakeUp = createWakeUp()
  signal.addEventListener('abort', wakeUp.wake, { once: true })
  let lastId = ''
  let failures = 0
  while (!signal.aborted) {
    let trouble = new NotNowError('The service ended the stream', 0)
    try {
      for await (const message of readStream(asking, lastId, signal)) {
        failures = 0
        lastId = message.id
        onMessage(message)
      }
    } catch (error) {
      if (signal.aborted) return
      trouble = passing(error, asking)
    }
    if (signal.aborted) return
    const waitMs = Math.max(trouble.waitMs, PAUSES_MS[failures] ?? LONGEST_PAUSE_MS)
    failures += 1
    note(`${trouble.message}; next try in ${waitMs / 1000} s`)
    await wakeUp.sleep(waitMs)
  }
}

/** Rethrows what another try will not mend. */
function passing(error: unknown, { service }: Asking): NotNowError {
  if (error instanceof NotNowError) return error
  // That is how fetch reports whatever happens to a connection; the cause says what.
  if (!(error instanceof TypeError) || error.cause === undefined) throw error
  const why = errorCode(error.cause) || messageOf(error.cause)
  return new NotNowError(`No connection to ${service.origin} (${why})`, 0)
}
