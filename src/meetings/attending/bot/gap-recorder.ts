import type { Caption, PlatformEvent } from '../../../bots/platforms/platform.ts'
import type { Db } from '../../../db/database.ts'
import type { Log } from '../../../log.ts'
import { SEGMENT_RULES } from '../../captions/segment-rules.ts'
import type { Meeting } from '../../meeting.ts'
import type { MeetingWriter } from '../../record/meeting-writer.ts'
import { isRecording } from '../../status.ts'
import { estimateSpeechMs } from '../../transcript/cues.ts'
import type { GapCause } from '../../transcript/gap-causes.ts'
import type { AttendanceState } from './leave-rules.ts'
import type { MeetingJob } from '../claiming/meeting-runner.ts'

type GapEvent = Extract<PlatformEvent, { kind: 'captions lost' | 'captions back' | 'call lost' }>

type SpeechEvent = Extract<PlatformEvent, { kind: 'speech lost' | 'speech delay' }>

/** Stores when the bot stops and starts to record captions during its visit. */
export interface GapRecorder {
  handle(event: GapEvent, at: Date): Promise<void>
  /** A caption proves that captions are recorded again, unless it was delayed and is older than the gap. */
  captionReceived(caption: Caption, at: Date): Promise<void>
  /** Handles speech that was not recognized, or that is waiting to be recognized. */
  handleSpeech(event: SpeechEvent, at: Date): Promise<void>
  /** True if the caption was delayed and its text began before a pause ended. Such a caption must not be recorded. */
  isFromPause(caption: Caption, at: Date): boolean
  /**
   * A participant paused the recording: nothing is recorded until `resume`, even if another bot continues the meeting.
   * False if the recording is already paused.
   */
  pause(at: Date): Promise<boolean>
  /** False if the recording is not paused. */
  resume(at: Date): Promise<boolean>
  isPaused(): boolean
  /**
   * Another bot continues the meeting. The gap starts when this bot was asked to leave, or earlier, with the first
   * sound that it had not recognized by then.
   */
  recordRelease(): Promise<void>
  /** The bot has ended. Sound that is still waiting is lost. False if none is waiting. */
  recordUnrecognized(): Promise<boolean>
}

type Parts = {
  writer: MeetingWriter
  attendance: Pick<AttendanceState, 'liveSince' | 'lastCaptionAt'>
  /** Makes all captions final, so that no segment mixes text from before and after a gap. */
  finalizeCaptions(): Promise<void>
  /** Aborts when the bot is asked to leave the meeting to another bot. */
  release: AbortSignal
  now(): Date
  log: Log
}

export function createGapRecorder({
  writer,
  attendance,
  finalizeCaptions,
  release,
  now,
  log,
}: Parts): GapRecorder {
  let releasedMs = Infinity
  let isPaused = writer.openGapCause() === 'paused'
  /** When the last pause ended. */
  let resumedMs = -Infinity
  /** Why captions are currently missing, even during a pause; null while they arrive. */
  let lostCause: GapCause | null = null
  /** When captions went missing. */
  let lostMs = -Infinity
  release.addEventListener('abort', () => (releasedMs = now().getTime()), { once: true })
  /** When the oldest sound that is waiting to be recognized began; Infinity if none is waiting. */
  let unrecognizedSinceMs = Infinity
  const loseSpeech = async (startedMs: number, endedMs: number) => {
    const { liveSince } = attendance
    if (liveSince === null || isPaused) return
    const start = Math.max(startedMs, liveSince)
    await writer.addGap('speech_lost', new Date(start), new Date(Math.max(start, endedMs)))
  }
  const notBeforeLastCaption = (startedMs: number) =>
    Math.max(startedMs, attendance.liveSince ?? 0, attendance.lastCaptionAt ?? 0)
  /** When a caption proves recording: since its text began, or since its last change if it began before the gap. */
  const recordedSince = (caption: Caption, at: Date): number => {
    const startedAt = at.getTime() - (caption.late?.startedMs ?? 0)
    return startedAt > lostMs ? startedAt : changeTimeOf(caption, at)
  }
  const startGap = async (cause: GapCause, startedMs: number) => {
    if (attendance.liveSince === null) return
    await finalizeCaptions()
    await writer.startGap(cause, new Date(notBeforeLastCaption(startedMs)))
  }
  const loseCaptions = async (cause: GapCause, startedMs: number) => {
    lostCause = cause
    lostMs = notBeforeLastCaption(startedMs)
    if (!isPaused) await startGap(cause, startedMs)
  }
  const endGap = async (at: Date) => {
    lostCause = null
    lostMs = -Infinity
    if (!isPaused && writer.openGapCause() !== null) await writer.endGap(at)
  }
  return {
    async handle(event, at) {
      switch (event.kind) {
        case 'captions lost':
          log.warn({ detail: event.detail }, 'captions stopped')
          return loseCaptions('captions_lost', at.getTime() - (event.sinceMs ?? 0))
        case 'captions back':
          log.info('captions resumed')
          return endGap(new Date(at.getTime() - (event.sinceMs ?? 0)))
        case 'call lost':
          log.warn({ detail: event.detail }, 'bot is no longer in the call')
          return loseCaptions('bot_rejoined', at.getTime() - event.sinceMs)
      }
    },
    async captionReceived(caption, at) {
      // A row that disappears does not prove that captions are on.
      const isCurrent = caption.late === undefined || changeTimeOf(caption, at) > lostMs
      if (!caption.isGone && isCurrent) await endGap(new Date(recordedSince(caption, at)))
    },
    async handleSpeech(event, at) {
      const ageOf = (ms: number) => at.getTime() - ms
      if (event.kind === 'speech lost')
        return loseSpeech(ageOf(event.startedMs), ageOf(event.endedMs))
      unrecognizedSinceMs = event.behindMs > 0 ? ageOf(event.behindMs) : Infinity
    },
    isFromPause: ({ late }, at) => late !== undefined && at.getTime() - late.startedMs < resumedMs,
    async pause(at) {
      if (isPaused) return false
      await finalizeCaptions()
      isPaused = true
      await writer.endGap(at)
      await startGap('paused', at.getTime())
      return true
    },
    async resume(at) {
      if (!isPaused) return false
      // Finalizes what was said during the pause while nothing is written yet. Otherwise it would appear later.
      await finalizeCaptions()
      isPaused = false
      await writer.endGap(at)
      if (lostCause !== null) await startGap(lostCause, at.getTime())
      // Captions that arrived during these writes are handled next. Delayed ones belong to the pause.
      resumedMs = now().getTime()
      return true
    },
    isPaused: () => isPaused,
    recordRelease: () =>
      startGap('restarted', Math.min(releasedMs, unrecognizedSinceMs, now().getTime())),
    async recordUnrecognized() {
      if (unrecognizedSinceMs === Infinity || isPaused) return false
      await loseSpeech(unrecognizedSinceMs, now().getTime())
      return true
    },
  }
}

