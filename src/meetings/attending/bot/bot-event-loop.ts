import type { Platform, PlatformEvent, JoinRequest } from '../../../bots/platforms/platform.ts'
import { onAbort } from '../../../lib/async/abort.ts'
import { createWakeableSleep, type WakeableSleep } from '../../../lib/async/wake-up.ts'
import type { Log } from '../../../log.ts'
import type { EndReasonWithDetail } from '../../record/meeting-store.ts'

/** Handles platform events and due times. An outcome other than null ends the loop. */
export type BotEventHandlers = {
  onPlatformEvent(event: PlatformEvent): Promise<BotOutcome | null>
  /** `hasQueuedEvents`: more platform events are waiting, and they may change pending captions. */
  tick(hasQueuedEvents: boolean): Promise<BotOutcome | null>
  /** When the loop must call `tick` next, in milliseconds since the epoch; Infinity when nothing is due. */
  nextTickAt(): number
}

type Parts = {
  platform: Platform
  joinRequest: JoinRequest
  /** How long the loop waits for the platform's session to close, after its last report that it recognizes speech. */
  platformCloseMs?: number | undefined
  /** Aborts when the service is stopping and can no longer wait for the platform. */
  graceOver?: AbortSignal | undefined
  now(): Date
  log: Log
}

/** Platform events that are queued while the bot writes. Reading from the platform pauses while the queue is full. */
const MAX_QUEUED_EVENTS = 256
const PLATFORM_CLOSE_MS = 10_000
const NEVER_OVER = new AbortController().signal
/** The wall clock may be changed during a sleep, so due times are checked at least this often. */
const MAX_SLEEP_MS = 60_000

/** How a bot finished. `over`: the meeting ended for the bot. `released`: another bot continues the meeting. */
export type BotOutcome = ({ kind: 'over' } & EndReasonWithDetail) | { kind: 'released' }

/** Handles platform events and due times until there is an outcome, or until `stop` or `release` is aborted. */
export async function runBotEventLoop(
  parts: Parts,
  stop: AbortSignal,
  release: AbortSignal,
  handlers: BotEventHandlers,
): Promise<BotOutcome> {
  const { platform, joinRequest, now } = parts
  const loopEnd = new AbortController()
  const wakeUp = createWakeableSleep()
  for (const signal of [stop, release]) {
    signal.addEventListener('abort', wakeUp.wake, { once: true })
  }
  const leaving = AbortSignal.any([stop, release, loopEnd.signal])
  const queue = readAhead(platform.attend(joinRequest, leaving), wakeUp.wake, now)
  let hasPlatformEnded = false
  try {
    for (;;) {
      if (stop.aborted) return createMeetingOverOutcome('stopped')
      if (release.aborted) return { kind: 'released' }
      const event = queue.take()
      const outcome = event === null ? null : await handlers.onPlatformEvent(event)
      hasPlatformEnded = outcome !== null
      if (outcome !== null) return outcome
      const waitMs = handlers.nextTickAt() - now().getTime()
      const due = waitMs <= 0 ? await handlers.tick(queue.hasEvents()) : null
      if (due !== null) return due
      if (queue.hasEvents() || waitMs <= 0) continue
      if (queue.hasEnded()) return endedWithoutReason()
      await wakeUp.sleep(Math.min(waitMs, MAX_SLEEP_MS))
    }
  } finally {
    loopEnd.abort()
    await closePlatform(queue, wakeUp, parts, async (event) => {
      if (isRecordedAfterEnd(event, hasPlatformEnded)) await handlers.onPlatformEvent(event)
    })
  }
}

/**
 * True if an event is still recorded after the bot's outcome is decided. Evidence and lost speech always are; captions
 * and chat messages are unless the platform has reported the end of the meeting.
 */
function isRecordedAfterEnd({ kind }: PlatformEvent, hasPlatformEnded: boolean): boolean {
  if (kind === 'caption' || kind === 'chat') return !hasPlatformEnded
  return kind === 'evidence' || kind === 'speech lost' || kind === 'speech delay'
}

/**
 * Waits until the platform session is closed, and handles what it reports until then: a bot that has left may still be
 * recognizing what it heard. The outcome is already decided, so a failure or timeout is only logged.
 */
