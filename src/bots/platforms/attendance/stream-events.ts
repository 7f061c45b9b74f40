import { createWakeableSleep } from '../../../lib/async/wake-up.ts'
import type { Log } from '../../../log.ts'
import { createInternalErrorEnd, logUnexpectedError } from '../page-session/errors/page-errors.ts'
import { createEventBuffer } from '../page-session/reading/event-buffer.ts'
import type { PlatformEvent, PlatformName } from '../platform.ts'
import { toEndEvent } from './run-sessions.ts'

/** Attends a meeting and reports what happens with `emit`. Resolves when the visit is over, or after `signal` aborts. */
export type Attend = (emit: (event: PlatformEvent) => void, signal: AbortSignal) => Promise<void>

/** Yields the events of a visit. The visit ends when the reader stops reading. */
export async function* streamEvents(
  attend: Attend,
  { platform, log }: { platform: PlatformName; log: Log },
  signal: AbortSignal,
): AsyncGenerator<PlatformEvent, void, undefined> {
  const events = createEventBuffer()
  const newEvents = createWakeableSleep()
  const stopped = new AbortController()
  const attendance = { isOver: false }
  const emit = (event: PlatformEvent) => {
    events.push(event)
    newEvents.wake()
  }
  // Never rejects: an error ends the visit with an event, as every other end does.
  const running = attend(emit, AbortSignal.any([signal, stopped.signal]))
    .catch((error: unknown) => {
      logUnexpectedError(log, { platform, step: 'attend' }, error)
      emit(toEndEvent(createInternalErrorEnd()))
    })
    .finally(() => {
      attendance.isOver = true
      newEvents.wake()
    })
  try {
    while (!attendance.isOver) {
      yield* events.drain()
      // No Promise.race with `running` here: each round would add another handler to that promise and leak memory.
      await newEvents.sleep(Infinity)
    }
    yield* events.drain()
  } finally {
    stopped.abort()
    await running
  }
}
