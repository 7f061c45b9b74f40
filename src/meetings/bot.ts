import type { Coach } from '../coach/coach.ts'
import type { ModelCoach } from '../coach/model-coach.ts'
import type { Log } from '../log.ts'
import type { Person, Platform, Sighting, Visit } from '../platforms/platform.ts'
import {
  createSegmenter,
  type PartialSegment,
  type Said,
  type Segment,
} from './captions/segmenter.ts'
import { cleanText } from './captions/text.ts'
import { createVoiceCheck } from './captions/voice.ts'
import type { DocumentKeeper } from './document.ts'
import { leaveNow, nextLeaveAt, type Presence } from './leave.ts'
import type { LeaveRules } from './meeting.ts'
import type { Notes } from './notes.ts'
import { createRoster } from './roster.ts'
import type { Reason } from './status.ts'
import { HoldLost } from './store.ts'
import { watchVisit } from './watch.ts'
import type { Advise, MeetingWriter } from './writer.ts'

const FLUSH_MS = 5_000
const MAX_DETAIL_CHARS = 500
/** What shows that the page is the way into a meeting. */
const AT_THE_DOOR = new Set<Sighting['seen']>(['door', 'not started', 'lobby', 'admitted'])

export type BotParts = {
  platform: Platform
  visit: Visit
  rules: LeaveRules
  writer: MeetingWriter
  notes: Notes
  /** Null when nothing is to be saved. */
  document: DocumentKeeper | null
  /** Null when nobody wants insights. */
  coach: Coach | null
  /** Listens too, and speaks when it is ready. */
  modelCoach: ModelCoach | null
  /** Shows text that still evolves; what is final is taken back first. */
  screen: Screen
  /** What is stored already, when an earlier bot was there. */
  past: { segments: Segment[]; people: Person[]; hasSeenHumans: boolean; setOutAt: Date }
  now(): Date
  log: Log
}

export interface Screen {
  show(partials: readonly PartialSegment[]): void
  clear(captionIds: readonly string[]): void
}

/** How a visit came to its end. `handed over`: the meeting goes on, another bot will take it. */
export type Outcome = { kind: 'over'; reason: Reason; detail?: string } | { kind: 'handed over' }

/**
 * Attends one meeting: sightings in, statuses, segments, people and insights out. `stop` is the caller's
 * wish to leave, `release` the node's to let go of a meeting that goes on.
 */
export async function attendMeeting(
  parts: BotParts,
  stop: AbortSignal,
  release: AbortSignal,
): Promise<Outcome> {
  const { writer, rules, now, log, coach, screen } = parts
  const segmenter = createSegmenter({ selfNames: [parts.visit.displayName] })
  segmenter.resume(parts.past.segments, now().getTime())
  const roster = createRoster(parts.past.people)
  const presence = newPresence(parts)
  const isVoice = createVoiceCheck(parts.visit.displayName)
  let flushAt = Infinity

  const hear = listenWith(parts)
  const keep = async ({ segments, partials }: Said) => {
    if (segments.length > 0) {
      screen.clear(segments.map(({ captionId }) => captionId))
      const rows = await writer.segments(segments, now(), hear)
      parts.document?.add(rows)
      if (parts.document !== null) flushAt = Math.min(flushAt, now().getTime() + FLUSH_MS)
    }
    if (partials.length > 0) screen.show(partials)
  }
  const flush = async (at: Date) => {
    flushAt = Infinity
    try {
      await parts.document?.flush(at)
    } catch (error) {
      if (error instanceof HoldLost) throw error
      // A full disk, say. The segments are stored; the document follows when it can.
      log.warn({ err: error }, 'document not flushed')
      flushAt = at.getTime() + FLUSH_MS
    }
  }
  const see = async (sighting: Sighting): Promise<Outcome | null> => {
    const at = now()
    if (AT_THE_DOOR.has(sighting.seen)) presence.arrivedAt ??= at.getTime()
    switch (sighting.seen) {
      case 'door':
        return null
      case 'not started':
        presence.hostAwaitedSince ??= at.getTime()
        return null
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
        presence.hasHeardHumans ||= isVoice(sighting)
        await keep(segmenter.see(sighting, at.getTime()))
        return null
      case 'people': {
        const change = roster.see(sighting.people)
        presence.emptySince = change.humans > 0 ? null : (presence.emptySince ?? at.getTime())
        presence.hasSeenHumans ||= change.humans > 0
        if (change.joined.length > 0 || change.left.length > 0) await writer.people(change, at)
        coach?.people(change.names)
        return null
      }
      case 'captions lost':
        log.warn({ detail: sighting.detail }, 'captions lost')
        return null
      case 'captions back':
        log.info('captions back')
        return null
      case 'drift':
      case 'unidentified':
      case 'evidence':
        await parts.notes.keep(sighting, at)
        return null
      case 'over':
        return over(sighting.because, sighting.detail && cleanDetail(sighting.detail))
    }
  }
  const tick = async (): Promise<Outcome | null> => {
    const at = now()
    await keep(segmenter.tick(at.getTime()))
    const insights = coach?.tick(at.getTime()) ?? []
    if (insights.length > 0) await writer.insights(insights, 'rules', at)
    if (at.getTime() >= flushAt) await flush(at)
    const leave = leaveNow(presence, rules, at.getTime())
    return leave === null ? null : over(leave.reason, leave.detail)
  }
  const nextTickAt = () =>
    Math.min(
      segmenter.nextTickAt() ?? Infinity,
      coach?.nextTickAt() ?? Infinity,
      flushAt,
      nextLeaveAt(presence, rules),
    )

  let outcome: Outcome
  try {
    outcome = await watchVisit(parts, stop, release, { see, tick, nextTickAt })
  } catch (error) {
    if (error instanceof HoldLost) throw error
    log.error({ err: error }, 'visit failed')
    outcome = over('internal', 'Something went wrong inside the service')
  }
  // However it ended: what was heard by then was said.
  await keep(segmenter.flush(now().getTime()))
  return outcome
}

/** The rules speak at once; the model hears the same, and what the rules made of it. */
function listenWith({ coach, modelCoach, now }: BotParts): Advise {
  return (rows) => {
    const heard = rows.map((row) => ({ ...row, startedAt: row.startedAt.getTime() }))
    const said = coach?.hear(heard, now().getTime()) ?? []
    modelCoach?.hear(heard, said, now().getTime())
    return said
  }
}

function newPresence({ past, now }: BotParts): Presence {
  return {
    setOutAt: past.setOutAt.getTime(),
    visitedAt: now().getTime(),
    arrivedAt: null,
    hostAwaitedSince: null,
    lobbySince: null,
    liveSince: null,
    emptySince: null,
    hasSeenHumans: past.hasSeenHumans,
    hasHeardHumans: past.segments.length > 0,
    lastCaptionAt: null,
  }
}

/** A platform may quote what a page says. */
function cleanDetail(detail: string): string {
  return cleanText(detail.slice(0, MAX_DETAIL_CHARS))
}

export function over(reason: Reason, detail?: string): Outcome {
  return { kind: 'over', reason, ...(detail !== undefined && { detail }) }
}
