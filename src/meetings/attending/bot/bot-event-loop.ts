import { runUntilDeadlineOrAbort } from '../../../lib/async/deadline.ts'
import { createWakeableSleep } from '../../../lib/async/wake-up.ts'
import type { Log } from '../../../log.ts'
import type { Platform, PlatformEvent, JoinRequest } from '../../../bots/platforms/platform.ts'
import { createMeetingOverOutcome, type BotOutcome } from './bot-outcome.ts'

/** What the bot does with platform events and due times. An outcome other than null ends the loop. */
export type BotEventHandlers = {
  onPlatformEvent(event: PlatformEvent): Promise<BotOutcome | null>
  /** `hasQueuedEvents`: more platform events wait to be handled, which may change pending captions. */
  tick(hasQueuedEvents: boolean): Promise<BotOutcome | null>
  /** When the loop must call `tick` next, in milliseconds since the epoch; Infinity when nothing is due. */
  nextTickAt(): number
}

type Parts = {
  platform: Platform
  joinRequest: JoinRequest
  /** How long the loop waits for the session of the platform to close. */
  platformCloseMs?: number | undefined
  /** Aborts when the service stops and may not wait for the platform any longer. */
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
  const queue = readAhead(platform.attend(joinRequest, leaving), wakeUp.wake)
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
      if (event !== null || waitMs <= 0) continue
      if (queue.hasEnded()) return endedWithoutReason()
      await wakeUp.sleep(Math.min(waitMs, MAX_SLEEP_MS))
    }
  } finally {
    loopEnd.abort()
    await closePlatform(queue.close(), parts)
    for (const event of queue.takeRest(hasPlatformEnded)) await handlers.onPlatformEvent(event)
  }
}

/**
 * Waits until the platform session is closed. The outcome of the bot is already decided, so a failure or a timeout is
 * only logged.
 */
async function closePlatform(
  closing: Promise<void>,
  { platformCloseMs: timeoutMs = PLATFORM_CLOSE_MS, graceOver = NEVER_OVER, log }: Parts,
): Promise<void> {
  const closed = closing.catch((error: unknown) =>
    log.warn({ err: error }, 'failed to close platform session'),
  )
  const { ended } = await runUntilDeadlineOrAbort(timeoutMs, graceOver, () => closed)
  if (ended !== 'done') log.warn({ timeoutMs }, 'platform session did not close in time')
}

function endedWithoutReason(): BotOutcome {
  return createMeetingOverOutcome('internal', 'The platform session ended without a reason')
}

type Failure = { error: unknown }

/**
 * `reading`: reads, and pauses while the queue is full. `closing`: reads what is left without pausing.
 * `abandoned`: drops the next event and stops reading. `ended`: the source has ended or failed.
 */
type ReadMode = 'reading' | 'closing' | 'abandoned' | 'ended'

/** Reads the platform's events into a queue, so that the loop can wait for events, due times and signals together. */
function readAhead(source: AsyncIterable<PlatformEvent>, onChange: () => void) {
  const iterator = source[Symbol.asyncIterator]()
  const queued: PlatformEvent[] = []
  let mode: ReadMode = 'reading'
  let resumeReading: (() => void) | null = null
  let failure: Failure | null = null
  let isFailureThrown = false

  const read = async () => {
    for (;;) {
      const { done, value } = await iterator.next()
      if (done) return
      if (mode === 'abandoned') return void (await iterator.return?.())
      queued.push(value)
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

  return {
    /** The next event, or null if none is queued. Throws the platform's failure after its last event. */
    take(): PlatformEvent | null {
      if (queued.length === 0 && failure !== null) {
        isFailureThrown = true
        throw failure.error
      }
      const event = queued.shift() ?? null
      resumeReading?.()
      return event
    },
    hasEvents: () => queued.length > 0,
    hasEnded: () => mode === 'ended' && queued.length === 0 && failure === null,
    /**
     * Stops reading and returns the queued events that still count: evidence always, captions and chat messages unless
     * the platform has reported the end of the meeting.
     */
    takeRest(hasPlatformEnded: boolean): PlatformEvent[] {
      if (mode !== 'ended') mode = 'abandoned'
      const relevant = hasPlatformEnded ? ['evidence'] : ['evidence', 'caption', 'chat']
      return queued.filter(({ kind }) => relevant.includes(kind))
    },
    /** Waits for the source to end after its signal was aborted. Throws a failure that `take` has not thrown. */
    async close() {
      if (mode !== 'ended') mode = 'closing'
      resumeReading?.()
      const found: Failure | null = await reading
      if (found !== null && !isFailureThrown) throw found.error
    },
  }
}
