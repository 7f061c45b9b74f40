import { createGate, type Gate } from '../coach/gate.ts'
import { createModelCoach, type Ask, type ModelCoach } from '../coach/model-coach.ts'
import { COACH_RULES } from '../coach/rules.ts'
import { createRulesCoach } from '../coach/rules-coach.ts'
import type { Db } from '../db/open.ts'
import type { Clock } from '../lib/clock.ts'
import type { Log } from '../log.ts'
import type { Platform, PlatformName } from '../platforms/platform.ts'
import { attendMeeting, over, type Outcome } from './bot.ts'
import { createDocumentKeeper, type DocumentKeeper, type DocumentParts } from './document.ts'
import type { Feed } from './feed.ts'
import type { EventRow, Ledger } from './ledger.ts'
import type { Meeting } from './meeting.ts'
import type { MeetingMetrics } from './metrics.ts'
import { createNotes } from './notes.ts'
import { readPast } from './past.ts'
import { MOST_TROUBLE, releaseMeeting, type Job } from './runner.ts'
import { createScreen, type PartialLane } from './screen.ts'
import { REASON_TABLE } from './status.ts'
import { findMeeting, HoldLost } from './store.ts'
import { createMeetingWriter, type MeetingWriter } from './writer.ts'

/** The language model that listens to a meeting, and what it has used there before. */
export type AdviserFor = (meetingId: string) => Promise<{ ask: Ask; usedTokens: number }>

type Parts = {
  db: Db
  clock: Clock
  log: Log
  root: string
  atDocuments: DocumentParts['inTurn']
  platforms: readonly Platform[]
  ledger: Ledger
  feed: Feed
  metrics: MeetingMetrics
  /** Null when a bot may come as that account to that platform, otherwise why not. */
  refuseAccount(platform: PlatformName, account: string): Promise<string | null>
  adviserFor: AdviserFor | null
  /** The way of this meeting's evolving captions to its callback URL. */
  laneFor(meetingId: string, numbers: MeetingWriter): PartialLane & Disposable
  onWritten(meetingId: string, events: readonly EventRow[]): void
  documentSaved(documentPath: string): Promise<void>
}

/** One bot's whole way: from what is stored, through the visit, to a final status and a whole document. */
export async function attend(parts: Parts, job: Job): Promise<void> {
  const { db, clock, ledger } = parts
  const { hold, stored } = job
  const meeting = await findMeeting(db, hold.meetingId)
  if (meeting === null) return
  const log = parts.log.child({ meetingId: meeting.id })
  const onWritten = (events: readonly EventRow[]) => parts.onWritten(meeting.id, events)
  const writer = createMeetingWriter({ db, ledger, hold, stored, onWritten })
  const document = keeperFor(parts, meeting, writer)
  const outcome = await visit({ ...parts, log }, meeting, job, writer, document)
  if (outcome.kind === 'handed over') {
    await document?.flush(clock.now())
    await releaseMeeting(db, hold)
    return
  }
  await finish(writer, document, outcome, clock.now())
  log.info({ reason: outcome.reason }, 'meeting over')
}

async function visit(
  parts: Parts,
  meeting: Meeting,
  job: Job,
  writer: MeetingWriter,
  document: DocumentKeeper | null,
): Promise<Outcome> {
  const { db, clock, log, platforms, feed, metrics } = parts
  if (isAtItsEnd(meeting)) return storedEnd(meeting)
  if (job.isTooLate) return over('at_capacity', noRoom(meeting))
  if (job.trouble > MOST_TROUBLE) {
    return over('service_restarted', 'Bot after bot set out, failed or was interrupted')
  }
  const platform = platforms.find(({ name }) => name === meeting.platform)
  const address = platform?.recognise(meeting.url)
  if (!platform || !address) {
    return over('internal', 'The address is not one that this version of the service knows')
  }
  const { botName, language, account, leave } = meeting.options
  const stranger = account === null ? null : await parts.refuseAccount(platform.name, account)
  if (stranger !== null) return over('sign_in_required', stranger)
  // The fence counts every visit, also those that were handed over.
  const isFirst = job.hold.fence === 1
  const elapsedMs = isFirst ? 0 : clock.now().getTime() - meeting.startedAt.getTime()
  const now = () => clock.now()
  const past = await readPast(db, meeting)
  const gate = createGate(COACH_RULES)
  using modelCoach = await openModelCoach(parts, meeting, writer, gate)
  using lane = parts.laneFor(meeting.id, writer)
  using screen = createScreen({ meetingId: meeting.id, writer, feed, lane, now })
  try {
    return await attendMeeting(
      {
        platform,
        visit: { address, displayName: botName, language, account, elapsedMs },
        rules: leave,
        writer,
        notes: createNotes({ db, hold: job.hold, platform: platform.name, metrics, log }),
        document,
        coach: meeting.options.coach ? createRulesCoach({ past: past.coach, gate }) : null,
        modelCoach,
        screen,
        past,
        now,
        log,
      },
      job.stop,
      job.release,
    )
  } catch (error) {
    if (error instanceof HoldLost) throw error
    log.error({ err: error }, 'visit failed')
    return over('internal', 'Something went wrong inside the service')
  }
}

function noRoom({ options }: Meeting): string {
  const who = options.account === null ? 'No node' : 'Neither the bot account nor a node'
  return `${who} had room for another bot in time`
}

/** Null: nobody but the rules listens. What it says is written when it comes, and never waited for. */
async function openModelCoach(
  { clock, log, adviserFor }: Parts,
  meeting: Meeting,
  writer: MeetingWriter,
  gate: Gate,
): Promise<ModelCoach | null> {
  if (adviserFor === null || !meeting.options.coach) return null
  const onFailure = (error: unknown) =>
    log.warn({ err: error, meetingId: meeting.id }, 'coach without its language model')
  return createModelCoach({
    ...(await adviserFor(meeting.id)),
    gate,
    now: () => clock.now().getTime(),
    onInsights: (insights) => void writer.insights(insights, 'llm', clock.now()).catch(onFailure),
    onFailure,
  })
}

/** Nothing is left but to finish it: somebody stopped it, or an earlier bot has seen its end. */
function isAtItsEnd({ status, reason }: Meeting): boolean {
  return status === 'leaving' || status === 'stopping' || reason !== null
}

function storedEnd({ reason, detail }: Meeting): Outcome {
  return { kind: 'over', reason: reason ?? 'stopped', ...(detail && { detail }) }
}

/**
 * The document is whole before the meeting counts as over, so nobody sees the one without the other. Why it is over
 * is stored first: a document that cannot be written is tried again, and no bot goes where it was sent away.
 */
async function finish(
  writer: MeetingWriter,
  document: DocumentKeeper | null,
  { reason, detail }: Extract<Outcome, { kind: 'over' }>,
  at: Date,
): Promise<void> {
  const why = { reason, ...(detail !== undefined && { detail }) }
  const { isFailure } = REASON_TABLE[reason]
  if (isFailure) await writer.settle(why)
  else await writer.move({ to: 'leaving', at, ...why })
  await document?.complete(at)
  await writer.move({ to: isFailure ? 'error' : 'ended', at, ...why })
}

function keeperFor(
  { db, root, atDocuments: inTurn, documentSaved: onSaved }: Parts,
  meeting: Meeting,
  writer: MeetingWriter,
): DocumentKeeper | null {
  const { documentPath, id: meetingId } = meeting
  return documentPath === null
    ? null
    : createDocumentKeeper({ db, root, meetingId, documentPath, writer, inTurn, onSaved })
}
