import type { Coach } from '../../coach/coach.ts'
import type { ModelCoach } from '../../coach/model-coach.ts'
import type { Log } from '../../log.ts'
import type {
  Participant,
  Platform,
  PlatformEvent,
  JoinRequest,
} from '../../bots/platforms/platform.ts'
import {
  createSegmenter,
  type PartialSegment,
  type SegmenterOutput,
  type Segment,
} from '../captions/segmenter.ts'
import { cleanText } from '../sanitize/text.ts'
import { createHumanSpeechCheck } from './human-speech.ts'
import type { TranscriptDocument } from '../record/transcript-document.ts'
import { findDueLeave, nextLeaveAt, type AttendanceState } from './leave-rules.ts'
import type { LeaveRules } from '../meeting.ts'
import type { MeetingDiagnostics } from './diagnostics.ts'
import { createRoster } from './roster.ts'
import type { EndReason } from '../status.ts'
import { LeaseLost } from '../store.ts'
import { runBotEventLoop } from './bot-event-loop.ts'
import type { FindInsights, MeetingWriter } from '../record/meeting-writer.ts'

const DOCUMENT_FLUSH_MS = 5_000
const MAX_DETAIL_CHARS = 500
/** What shows that the page is the way into a meeting. */
const JOIN_PAGE_EVENTS = new Set<PlatformEvent['kind']>([
  'door',
  'not started',
  'lobby',
  'admitted',
])

export type BotParts = {
  platform: Platform
  joinRequest: JoinRequest
  leaveRules: LeaveRules
  writer: MeetingWriter
  diagnostics: MeetingDiagnostics
  /** Null when nothing is to be saved. */
  document: TranscriptDocument | null
  /** Null when nobody wants insights. */
  coach: Coach | null
  /** Listens too, and speaks when it is ready. */
  modelCoach: ModelCoach | null
  /** Shows text that still evolves; what is final is taken back first. */
  partialPublisher: PartialPublisher
  /** What is stored already, when an earlier bot was there. */
  resumeState: {
    segments: Segment[]
    people: Participant[]
    hasHadHumanParticipants: boolean
    meetingStartedAt: Date
  }
  now(): Date
  log: Log
}

export interface PartialPublisher {
  publish(partials: readonly PartialSegment[]): void
  discard(captionIds: readonly string[]): void
}

/** How a visit came to its end. `released`: the meeting goes on, another bot will take it. */
export type BotOutcome = { kind: 'over'; reason: EndReason; detail?: string } | { kind: 'released' }

/**
 * Attends one meeting: sightings in, statuses, segments, people and insights out. `stop` is the caller's
 * wish to leave, `release` the node's to let go of a meeting that goes on.
 */
