import type { Platform, PlatformName, JoinTime } from '../../bots/platforms/platform.ts'
import { DEFAULT_SPEECH_MODE } from '../../bots/platforms/speech/speech-mode.ts'
import { COACH_THRESHOLDS } from '../../coach/coach.ts'
import { createInsightLimiter, type InsightLimiter } from '../../coach/insight-limiter.ts'
import { createModelCoach, type ModelCoach } from '../../coach/model-coach.ts'
import { createRulesCoach } from '../../coach/rules-coach.ts'
import { retryWhileTransient } from '../../db/transient-errors.ts'
import { loadWordRanker } from '../../language/known-names/ordinary-words.ts'
import { sleepUnlessAborted } from '../../lib/async/abort.ts'
import type { Clock } from '../../lib/time/clock.ts'
import type { Tracer } from '../../lib/tracer.ts'
import { listTerms } from '../../projects/vocabulary.ts'
import { createMeetingChat } from '../chat/meeting-chat.ts'
import { createSpeechCorrector, type SpeechCorrector } from '../captions/corrected-speech.ts'
import { completeChatNotice } from '../chat/notice-and-commands.ts'
import type { MeetingsContext } from '../context.ts'
import type { Meeting } from '../meeting.ts'
import { type MeetingMetrics, wrapWriterToCountMetrics } from '../metrics.ts'
import type { NewEventNotifier } from '../reading/feed.ts'
import type { MeetingBatchWriter } from '../record/batch-writer.ts'
import { readGaps } from '../record/gaps.ts'
import { findMeeting, type EventRow } from '../record/meeting-store.ts'
import { createMeetingWriter, type MeetingWriter } from '../record/meeting-writer.ts'
import {
  createTranscriptDocumentWriter,
  type TranscriptDocumentWriter,
  type TranscriptDocumentWriterOptions,
} from '../record/transcript-document.ts'
import { traceMeetingWriter } from '../record/traced-record.ts'
import { findMissedDetail } from '../scheduling/scheduled-meetings.ts'
import { END_REASON_FAILURE_FLAGS, isFinishing } from '../status.ts'
import { createMeetingOverOutcome, type BotOutcome } from './bot/bot-event-loop.ts'
import { runBot, toFailedOutcome } from './bot/bot.ts'
import { startGapAfterPreviousBot } from './bot/gap-recorder.ts'
import { createPartialCaptionPublisher, type PartialCaptionLane } from './bot/partial-publisher.ts'
import { MEETING_FAILURE_SCORE_LIMIT, releaseMeeting } from './claiming/meeting-claims.ts'
import type { MeetingJob } from './claiming/meeting-runner.ts'
import type { CoachModelOpener } from './coach-model.ts'
import { createMeetingDiagnosticsRecorder } from './diagnostics.ts'
import { readResumeState } from './resume-state.ts'

type Parts = Pick<MeetingsContext, 'db' | 'clock' | 'log' | 'files' | 'documentChanged'> & {
  tracer: Tracer
  limitDocumentWrites: TranscriptDocumentWriterOptions['limitWrites']
  platforms: readonly Platform[]
  /** Seconds that a platform's page may take to offer a way into the meeting. */
  joinTimeout: number
  platformCloseMs?: number | undefined
  /** Aborts when the service is stopping and can no longer wait for a platform. */
  graceOver?: AbortSignal | undefined
  ledger: MeetingBatchWriter
  feed: NewEventNotifier
  metrics: MeetingMetrics
  /** Returns why a bot cannot use the bot account on the platform; null when it can. */
  findAccountProblem(platform: PlatformName, account: string): Promise<string | null>
  /** Names of the people who were invited to the meeting. */
  listInvitedNames(meetingId: string): Promise<string[]>
  /** Null when no language model is configured; the coach then uses only its rules. */
  openCoachModel: CoachModelOpener | null
  /**
   * Opens the lane that sends the meeting's partial captions to its callback URL. The meeting's writer gives them their
   * sequence numbers.
   */
  laneFor(meetingId: string, sequences: MeetingWriter): PartialCaptionLane & Disposable
  onWritten(meetingId: string, events: readonly EventRow[]): void
}

/** The clock may be changed while the bot waits, so it is read at least this often. */
const MAX_SLEEP_MS = 1_000

