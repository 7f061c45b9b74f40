import { createInsightLimiter, type InsightLimiter } from '../../coach/insight-limiter.ts'
import { createModelCoach, type AskModel, type ModelCoach } from '../../coach/model-coach.ts'
import { COACH_THRESHOLDS } from '../../coach/coach-thresholds.ts'
import { createRulesCoach } from '../../coach/rules-coach.ts'
import type { Db } from '../../db/database.ts'
import type { Clock } from '../../lib/time/clock.ts'
import type { Log } from '../../log.ts'
import type { Platform, PlatformName } from '../../bots/platforms/platform.ts'
import { runBot, meetingOver, type BotOutcome } from './bot.ts'
import {
  createTranscriptDocument,
  type TranscriptDocument,
  type TranscriptDocumentParts,
} from '../record/transcript-document.ts'
import type { Feed } from '../reading/feed.ts'
import type { EventRow, MeetingBatchWriter } from '../record/batch-writer.ts'
import type { Meeting } from '../meeting.ts'
import type { MeetingMetrics } from '../metrics.ts'
import { createMeetingDiagnostics } from './diagnostics.ts'
import { readResumeState } from './resume-state.ts'
import { MAX_FAILURE_SCORE, releaseMeeting } from './meeting-claims.ts'
import type { MeetingJob } from './meeting-runner.ts'
import { createPartialPublisher, type PartialLane } from './partial-publisher.ts'
import { END_REASON_TABLE } from '../status.ts'
import { findMeeting, LeaseLost } from '../store.ts'
import { createMeetingWriter, type MeetingWriter } from '../record/meeting-writer.ts'

/** The language model that listens to a meeting, and what it has used there before. */
export type OpenCoachModel = (meetingId: string) => Promise<{ ask: AskModel; usedTokens: number }>

type Parts = {
  db: Db
  clock: Clock
  log: Log
  root: string
  limitDocumentWrites: TranscriptDocumentParts['limitWrites']
  platforms: readonly Platform[]
  ledger: MeetingBatchWriter
  feed: Feed
  metrics: MeetingMetrics
  /** Null when a bot may come as that account to that platform, otherwise why not. */
  findAccountProblem(platform: PlatformName, account: string): Promise<string | null>
  openCoachModel: OpenCoachModel | null
  /** The way of this meeting's evolving captions to its callback URL. */
  laneFor(meetingId: string, numbers: MeetingWriter): PartialLane & Disposable
  onWritten(meetingId: string, events: readonly EventRow[]): void
  documentChanged(documentPath: string): Promise<void>
}

/** One bot's whole way: from what is stored, through the visit, to a final status and a whole document. */
export async function attendClaimedMeeting(parts: Parts, job: MeetingJob): Promise<void> {
  const { db, clock, ledger } = parts
  const { lease, counters } = job
  const meeting = await findMeeting(db, lease.meetingId)
  if (meeting === null) return
  const log = parts.log.child({ meetingId: meeting.id })
  const onWritten = (events: readonly EventRow[]) => parts.onWritten(meeting.id, events)
  const writer = createMeetingWriter({ db, ledger, hold: lease, stored: counters, onWritten })
  const document = openTranscriptDocument(parts, meeting, writer)
  const outcome = await joinAndAttend({ ...parts, log }, meeting, job, writer, document)
  if (outcome.kind === 'released') {
    await document?.flush(clock.now())
    await releaseMeeting(db, lease)
    return
  }
  await finishMeeting(writer, document, outcome, clock.now())
  log.info({ reason: outcome.reason }, 'meeting over')
}

