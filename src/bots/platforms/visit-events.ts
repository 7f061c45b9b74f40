import { createPushQueue, type PushQueue } from '../../lib/async/queues.ts'
import { createWakeableSleep } from '../../lib/async/wake-up.ts'
import type { Timers } from '../../lib/time/clock.ts'
import type { Log } from '../../log.ts'
import { createInternalErrorEnd, logUnexpectedError } from './page-session/page-errors.ts'
import type { SessionEnd } from './page-session/page-session.ts'
import type { PlatformEvent, PlatformName } from './platform.ts'

/** Attends a meeting and reports what happens with `emit`. Resolves when the visit ends, or after `signal` aborts. */
export type Attend = (emit: (event: PlatformEvent) => void, signal: AbortSignal) => Promise<void>

type OverEnd = SessionEnd & { kind: 'over' }

export type RejoinRules = {
  timers: Timers
  /** A session of this length resets the number of rejoins. */
  stableSessionMs: number
  /** True if the bot joins again after this many failed sessions in a row. */
  mayRejoin(failures: number): boolean
  /** The pause before the next session, after this many failed sessions in a row. */
  pauseMs(failures: number): number
  /** How the visit ends after too many failed sessions. `why` is the reason of the last one. */
  giveUp(why: string): OverEnd
}

/** If more events than this are waiting, only the newest text of each caption is kept. */
const MERGE_THRESHOLD = 200

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
  // Never rejects: an error ends the visit with an event, like every other end.
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

/** Runs one session after another until one of them ends the visit; null if the service asked the bot to leave. */
export async function runSessions(
  runSession: () => Promise<SessionEnd>,
  { timers, stableSessionMs, mayRejoin, pauseMs, giveUp }: RejoinRules,
  signal: AbortSignal,
): Promise<OverEnd | null> {
  const wakeUp = createWakeableSleep(timers)
  signal.addEventListener('abort', wakeUp.wake, { once: true })
  for (let failures = 0; !signal.aborted;) {
    const startedAt = timers.now()
    const end = await runSession()
    if (end.kind === 'left') return null
    if (end.kind === 'over') return end
    failures = timers.now() - startedAt >= stableSessionMs ? 1 : failures + 1
    if (!mayRejoin(failures)) return giveUp(end.why)
    if (!signal.aborted) await wakeUp.sleep(pauseMs(failures))
  }
  return null
}

export function toEndEvent({ because, detail }: OverEnd): PlatformEvent {
  return { kind: 'over', because, ...(detail !== undefined && { detail }) }
}

/** Buffers events until the reader takes them. Its size stays bounded in a long meeting with a slow reader. */
export function createEventBuffer(): PushQueue<PlatformEvent> {
  const outbox = createPushQueue<{ event: PlatformEvent }>()
  /** Waiting captions by caption id. */
  let waiting = new Map<string, { event: PlatformEvent }>()
  let count = 0
  return {
    push(event) {
      const id = event.kind === 'caption' ? event.captionId : null
      const older = id === null ? undefined : waiting.get(id)
      if (count >= MERGE_THRESHOLD && older !== undefined) {
        older.event = event
        return
      }
      const place = { event }
      if (id !== null) waiting.set(id, place)
      count += 1
      outbox.push(place)
    },
    *drain() {
      waiting = new Map()
      count = 0
      for (const { event } of outbox.drain()) yield event
    },
    whenNotEmpty: outbox.whenNotEmpty,
  }
}