async function closePlatform(
  queue: ReadAheadQueue,
  wakeUp: WakeableSleep,
  { platformCloseMs = PLATFORM_CLOSE_MS, graceOver = NEVER_OVER, log }: Parts,
  handle: (event: PlatformEvent) => Promise<void>,
): Promise<void> {
  const closing = { isDone: false }
  void queue
    .close()
    .catch((error: unknown) => log.warn({ err: error }, 'failed to close platform session'))
    .finally(() => {
      closing.isDone = true
      wakeUp.wake()
    })
  using _ = { [Symbol.dispose]: onAbort(graceOver, wakeUp.wake) }
  let giveUpAt = performance.now() + platformCloseMs
  let failure: Failure | null = null
  for (;;) {
    for (let event = queue.takeNext(); event !== null; event = queue.takeNext()) {
      if (event.kind === 'speech delay' && event.behindMs > 0)
        giveUpAt = performance.now() + platformCloseMs
      // After a failure, the loop still waits until the platform has left the meeting.
      if (failure === null) await handle(event).catch((error: unknown) => (failure = { error }))
    }
    if (closing.isDone && !queue.hasEvents()) break
    const waitMs = giveUpAt - performance.now()
    if (graceOver.aborted || waitMs <= 0) {
      queue.abandon()
      log.warn({ platformCloseMs }, 'platform session did not close in time')
      break
    }
    await wakeUp.sleep(waitMs)
  }
  throwIfFailed(failure)
}

function throwIfFailed(failure: Failure | null): void {
  if (failure !== null) throw failure.error
}

function endedWithoutReason(): BotOutcome {
  return createMeetingOverOutcome('internal', 'The platform session ended without a reason')
}

type Failure = { error: unknown }

/**
 * `reading`: reads, and pauses while the queue is full. `closing`: reads the remaining events without pausing.
 * `abandoned`: drops the next event and stops reading. `ended`: the source has ended or failed.
 */
type ReadMode = 'reading' | 'closing' | 'abandoned' | 'ended'

type ReadAheadQueue = ReturnType<typeof readAhead>

/** Reads the platform's events into a queue, so that the loop can wait for events, due times and signals together. */
function readAhead(source: AsyncIterable<PlatformEvent>, onChange: () => void, now: () => Date) {
  const iterator = source[Symbol.asyncIterator]()
  const queued: Array<{ event: PlatformEvent; at: number }> = []
  let mode: ReadMode = 'reading'
  let resumeReading: (() => void) | null = null
  let failure: Failure | null = null
  let isFailureThrown = false

  const read = async () => {
    for (;;) {
      const { done, value } = await iterator.next()
      if (done) return
      if (mode === 'abandoned') return void (await iterator.return?.())
      queued.push({ event: value, at: now().getTime() })
      onChange()
      if (queued.length >= MAX_QUEUED_EVENTS && mode === 'reading') {
        await new Promise<void>((resolve) => {
          resumeReading = resolve
        })
      }
    }
  }
  const reading = read()
    .then(
      () => null,
      (error: unknown) => (failure = { error }),
    )
    .finally(() => {
      mode = 'ended'
      onChange()
    })

  const takeNext = (): PlatformEvent | null => {
    const next = queued.shift()
    return next === undefined ? null : addAge(next.event, Math.max(0, now().getTime() - next.at))
  }

  return {
    /** The next event, or null if none is queued. Throws the platform's failure after its last event. */
    take(): PlatformEvent | null {
      if (queued.length === 0 && failure !== null) {
        isFailureThrown = true
        throw failure.error
      }
      const event = takeNext()
      resumeReading?.()
      return event
    },
    hasEvents: () => queued.length > 0,
    hasEnded: () => mode === 'ended' && queued.length === 0 && failure === null,
    /** The next event or null. For use while the source is closing. */
    takeNext,
    abandon() {
      if (mode !== 'ended') mode = 'abandoned'
    },
    /** Waits for the source to end after its signal was aborted. Throws the failure if `take` has not thrown it. */
    async close() {
      if (mode !== 'ended') mode = 'closing'
      resumeReading?.()
      const found: Failure | null = await reading
      if (found !== null && !isFailureThrown) throw found.error
    },
  }
}

/** Corrects the times in an event that say how long ago something happened, by the time it waited in the queue. */
function addAge(event: PlatformEvent, ms: number): PlatformEvent {
  if (ms === 0) return event
  const { kind } = event
  if (kind === 'caption' && event.late !== undefined) {
    const { startedMs, changedMs } = event.late
    return { ...event, late: { startedMs: startedMs + ms, changedMs: changedMs + ms } }
  }
  if (kind === 'speech lost')
    return { ...event, startedMs: event.startedMs + ms, endedMs: event.endedMs + ms }
  if (kind === 'captions lost' || kind === 'captions back' || kind === 'call lost')
    return { ...event, sinceMs: (event.sinceMs ?? 0) + ms }
  return event
}

export function createMeetingOverOutcome(
  reason: EndReasonWithDetail['reason'],
  detail?: string,
): BotOutcome {
  return { kind: 'over', reason, ...(detail !== undefined && { detail }) }
}
