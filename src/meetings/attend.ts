import type { Db } from '../db/open.ts'
import type { Clock } from '../lib/clock.ts'
import type { Log } from '../log.ts'
import type { Person, Platform } from '../platforms/platform.ts'
import { attendMeeting, type Outcome } from './bot.ts'
import type { Segment } from './captions/segmenter.ts'
import { createDocumentKeeper, type DocumentKeeper } from './document.ts'
import type { Meeting } from './meeting.ts'
import { MAX_ATTEMPTS, releaseMeeting, type Job } from './runner.ts'
import { REASON_TABLE } from './status.ts'
import { findMeeting } from './store.ts'
import { createMeetingWriter, HoldLost, type MeetingWriter } from './writer.ts'

/** As many as a page can still show of what was said before. */
const REMEMBERED_SEGMENTS = 60

type Parts = { db: Db; clock: Clock; log: Log; root: string; platforms: readonly Platform[] }

/** One bot's whole way: from what is stored, through the visit, to a final status and a whole document. */
export async function attend(parts: Parts, job: Job): Promise<void> {
  const { db, clock } = parts
  const meeting = await findMeeting(db, job.hold.meetingId)
  if (meeting === null) return
  const log = parts.log.child({ meetingId: meeting.id })
  const writer = createMeetingWriter(db, job.hold)
  const document = keeperFor(parts, meeting, writer)
  const outcome = await visit(parts, meeting, job, writer, document, log)
  if (outcome.kind === 'handed over') {
    await document?.flush(clock.now())
    await releaseMeeting(db, job.hold)
    return
  }
  await finish(writer, document, outcome, clock.now())
  log.info({ reason: outcome.reason }, 'meeting over')
}

async function visit(
  { db, clock, platforms }: Parts,
  meeting: Meeting,
  job: Job,
  writer: MeetingWriter,
  document: DocumentKeeper | null,
  log: Log,
): Promise<Outcome> {
  if (meeting.status === 'leaving' || meeting.status === 'stopping') return stopped(meeting)
  if (job.attempt > MAX_ATTEMPTS) {
    const detail = `The bot set out ${MAX_ATTEMPTS} times and was interrupted each time`
    return { kind: 'over', reason: 'service_restarted', detail }
  }
  const platform = platforms.find(({ name }) => name === meeting.platform)
  const address = platform?.recognise(meeting.url)
  if (!platform || !address) {
    const detail = 'The address is not one that this version of the service knows'
    return { kind: 'over', reason: 'internal', detail }
  }
  const { botName, language, leave } = meeting.options
  // The fence counts every visit, also those that were handed over.
  const isFirst = job.hold.fence === 1
  const elapsedMs = isFirst ? 0 : clock.now().getTime() - meeting.startedAt.getTime()
  try {
    return await attendMeeting(
      {
        platform,
        visit: { address, displayName: botName, language, elapsedMs },
        rules: leave,
        writer,
        document,
        past: await readPast(db, meeting),
        now: () => clock.now(),
        log,
      },
      job.stop,
      job.release,
    )
  } catch (error) {
    if (error instanceof HoldLost) throw error
    log.error({ err: error }, 'visit failed')
    const detail = 'Something went wrong inside the service'
    return { kind: 'over', reason: 'internal', detail }
  }
}

function stopped({ reason, detail }: Meeting): Outcome {
  return { kind: 'over', reason: reason ?? 'stopped', ...(detail && { detail }) }
}

/** The document is whole before the meeting counts as over, so nobody sees the one without the other. */
async function finish(
  writer: MeetingWriter,
  document: DocumentKeeper | null,
  { reason, detail }: Extract<Outcome, { kind: 'over' }>,
  at: Date,
): Promise<void> {
  const why = { reason, ...(detail !== undefined && { detail }) }
  const { isFailure } = REASON_TABLE[reason]
  if (!isFailure) await writer.move({ to: 'leaving', at, ...why })
  await document?.complete(at)
  await writer.move({ to: isFailure ? 'error' : 'ended', at, ...why })
}

function keeperFor(
  { db, root }: Parts,
  meeting: Meeting,
  writer: MeetingWriter,
): DocumentKeeper | null {
  const { documentPath, id: meetingId } = meeting
  return documentPath === null
    ? null
    : createDocumentKeeper({ db, root, meetingId, documentPath, writer })
}

async function readPast(
  db: Db,
  meeting: Meeting,
): Promise<{ segments: Segment[]; people: Person[]; setOutAt: Date }> {
  const rows = await db
    .selectFrom('segment')
    .select(['caption_id', 'speaker', 'text', 'started_at'])
    .where('meeting_id', '=', meeting.id)
    .orderBy('number', 'desc')
    .limit(REMEMBERED_SEGMENTS)
    .execute()
  const people = await db
    .selectFrom('participant')
    .select(['id', 'name', 'is_host as isHost'])
    .where('meeting_id', '=', meeting.id)
    .where('left_at', 'is', null)
    .execute()
  const segments = rows.toReversed().map((row) => ({
    captionId: row.caption_id,
    speaker: row.speaker,
    text: row.text,
    startedAt: row.started_at.getTime(),
  }))
  return { segments, people, setOutAt: meeting.startedAt }
}