export async function runBot(
  parts: BotParts,
  stop: AbortSignal,
  release: AbortSignal,
): Promise<BotOutcome> {
  const { writer, leaveRules, now, log, coach, partialPublisher } = parts
  const segmenter = createSegmenter({ selfNames: [parts.joinRequest.displayName] })
  segmenter.resume(parts.resumeState.segments, now().getTime())
  const roster = createRoster(parts.resumeState.people)
  const presence = initialAttendanceState(parts)
  const isVoice = createHumanSpeechCheck(parts.joinRequest.displayName)
  let flushAt = Infinity

  const hear = createInsightFinder(parts)
  const keep = async ({ segments, partials }: SegmenterOutput) => {
    if (segments.length > 0) {
      partialPublisher.discard(segments.map(({ captionId }) => captionId))
      const rows = await writer.writeSegments(segments, now(), hear)
      parts.document?.addSegments(rows)
      if (parts.document !== null) flushAt = Math.min(flushAt, now().getTime() + DOCUMENT_FLUSH_MS)
    }
    if (partials.length > 0) partialPublisher.publish(partials)
  }
  const flush = async (at: Date) => {
    flushAt = Infinity
    try {
      await parts.document?.flush(at)
    } catch (error) {
      if (error instanceof LeaseLost) throw error
      // A full disk, say. The segments are stored; the document follows when it can.
      log.warn({ err: error }, 'document not flushed')
      flushAt = at.getTime() + DOCUMENT_FLUSH_MS
    }
  }
  const see = async (sighting: PlatformEvent): Promise<BotOutcome | null> => {
    const at = now()
    if (JOIN_PAGE_EVENTS.has(sighting.kind)) presence.joinPageSeenAt ??= at.getTime()
    switch (sighting.kind) {
      case 'door':
        return null
      case 'not started':
        presence.waitingForHostSince ??= at.getTime()
        return null
      case 'lobby':
        presence.lobbySince ??= at.getTime()
        await writer.changeStatus({ to: 'lobby', at })
        return null
      case 'admitted':
        presence.liveSince ??= at.getTime()
        presence.emptySince ??= at.getTime()
        await writer.changeStatus({ to: 'live', at })
        return null
      case 'caption':
        // Before admission there is no meeting to hear; the page talks to itself.
        if (presence.liveSince === null) return null
        presence.lastCaptionAt = at.getTime()
        presence.hasHadHumanSpeech ||= isVoice(sighting)
        await keep(segmenter.addCaption(sighting, at.getTime()))
        return null
      case 'people': {
        const change = roster.update(sighting.people)
        presence.emptySince = change.humanCount > 0 ? null : (presence.emptySince ?? at.getTime())
        presence.hasHadHumanParticipants ||= change.humanCount > 0
        if (change.joined.length > 0 || change.left.length > 0)
          await writer.writeParticipants(change, at)
        coach?.setParticipants(change.humanNames)
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
        await parts.diagnostics.record(sighting, at)
        return null
      case 'over':
        return meetingOver(sighting.because, sighting.detail && cleanDetail(sighting.detail))
    }
  }
  const tick = async (): Promise<BotOutcome | null> => {
    const at = now()
    await keep(segmenter.tick(at.getTime()))
    const insights = coach?.tick(at.getTime()) ?? []
    if (insights.length > 0) await writer.writeInsights(insights, 'rules', at)
    if (at.getTime() >= flushAt) await flush(at)
    const leave = findDueLeave(presence, leaveRules, at.getTime())
    return leave === null ? null : meetingOver(leave.reason, leave.detail)
  }
  const nextTickAt = () =>
    Math.min(
      segmenter.nextTickAt() ?? Infinity,
      coach?.nextTickAt() ?? Infinity,
      flushAt,
      nextLeaveAt(presence, leaveRules),
    )

  let outcome: BotOutcome
  try {
    outcome = await runBotEventLoop(parts, stop, release, {
      onPlatformEvent: see,
      tick,
      nextTickAt,
    })
  } catch (error) {
    if (error instanceof LeaseLost) throw error
    log.error({ err: error }, 'visit failed')
    outcome = meetingOver('internal', 'Something went wrong inside the service')
  }
  // However it ended: what was heard by then was said.
  await keep(segmenter.flush(now().getTime()))
  return outcome
}

/** The rules speak at once; the model hears the same, and what the rules made of it. */
function createInsightFinder({ coach, modelCoach, now }: BotParts): FindInsights {
  return (rows) => {
    const heard = rows.map((row) => ({ ...row, startedAt: row.startedAt.getTime() }))
    const said = coach?.addSegments(heard, now().getTime()) ?? []
    modelCoach?.addSegments(heard, said, now().getTime())
    return said
  }
}

function initialAttendanceState({ resumeState, now }: BotParts): AttendanceState {
  return {
    meetingStartedAt: resumeState.meetingStartedAt.getTime(),
    botStartedAt: now().getTime(),
    joinPageSeenAt: null,
    waitingForHostSince: null,
    lobbySince: null,
    liveSince: null,
    emptySince: null,
    hasHadHumanParticipants: resumeState.hasHadHumanParticipants,
    hasHadHumanSpeech: resumeState.segments.length > 0,
    lastCaptionAt: null,
  }
}

/** A platform may quote what a page says. */
function cleanDetail(detail: string): string {
  return cleanText(detail.slice(0, MAX_DETAIL_CHARS))
}

export function meetingOver(reason: EndReason, detail?: string): BotOutcome {
  return { kind: 'over', reason, ...(detail !== undefined && { detail }) }
}
