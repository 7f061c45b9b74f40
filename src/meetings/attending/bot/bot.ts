import type {
  Caption,
  JoinRequest,
  Participant,
  Platform,
  PlatformEvent,
} from '../../../bots/platforms/platform.ts'
import type { Coach } from '../../../coach/coach.ts'
import type { ModelCoach } from '../../../coach/model-coach.ts'
import { cleanText } from '../../../language/clean-text.ts'
import type { Log } from '../../../log.ts'
import type { SpeechCorrector } from '../../captions/corrected-speech.ts'
import { createSegmenter, type Segmenter } from '../../captions/segmenter.ts'
import type { SegmenterOutput } from '../../captions/turns/segments.ts'
import { type MeetingChat, createChatHandler } from '../../chat/meeting-chat.ts'
import type { LeaveRules } from '../../meeting.ts'
import { LeaseLost, type SegmentRow } from '../../record/meeting-store.ts'
import type { InsightFinder, MeetingWriter } from '../../record/meeting-writer.ts'
import type { TranscriptDocumentWriter } from '../../record/transcript-document.ts'
import type { MeetingDiagnosticsRecorder } from '../diagnostics.ts'
import { createHumanSpeechCheck, createRosterTracker } from '../participants.ts'
import type { ResumeState } from '../resume-state.ts'
import {
  runBotEventLoop,
  type BotEventHandlers,
  createMeetingOverOutcome,
  type BotOutcome,
} from './bot-event-loop.ts'
import { changeTimeOf, createGapRecorder, type GapRecorder } from './gap-recorder.ts'
import {
  createLeaveCheck,
  type AttendanceState,
  type LeaveCheck,
  type LeaveDecision,
} from './leave-rules.ts'
import type { PartialCaptionPublisher } from './partial-publisher.ts'

const DOCUMENT_FLUSH_MS = 5_000
const MAX_DETAIL_CHARS = 500
/**
 * How long unchanged captions wait before they become final. During a stall the wait is limited, because the page may
 * never recover. After a stall the page first delivers the captions from that time.
 */
const STALL_HOLD_MS = { 'page stalled': 15_000, 'page resumed': 1_000 }
/**
 * How long due text waits while events that may change it are queued. A bot that never catches up must still make text
 * final.
 */
const MAX_BEHIND_MS = 5_000
/** Reported for speech that was not recognized before the bot had to end. Its gap has the times. */
const UNRECOGNIZED_REST = {
  kind: 'speech lost',
  detail: 'The last speech of the meeting was not recognized, because the bot had to end before.',
  startedMs: 0,
  endedMs: 0,
} as const
/** Events that prove that the page is the join page of a meeting. */
const JOIN_PAGE_EVENTS = new Set<PlatformEvent['kind']>([
  'way in',
  'not started',
  'lobby',
  'admitted',
])

export type BotParts = {
  platform: Platform
  joinRequest: JoinRequest
  leaveRules: LeaveRules
  /** Seconds that the platform's page may take to offer a way into the meeting. */
  joinTimeout: number
  platformCloseMs?: number | undefined
  graceOver?: AbortSignal | undefined
  writer: MeetingWriter
  diagnostics: MeetingDiagnosticsRecorder
  /** Null when the transcript is not saved as a document. */
  document: TranscriptDocumentWriter | null
  /** Null when the meeting was started without the coach. */
  coach: Coach | null
  /** Null without a coach or a language model. The model's insights are written when it answers. */
  modelCoach: ModelCoach | null
  partialPublisher: PartialCaptionPublisher
  /** Absent when the bot does not use the meeting chat. */
  chat?: MeetingChat
  resumeState: Omit<ResumeState, 'coach'>
  speechCorrector: SpeechCorrector
  now(): Date
  log: Log
}

/**
 * Attends one meeting: turns platform events into statuses, segments, participants and insights. Aborting `stop`
 * ends the meeting for the bot; aborting `release` leaves the meeting to another node.
 */