/** When the text of a caption last changed. For a delayed caption, that is before its arrival. */
export function changeTimeOf({ late }: Caption, at: Date): number {
  return at.getTime() - (late?.changedMs ?? 0)
}

/**
 * Starts a gap in the transcript if the previous bot was recording and did not start one: its node died, or an older
 * version of Hansard released the meeting.
 */
export async function startGapAfterPreviousBot(
  db: Db,
  meeting: Meeting,
  { interruption, lease }: Pick<MeetingJob, 'interruption' | 'lease'>,
  writer: MeetingWriter,
): Promise<void> {
  const { liveAt } = meeting
  // The fence increases with every claim, so only the first bot of a meeting has fence 1.
  if (lease.fence === 1 || liveAt === null || !isRecording(meeting)) return
  if (interruption === null && writer.openGapCause() !== null) return
  const last = await db
    .selectFrom('segment')
    .select(['started_at as startedAt', 'text'])
    .where('meeting_id', '=', meeting.id)
    .orderBy('started_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  const cause = interruption === null ? 'restarted' : 'node_lost'
  const seenAt =
    interruption === null ? await findLastEventAt(db, meeting.id) : interruption.lastBeatAt
  await writer.startGap(cause, estimateRecordedUntil(liveAt, last ?? null, seenAt))
}

async function findLastEventAt(db: Db, meetingId: string): Promise<Date | null> {
  const row = await db
    .selectFrom('event')
    .select('at')
    .where('meeting_id', '=', meetingId)
    .orderBy('sequence', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.at ?? null
}

/**
 * Estimates until when everything that was said is stored. A node that dies loses the captions that were not final yet.
 * During speech, the gap starts at the end of the last stored segment. In silence nothing was pending, so it starts
 * shortly before the last heartbeat.
 */
function estimateRecordedUntil(
  liveAt: Date,
  lastSegment: { startedAt: Date; text: string } | null,
  /** When the previous bot is last known to have run. */
  seenAt: Date | null,
): Date {
  const beatMs = seenAt?.getTime() ?? -Infinity
  const quietMs = beatMs - SEGMENT_RULES.versionedQuietMs
  if (lastSegment === null) return new Date(Math.max(liveAt.getTime(), quietMs))
  const startMs = lastSegment.startedAt.getTime()
  const spokenUntilMs = startMs + estimateSpeechMs(lastSegment.text)
  // The estimated end of the segment cannot be after the death of the node.
  const endMs = seenAt === null ? spokenUntilMs : Math.min(spokenUntilMs, beatMs)
  return new Date(Math.max(startMs, endMs, quietMs))
}