/** Runs one bot for a claimed meeting, as steps of the trace that began the meeting. */
export function attendClaimedMeeting(parts: Parts, job: MeetingJob): Promise<void> {
  const { meetingId, fence } = job.lease
  const attributes = { 'hansard.meeting.id': meetingId, 'hansard.fence': fence }
  const parent = job.traceParent
  const claim = parts.tracer.start('claim meeting', { kind: 'consumer', parent, attributes })
  claim.end()
  return parts.tracer.runAfter(parent ?? claim.traceParent, () => attend(parts, job))
}

/** Runs the bot from the stored state to a final status and a complete document. */
async function attend(parts: Parts, job: MeetingJob): Promise<void> {
  const { db, clock, ledger } = parts
  const { lease, counters } = job
  // If the connection is lost during this read, the meeting must not lose a visit.
  const meeting = await retryWhileTransient(() => findMeeting(db, lease.meetingId))
  if (meeting === null) return
  const log = parts.log.child({ meetingId: meeting.id })
  const onWritten = (events: readonly EventRow[]) => parts.onWritten(meeting.id, events)
  const gaps = await retryWhileTransient(() => readGaps(db, meeting.id))
  const onGapChanged = () => parts.feed.notifyGapChanged(meeting.id)
  const counted = wrapWriterToCountMetrics(
    createMeetingWriter({ db, ledger, lease, counters, gaps, onWritten, onGapChanged }),
    meeting,
    parts.metrics,
  )
  using writer = traceMeetingWriter(counted, meeting, parts.tracer)
  await startGapAfterPreviousBot(db, meeting, job, writer)
  const { documentPath, id: meetingId } = meeting
  const { files, limitDocumentWrites: limitWrites, documentChanged: onComplete } = parts
  const document =
    documentPath === null
      ? null
      : createTranscriptDocumentWriter({
          db,
          files,
          meetingId,
          documentPath,
          writer,
          limitWrites,
          onComplete,
        })
  const outcome = await joinAndAttend({ ...parts, log }, meeting, job, writer, document)
  if (outcome.kind === 'released') {
    await document?.flush(clock.now())
    await releaseMeeting(db, lease)
    return
  }
  await finishMeeting(writer, document, outcome, clock.now())
  log.info({ reason: outcome.reason }, 'meeting ended')
}

async function joinAndAttend(
  parts: Parts,
  meeting: Meeting,
  job: MeetingJob,
  writer: MeetingWriter,
  document: TranscriptDocumentWriter | null,
): Promise<BotOutcome> {
  const { db, clock, log, platforms, feed, metrics } = parts
  if (isFinishing(meeting)) return storedOutcome(meeting)
  const missed = await retryWhileTransient(() => findMissedDetail(db, meeting, clock.now()))
  if (missed !== null) return createMeetingOverOutcome('missed', missed)
  if (job.hasQueueTimedOut)
    return createMeetingOverOutcome('at_capacity', noCapacityDetail(meeting))
  if (job.failureScore > MEETING_FAILURE_SCORE_LIMIT) {
    return createMeetingOverOutcome(
      'service_restarted',
      'Too many bots failed or were interrupted in this meeting',
    )
  }
  const platform = platforms.find(({ name }) => name === meeting.platform)
  const link = platform?.parseLink(meeting.url)
  if (!platform || !link) {
    return createMeetingOverOutcome(
      'internal',
      'This version of the service does not recognise the meeting link',
    )
  }
  const { botName, language, account, leave, chat: chatOptions } = meeting.options
  const { speech = DEFAULT_SPEECH_MODE } = meeting.options
  const accountProblem =
    account === null
      ? null
      : await retryWhileTransient(() => parts.findAccountProblem(platform.name, account))
  if (accountProblem !== null) return createMeetingOverOutcome('sign_in_required', accountProblem)
  const elapsedMs = msSinceFirstBot(meeting, job, clock)
  const joinTime = createJoinTime(meeting.joinAt, clock)
  const resumeState = await retryWhileTransient(() => readResumeState(db, meeting))
  const hasBeenAdmitted = meeting.liveAt !== null
  const chat =
    chatOptions &&
    createMeetingChat({
      db,
      lease: job.lease,
      options: {
        ...chatOptions,
        notice:
          chatOptions.notice &&
          completeChatNotice(chatOptions.notice, { platform: platform.name, speech }),
      },
      botName,
      hasBeenAdmitted,
      log,
    })
  const limiter = createInsightLimiter(COACH_THRESHOLDS)
  using modelCoach = await openModelCoach(parts, meeting, writer, limiter)
  const wantsPartials = meeting.options.events?.includes('caption_partial') ?? true
  using lane = wantsPartials ? parts.laneFor(meeting.id, writer) : null
  using partialPublisher = createPartialCaptionPublisher({
    meetingId: meeting.id,
    writer,
    feed,
    lane,
    now: () => clock.now(),
  })
  try {
    return await runBot(
      {
        ...parts,
        platform,
        joinRequest: {
          link,
          meetingKey: meeting.id,
          displayName: botName,
          language,
          account,
          speech,
          elapsedMs,
          wasAdmittedBefore: hasBeenAdmitted,
          ...(chat && { chat: chat.access }),
          ...(joinTime && { joinTime }),
        },
        leaveRules: leave,
        writer,
        diagnostics: createMeetingDiagnosticsRecorder({
          db,
          lease: job.lease,
          platform: platform.name,
          metrics,
          onStored: () => feed.notifyDetailsChanged(meeting.id),
          log,
        }),
        document,
        coach: meeting.options.coach
          ? createRulesCoach({ history: resumeState.coach, limiter })
          : null,
        modelCoach,
        partialPublisher,
        ...(chat && { chat }),
        resumeState,
        speechCorrector: await openSpeechCorrector(parts, meeting),
        now: () => clock.now(),
      },
      job.stop,
      job.release,
    )
  } catch (error) {
    return toFailedOutcome(error, log)
  }
}