export async function runBot(
  parts: BotParts,
  stop: AbortSignal,
  release: AbortSignal,
): Promise<BotOutcome> {
  const { writer, now, coach, partialPublisher } = parts
  const segmenter = createSegmenter({ selfNames: [parts.joinRequest.displayName] })
  segmenter.resume(parts.resumeState.segments, now().getTime())
  const attendance = initialAttendanceState(parts)
  const updateRoster = createRosterUpdater(parts, attendance)
  const leaveCheck = createLeaveCheckOf(parts)
  const isHumanSpeech = createHumanSpeechCheck(parts.joinRequest.displayName)
  const document = createDocumentFlusher(parts)
  const findInsights = createInsightFinder(parts)

  const writeOutput = async ({ segments, partials }: SegmenterOutput) => {
    if (gapRecorder.isPaused()) return
    if (segments.length > 0) {
      partialPublisher.discard(segments.map(({ captionId }) => captionId))
      document.addSegments(await writer.writeSegments(segments, now(), findInsights))
    }
    if (partials.length > 0) partialPublisher.publish(partials)
  }
  const mayFinalize = createFinalizationCheck(segmenter)
  const finalizeCaptions = () => writeOutput(segmenter.flush(now().getTime()))
  const gapRecorder = createGapRecorder({ ...parts, attendance, release, finalizeCaptions })
  const handleChat = createChatHandler(parts, gapRecorder)
  const onPlatformEvent = async (event: PlatformEvent): Promise<BotOutcome | null> => {
    const at = now()
    if (JOIN_PAGE_EVENTS.has(event.kind)) attendance.joinPageSeenAt ??= at.getTime()
    switch (event.kind) {
      case 'way in':
        return null
      case 'not started':
        return noteNotStarted(attendance, event, at)
      case 'lobby':
        attendance.lobbySince ??= at.getTime()
        await writer.changeStatus({ to: 'lobby', at })
        return null
      case 'admitted':
        attendance.liveSince ??= at.getTime()
        attendance.emptySince ??= at.getTime()
        await writer.changeStatus({ to: 'live', at })
        parts.chat?.handleAdmission()
        return null
      case 'caption':
        // Captions from before the admission are text of the join page, not speech.
        if (attendance.liveSince === null) return null
        noteCaptionTime(attendance, changeTimeOf(event, at))
        attendance.hasHadHumanSpeech ||= isHumanSpeech(event)
        await gapRecorder.captionReceived(event, at)
        await writeOutput(addCaption(parts, segmenter, mayFinalize, gapRecorder, event, at))
        return null
      case 'people':
        await updateRoster(event.people, at)
        return null
      case 'page stalled':
      case 'page resumed':
        segmenter.hold(at.getTime(), STALL_HOLD_MS[event.kind])
        return null
      case 'captions lost':
      case 'captions back':
      case 'call lost':
        await gapRecorder.handle(event, at)
        return null
      case 'chat':
        return handleChat(event.messages, at)
      case 'speech lost':
      case 'speech delay':
        await gapRecorder.handleSpeech(event, at)
        await parts.diagnostics.record(event, at)
        return null
      case 'chat unavailable':
      case 'drift':
      case 'unidentified':
      case 'caption problem':
      case 'evidence':
        await parts.diagnostics.record(event, at)
        return null
      case 'over':
        return createPlatformEndOutcome(event, attendance)
    }
  }
  const tick = async (hasQueuedEvents: boolean): Promise<BotOutcome | null> => {
    const at = now()
    if (mayFinalize(at.getTime(), hasQueuedEvents)) await writeOutput(segmenter.tick(at.getTime()))
    const insights = coach?.tick(at.getTime()) ?? []
    if (insights.length > 0) await writer.writeInsights(insights, 'rules', at)
    if (at.getTime() >= document.nextFlushAt()) await document.flush(at)
    if (at.getTime() >= (parts.chat?.nextFlushAt() ?? Infinity)) await parts.chat?.flush()
    const leave = leaveCheck.findDue(attendance, at.getTime(), hasQueuedEvents)
    return leave === null ? null : toLeaveOutcome(leave, attendance)
  }
  const nextTickAt = () =>
    Math.min(
      segmenter.nextTickAt() ?? Infinity,
      coach?.nextTickAt() ?? Infinity,
      document.nextFlushAt(),
      parts.chat?.nextFlushAt() ?? Infinity,
      leaveCheck.nextTime(attendance),
    )

  const outcome = await runLoop(parts, stop, release, { onPlatformEvent, tick, nextTickAt })
  // Turns the captions received before the end into segments, even if the bot failed.
  await finalizeCaptions()
  await parts.chat?.flush()
  if (outcome.kind === 'released') await gapRecorder.recordRelease()
  else if (await gapRecorder.recordUnrecognized())
    await parts.diagnostics.record(UNRECOGNIZED_REST, now())
  return outcome
}

/** Runs the event loop of the bot. An unexpected error ends the meeting as `internal`. */
async function runLoop(
  parts: BotParts,
  stop: AbortSignal,
  release: AbortSignal,
  handlers: BotEventHandlers,
): Promise<BotOutcome> {
  try {
    return await runBotEventLoop(parts, stop, release, handlers)
  } catch (error) {
    return toFailedOutcome(error, parts.log)
  }
}

/** The outcome of a bot that failed. A lost lease is thrown on, because another node has the meeting. */
export function toFailedOutcome(error: unknown, log: Log): BotOutcome {
  if (error instanceof LeaseLost) throw error
  log.error({ err: error }, 'failed to attend meeting')
  return createMeetingOverOutcome('internal', 'Something went wrong inside the service')
}

function noteNotStarted(
  attendance: AttendanceState,
  event: Extract<PlatformEvent, { kind: 'not started' }>,
  at: Date,
): null {
  attendance.waitingForHostSince ??= at.getTime()
  attendance.notStarted = event
  return null
}

/** A platform may know better why a meeting did not start. */
function toLeaveOutcome({ reason, detail }: LeaveDecision, attendance: AttendanceState) {
  const { because, detail: known = detail } = attendance.notStarted ?? {}
  return reason === 'meeting_not_started' && because !== undefined
    ? createMeetingOverOutcome(because, known)
    : createMeetingOverOutcome(reason, detail)
}