async function joinAndAttend(
  parts: Parts,
  meeting: Meeting,
  job: MeetingJob,
  writer: MeetingWriter,
  document: TranscriptDocument | null,
): Promise<BotOutcome> {
  const { db, clock, log, platforms, feed, metrics } = parts
  if (isFinishing(meeting)) return storedOutcome(meeting)
  if (job.hasQueueTimedOut) return meetingOver('at_capacity', noCapacityDetail(meeting))
  if (job.failureScore > MAX_FAILURE_SCORE) {
    return meetingOver('service_restarted', 'Bot after bot set out, failed or was interrupted')
  }
  const platform = platforms.find(({ name }) => name === meeting.platform)
  const address = platform?.parseLink(meeting.url)
  if (!platform || !address) {
    return meetingOver('internal', 'The address is not one that this version of the service knows')
  }
  const { botName, language, account, leave } = meeting.options
  const stranger = account === null ? null : await parts.findAccountProblem(platform.name, account)
  if (stranger !== null) return meetingOver('sign_in_required', stranger)
  // The fence counts every visit, also those that were handed over.
  const isFirst = job.lease.fence === 1
  const elapsedMs = isFirst ? 0 : clock.now().getTime() - meeting.startedAt.getTime()
  const now = () => clock.now()
  const resumeState = await readResumeState(db, meeting)
  const limiter = createInsightLimiter(COACH_THRESHOLDS)
  using modelCoach = await openModelCoach(parts, meeting, writer, limiter)
  using lane = parts.laneFor(meeting.id, writer)
  using partialPublisher = createPartialPublisher({
    meetingId: meeting.id,
    writer,
    feed,
    lane,
    now,
  })
  try {
    return await runBot(
      {
        platform,
        joinRequest: { link: address, displayName: botName, language, account, elapsedMs },
        leaveRules: leave,
        writer,
        diagnostics: createMeetingDiagnostics({
          db,
          lease: job.lease,
          platform: platform.name,
          metrics,
          log,
        }),
        document,
        coach: meeting.options.coach
          ? createRulesCoach({ history: resumeState.coach, limiter })
          : null,
        modelCoach,
        partialPublisher,
        resumeState,
        now,
        log,
      },
      job.stop,
      job.release,
    )
  } catch (error) {
    if (error instanceof LeaseLost) throw error
    log.error({ err: error }, 'visit failed')
    return meetingOver('internal', 'Something went wrong inside the service')
  }
}

function noCapacityDetail({ options }: Meeting): string {
  const who = options.account === null ? 'No node' : 'Neither the bot account nor a node'
  return `${who} had room for another bot in time`
}

/** Null: nobody but the rules listens. What it says is written when it comes, and never waited for. */
async function openModelCoach(
  { clock, log, openCoachModel }: Parts,
  meeting: Meeting,
  writer: MeetingWriter,
  limiter: InsightLimiter,
): Promise<ModelCoach | null> {
  if (openCoachModel === null || !meeting.options.coach) return null
  const onFailure = (error: unknown) =>
    log.warn({ err: error, meetingId: meeting.id }, 'coach without its language model')
  return createModelCoach({
    ...(await openCoachModel(meeting.id)),
    limiter,
    now: () => clock.now().getTime(),
    onInsights: (insights) =>
      void writer.writeInsights(insights, 'llm', clock.now()).catch(onFailure),
    onFailure,
  })
}

/** Nothing is left but to finish it: somebody stopped it, or an earlier bot has seen its end. */
function isFinishing({ status, reason }: Meeting): boolean {
  return status === 'leaving' || status === 'stopping' || reason !== null
}

function storedOutcome({ reason, detail }: Meeting): BotOutcome {
  return { kind: 'over', reason: reason ?? 'stopped', ...(detail && { detail }) }
}

/**
 * The document is whole before the meeting counts as over, so nobody sees the one without the other. Why it is over
 * is stored first: a document that cannot be written is tried again, and no bot goes where it was sent away.
 */
async function finishMeeting(
  writer: MeetingWriter,
  document: TranscriptDocument | null,
  { reason, detail }: Extract<BotOutcome, { kind: 'over' }>,
  at: Date,
): Promise<void> {
  const why = { reason, ...(detail !== undefined && { detail }) }
  const { isFailure } = END_REASON_TABLE[reason]
  if (isFailure) await writer.storeEnd(why)
  else await writer.changeStatus({ to: 'leaving', at, ...why })
  await document?.complete(at)
  await writer.changeStatus({ to: isFailure ? 'error' : 'ended', at, ...why })
}

function openTranscriptDocument(
  { db, root, limitDocumentWrites, documentChanged }: Parts,
  meeting: Meeting,
  writer: MeetingWriter,
): TranscriptDocument | null {
  const { documentPath, id: meetingId } = meeting
  return documentPath === null
    ? null
    : createTranscriptDocument({
        db,
        root,
        meetingId,
        documentPath,
        writer,
        limitWrites: limitDocumentWrites,
        onComplete: documentChanged,
      })
}