/** The fence increases with every claim, so only the first bot of a meeting has fence 1. */
function msSinceFirstBot({ startedAt }: Meeting, { lease }: MeetingJob, clock: Clock): number {
  return lease.fence === 1 ? 0 : Math.max(0, clock.now().getTime() - startedAt.getTime())
}

function noCapacityDetail({ options }: Meeting): string {
  const who = options.account === null ? 'No node' : 'Neither the bot account nor a node'
  return `${who} had capacity for another bot in time`
}

/** Knows the people who were invited and the vocabulary of the project. */
async function openSpeechCorrector(
  { db, listInvitedNames }: Parts,
  { id, project, options }: Meeting,
): Promise<SpeechCorrector> {
  const known = await retryWhileTransient(async () => ({
    people: await listInvitedNames(id),
    terms: await listTerms(db, project),
  }))
  return createSpeechCorrector({ known, rankWord: await loadWordRanker() }, options.language)
}

/**
 * Opens the coach that asks a language model. Null if the meeting has no coach or no model is configured. The bot never
 * waits for the model's insights.
 */
async function openModelCoach(
  { clock, log, openCoachModel }: Parts,
  meeting: Meeting,
  writer: MeetingWriter,
  limiter: InsightLimiter,
): Promise<ModelCoach | null> {
  if (openCoachModel === null || !meeting.options.coach) return null
  return createModelCoach({
    ...(await openCoachModel(meeting.id)),
    limiter,
    now: () => clock.now().getTime(),
    onInsights: (insights) =>
      void writer
        .writeInsights(insights, 'llm', clock.now())
        .catch((error: unknown) =>
          log.warn({ err: error }, 'failed to store insights of the coach model'),
        ),
    onDropped: (dropped) => log.info({ dropped }, 'dropped insights of the coach model'),
    onFailure: (error) => log.warn({ err: error }, 'failed to ask the coach model'),
  })
}

function storedOutcome({ reason, detail }: Meeting): BotOutcome {
  return { kind: 'over', reason: reason ?? 'stopped', ...(detail && { detail }) }
}

/**
 * Completes the document before the final status is stored, so every meeting that is over has a complete document. The
 * end reason is stored first: if writing the document fails, the next owner only writes it again and sends no bot.
 */
async function finishMeeting(
  writer: MeetingWriter,
  document: TranscriptDocumentWriter | null,
  { reason, detail }: Extract<BotOutcome, { kind: 'over' }>,
  at: Date,
): Promise<void> {
  const end = { reason, ...(detail !== undefined && { detail }) }
  const { isFailure } = END_REASON_FAILURE_FLAGS[reason]
  if (isFailure) await writer.storeEndReason(end)
  else await writer.changeStatus({ to: 'leaving', at, ...end })
  await document?.complete(at)
  await writer.changeStatus({ to: isFailure ? 'error' : 'ended', at, ...end })
}

/** Makes a bot wait until its meeting begins. Null if the bot joins at once. */
function createJoinTime(at: Date | null, clock: Clock): JoinTime | null {
  if (at === null || at <= clock.now()) return null
  return {
    at,
    async wait(signal) {
      while (!signal.aborted) {
        const leftMs = at.getTime() - clock.now().getTime()
        if (leftMs <= 0) return
        await sleepUnlessAborted(Math.min(leftMs, MAX_SLEEP_MS), signal)
      }
    },
  }
}