/** Adds a caption to the segmenter. */
function addCaption(
  { speechCorrector }: Pick<BotParts, 'speechCorrector'>,
  segmenter: Segmenter,
  mayFinalize: ReturnType<typeof createFinalizationCheck>,
  gapRecorder: GapRecorder,
  caption: Caption,
  at: Date,
): SegmenterOutput {
  return segmenter.addCaption(speechCorrector.correct(caption), at.getTime(), {
    // After a pause of this process or a slow write, the caption may be older than the time at which text became due.
    isOverdue: !mayFinalize(at.getTime(), true),
    isDiscarded: gapRecorder.isFromPause(caption, at),
  })
}

/**
 * Returns a function that is true if unchanged text may become final now. Due text waits while events that may change
 * it are queued, but only up to a limit.
 */
function createFinalizationCheck(segmenter: Pick<Segmenter, 'nextTickAt'>) {
  let behindSince = Infinity
  return (at: number, hasQueuedEvents: boolean): boolean => {
    const isBehind = hasQueuedEvents && (segmenter.nextTickAt() ?? Infinity) <= at
    behindSince = isBehind ? Math.min(behindSince, at) : Infinity
    return at - behindSince > MAX_BEHIND_MS || !isBehind
  }
}

/** Flushes the transcript document a few seconds after new segments, and retries a failed flush. */
function createDocumentFlusher({ document, now, log }: BotParts) {
  let flushAt = Infinity
  return {
    nextFlushAt: () => flushAt,
    addSegments(rows: readonly SegmentRow[]) {
      if (document === null) return
      document.addSegments(rows)
      flushAt = Math.min(flushAt, now().getTime() + DOCUMENT_FLUSH_MS)
    },
    async flush(at: Date) {
      flushAt = Infinity
      try {
        await document?.flush(at)
      } catch (error) {
        if (error instanceof LeaseLost) throw error
        // For example, the disk may be full. The segments are in the database, so the next flush can write them.
        log.warn({ err: error }, 'failed to flush transcript document')
        flushAt = at.getTime() + DOCUMENT_FLUSH_MS
      }
    },
  }
}

/**
 * Returns a function that finds insights in new segments with the coach's rules. It passes the same segments and those
 * insights to the model coach, which answers later.
 */
function createInsightFinder({ coach, modelCoach, now }: BotParts): InsightFinder {
  return (rows) => {
    const segments = rows.map((row) => ({ ...row, startedAt: row.startedAt.getTime() }))
    const insights = coach?.addSegments(segments, now().getTime()) ?? []
    modelCoach?.addSegments(segments, insights, now().getTime())
    return insights
  }
}

/** Returns a function that stores who joined and left, and updates whether the meeting is empty. */
function createRosterUpdater(
  { writer, coach, resumeState, speechCorrector }: BotParts,
  attendance: AttendanceState,
): (people: readonly Participant[], at: Date) => Promise<void> {
  const roster = createRosterTracker(resumeState.people)
  return async (people, at) => {
    const change = roster.update(people)
    attendance.emptySince = change.humanCount > 0 ? null : (attendance.emptySince ?? at.getTime())
    attendance.hasHadHumanParticipants ||= change.humanCount > 0
    if (change.joined.length > 0 || change.left.length > 0)
      await writer.writeParticipants(change, at)
    coach?.setParticipants(change.humanNames)
    speechCorrector.addParticipants(change.humanNames)
  }
}

function createLeaveCheckOf({ platform, joinRequest, ...parts }: BotParts): LeaveCheck {
  const { leaveRules, joinTimeout } = parts
  const speed = platform.speedOf?.(joinRequest.link) ?? 1
  return createLeaveCheck(leaveRules, { speed, joinTimeout })
}

/** The maximum, because a delayed caption can be older than the previous one. */
function noteCaptionTime(attendance: AttendanceState, changedAt: number): void {
  attendance.lastCaptionAt = Math.max(attendance.lastCaptionAt ?? -Infinity, changedAt)
}

function initialAttendanceState({ resumeState, joinRequest, now }: BotParts): AttendanceState {
  return {
    meetingStartedAt: resumeState.meetingStartedAt.getTime(),
    botStartedAt: joinRequest.joinTime?.at.getTime() ?? now().getTime(),
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

/** A platform that ends an empty call does not know if anyone was in it before. */
function createPlatformEndOutcome(
  { because, detail }: Extract<PlatformEvent, { kind: 'over' }>,
  { hasHadHumanParticipants, hasHadHumanSpeech }: AttendanceState,
): BotOutcome {
  const wasAlwaysEmpty = !hasHadHumanParticipants && !hasHadHumanSpeech
  const reason = because === 'everyone_left' && wasAlwaysEmpty ? 'nobody_joined' : because
  // The detail may quote text of a platform page, which cannot be trusted.
  return createMeetingOverOutcome(reason, detail && cleanText(detail.slice(0, MAX_DETAIL_CHARS)))
}
