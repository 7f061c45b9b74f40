import { systemTimers } from '../../lib/time/timers.ts'
import { createWakeUp } from '../../lib/async/wake-up.ts'
import type { Log } from '../../log.ts'
import type { Platform, PlatformEvent, JoinRequest } from '../../bots/platforms/platform.ts'
import type { BotOutcome } from './bot.ts'

/** What a bot does with what it sees and when a time has come; an outcome ends the visit. */
export type BotEventHandlers = {
  onPlatformEvent(sighting: PlatformEvent): Promise<BotOutcome | null>
  tick(): Promise<BotOutcome | null>
  /** Milliseconds; Infinity while there is nothing to wait for. */
  nextTickAt(): number
}

type Parts = { platform: Platform; joinRequest: JoinRequest; now(): Date; log: Log }

/** Sightings that may wait while the bot writes; beyond that the platform has to. */
const MAX_QUEUED_EVENTS = 256
/** A page that does not close by then is left to itself. */
const CLOSE_TIMEOUT_MS = 10_000
/** The clock may be set in between, so no sleep is longer. */
const MAX_SLEEP_MS = 60_000

/** Waits for whatever comes first: something seen, a time that has come, or the wish to go. */
export async function runBotEventLoop(
  { platform, joinRequest, now, log }: Parts,
  stop: AbortSignal,
  release: AbortSignal,
  steps: BotEventHandlers,
): Promise<BotOutcome> {
  const gone = new AbortController()
  const wakeUp = createWakeUp()
  for (const wish of [stop, release]) wish.addEventListener('abort', wakeUp.wake, { once: true })
  const leaving = AbortSignal.any([stop, release, gone.signal])
  const inbox = readAhead(platform.attend(joinRequest, leaving), wakeUp.wake)
  let isToldOver = false
  try {
    for (;;) {
      if (stop.aborted) return { kind: 'over', reason: 'stopped' }
      if (release.aborted) return { kind: 'released' }
      const sighting = inbox.take()
      const outcome = sighting === null ? null : await steps.onPlatformEvent(sighting)
      isToldOver = outcome !== null
      if (outcome !== null) return outcome
      const waitMs = steps.nextTickAt() - now().getTime()
      const due = waitMs <= 0 ? await steps.tick() : null
      if (due !== null) return due
      if (sighting !== null || waitMs <= 0) continue
      if (inbox.isOver()) return endedWithoutReason()
      await wakeUp.sleep(Math.min(waitMs, MAX_SLEEP_MS))
    }
  } finally {
    gone.abort()
    await closePlatform(inbox.close(), log)
    for (const sighting of inbox.leftovers(isToldOver)) await steps.onPlatformEvent(sighting)
  }
}

/** How a visit ended is known by now, whatever a page does while it is closed. */
async function closePlatform(closing: Promise<void>, log: Log): Promise<void> {
  const late = Promise.withResolvers<void>()
  const cancel = systemTimers.after(CLOSE_TIMEOUT_MS, () =>
    late.reject(new Error('not closed in time')),
  )
  try {
    await Promise.race([closing, late.promise])
  } catch (error) {
    log.warn({ err: error }, 'platform not left in order')
  } finally {
    cancel()
  }
}

function endedWithoutReason(): BotOutcome {
  const detail = 'The platform ended the visit without a reason'
  return { kind: 'over', reason: 'internal', detail }
}

type Failure = { error: unknown }

/** Reads a source on its own, so that nothing has to wait for two things at once. */
function readAhead(source: AsyncIterable<PlatformEvent>, onNews: () => void) {
  const iterator = source[Symbol.asyncIterator]()
  const waiting: PlatformEvent[] = []
  let room: (() => void) | null = null
  let failure: Failure | null = null
  let isOver = false
  let isAbandoned = false

  const read = async () => {
    for (;;) {
      const { done, value } = await iterator.next()
      if (done) return
      if (isAbandoned) return void (await iterator.return?.())
      waiting.push(value)
      onNews()
      if (waiting.length >= MAX_QUEUED_EVENTS && !isOver) {
        await new Promise<void>((resolve) => {
          room = resolve
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
      isOver = true
      onNews()
    })

  const next = (): PlatformEvent | null => {
    const sighting = waiting.shift() ?? null
    room?.()
    return sighting
  }
  return {
    take(): PlatformEvent | null {
      if (waiting.length === 0 && failure !== null) throw failure.error
      return next()
    },
    isOver: () => isOver && waiting.length === 0 && failure === null,
    /**
     * What was heard before we left was said, and what the page looked like counts however late it comes; the rest is
     * about a meeting that we are in. Of one that is over nothing more is heard.
     */
    leftovers(isMeetingOver: boolean): PlatformEvent[] {
      isAbandoned = true
      const kept = isMeetingOver ? ['evidence'] : ['evidence', 'caption']
      return waiting.filter(({ kind }) => kept.includes(kind))
    },
    /** The signal has been given: the source tells what it still has, and ends by itself. */
    async close() {
      isOver = true
      const known = failure
      room?.()
      const found: Failure | null = await reading
      if (found !== null && found !== known) throw found.error
    },
  }
}
