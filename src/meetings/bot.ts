import type { Log } from '../log.ts'
import type { Person, Platform, Sighting, Visit } from '../platforms/platform.ts'
import { createSegmenter, type Said, type Segment } from './captions/segmenter.ts'
import type { DocumentKeeper } from './document.ts'
import { leaveNow, nextLeaveAt, type Leave, type Presence } from './leave.ts'
import type { LeaveRules } from './meeting.ts'
import { createRoster } from './roster.ts'
import type { Reason } from './status.ts'
import type { MeetingWriter } from './writer.ts'

const FLUSH_MS = 5_000

export type BotParts = {
  platform: Platform
  visit: Visit
  rules: LeaveRules
  writer: MeetingWriter
  /** Null when nothing is to be saved. */
  document: DocumentKeeper | null
  /** What is stored already, when an earlier bot was there. */
  past: { segments: Segment[]; people: Person[]; setOutAt: Date }
  now(): Date
  log: Log
}

/** How a visit came to its end. `handed over`: the meeting goes on, another bot will take it. */
export type Outcome = { kind: 'over'; reason: Reason; detail?: string } | { kind: 'handed over' }

/**
 * Attends one meeting: sightings in, statuses, segments and people out. `stop` is the caller's wish to
 * leave, `release` the node's to let go of a meeting that goes on.
 */
export async function attendMeeting(
  parts: BotParts,
  stop: AbortSignal,
  release: AbortSignal,
): Promise<Outcome> {
  const { writer, rules, now } = parts
  const segmenter = createSegmenter({ selfNames: [parts.visit.displayName] })
  segmenter.resume(parts.past.segments, now().getTime())
  const roster = createRoster(parts.past.people)
  const presence: Presence = {
    setOutAt: parts.past.setOutAt.getTime(),
    lobbySince: null,
    liveSince: null,
    emptySince: null,
    hasSeenHumans: parts.past.people.length > 0,
    lastCaptionAt: null,
  }
  let flushAt = Infinity

  const keep = async ({ segments }: Said) => {
    if (segments.length === 0) return
    await writer.segments(segments, now())
    if (parts.document !== null) flushAt = Math.min(flushAt, now().getTime() + FLUSH_MS)
  }
  const see = async (sighting: Sighting): Promise<Outcome | null> => {
    const at = now()
    switch (sighting.seen) {
      case 'lobby':
        presence.lobbySince ??= at.getTime()
        await writer.move({ to: 'lobby', at })
        return null
      case 'admitted':
        presence.liveSince ??= at.getTime()
        presence.emptySince ??= at.getTime()
        await writer.move({ to: 'live', at })
        return null
      case 'caption':
        // Before admission there is no meeting to hear; the page talks to itself.
        if (presence.liveSince === null) return null
        presence.lastCaptionAt = at.getTime()
        await keep(segmenter.see(sighting, at.getTime()))
        return null
      case 'people': {
        const change = roster.see(sighting.people)
        presence.emptySince = change.humans > 0 ? null : (presence.emptySince ?? at.getTime())
        presence.hasSeenHumans ||= change.humans > 0
        await writer.people(change, at)
        return null
      }
      case 'captions lost':
        parts.log.warn({ detail: sighting.detail }, 'captions lost')
        return null
      case 'captions back':
        parts.log.info('captions back')
        return null
      case 'over':
        return over(sighting.because, sighting.detail)
    }
  }
  const tick = async (): Promise<Leave | null> => {
    const at = now()
    await keep(segmenter.tick(at.getTime()))
    if (at.getTime() >= flushAt) {
      flushAt = Infinity
      await parts.document?.flush(at)
    }
    return leaveNow(presence, rules, at.getTime())
  }
  const nextTickAt = () =>
    Math.min(segmenter.nextTickAt() ?? Infinity, flushAt, nextLeaveAt(presence, rules))

  const outcome = await watch(parts, stop, release, { see, tick, nextTickAt })
  await keep(segmenter.flush(now().getTime()))
  return outcome
}

function over(reason: Reason, detail?: string): Outcome {
  return { kind: 'over', reason, ...(detail !== undefined && { detail }) }
}

type Steps = {
  see(sighting: Sighting): Promise<Outcome | null>
  tick(): Promise<Leave | null>
  nextTickAt(): number
}

/** Waits for whatever comes first: something seen, a time that has come, or the wish to go. */
async function watch(
  { platform, visit, now }: BotParts,
  stop: AbortSignal,
  release: AbortSignal,
  steps: Steps,
): Promise<Outcome> {
  const gone = new AbortController()
  const leaving = AbortSignal.any([stop, release, gone.signal])
  const left = new Promise<'left'>((resolve) => {
    leaving.addEventListener('abort', () => resolve('left'), { once: true })
  })
  const sightings = platform.attend(visit, leaving)[Symbol.asyncIterator]()
  let next = sightings.next()
  try {
    for (;;) {
      using clock = alarm(steps.nextTickAt() - now().getTime())
      const first = await Promise.race([next, clock.rung, left])
      if (stop.aborted) return over('stopped')
      if (release.aborted) return { kind: 'handed over' }
      if (first === 'left') throw new Error('a visit was left for no reason')
      if (first === 'rung') {
        const leave = await steps.tick()
        if (leave !== null) return over(leave.reason, leave.detail)
        continue
      }
      if (first.done) return over('internal', 'The platform ended the visit without a reason')
      const outcome = await steps.see(first.value)
      if (outcome !== null) return outcome
      next = sightings.next()
    }
  } finally {
    gone.abort()
    await sightings.return?.()
  }
}

const LONGEST_WAIT_MS = 60_000

function alarm(ms: number): Disposable & { rung: Promise<'rung'> } {
  let timer: NodeJS.Timeout | undefined
  const rung = new Promise<'rung'>((resolve) => {
    timer = setTimeout(() => resolve('rung'), Math.min(Math.max(ms, 0), LONGEST_WAIT_MS))
  })
  return { rung, [Symbol.dispose]: () => clearTimeout(timer) }
}
