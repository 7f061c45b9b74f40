import { sql } from 'kysely'
import { readsProject } from '../../access/project-condition.ts'
import type { Viewer } from '../../access/viewer.ts'
import type { Db } from '../../db/database.ts'
import { findShownName, toSpeakerNames } from '../editing/speaker-names.ts'
import type { Meeting } from '../meeting.ts'
import type { OfficialMode } from '../official/choose-lines.ts'
import { findOfficialMode } from '../official/official-lines.ts'
import { countEvidence } from '../record/evidence.ts'
import { requireMeeting, convertMeetingRow, createMeetingQuery } from '../record/meeting-store.ts'
import { readMeetingWarnings, type MeetingWarning } from '../record/warnings.ts'
import { OPEN_STATUSES, type MeetingStatus } from '../status.ts'
import type { SpeakerTalkTime, TalkTimeReader } from './talk-time.ts'

/** A meeting with everything that is stored about it, except its transcript. */
export type MeetingDetail = MeetingAttempts & {
  meeting: Meeting
  /** How many bots the meeting has had. */
  visits: number
  /** What the official transcript is used for; null if there is none. */
  officialTranscript: OfficialMode | null
  /** How many changes were made to the title and the speakers' names. */
  editCount: number
  /** Speakers whose name was changed by a person. Events have the platform's name. */
  renamedSpeakers: Array<{ platformName: string; name: string }>
  statuses: Array<{ status: string; at: Date; reason: string | null; detail: string | null }>
  participants: Array<{
    participantId: string
    name: string
    isHost: boolean
    joinedAt: Date
    leftAt: Date | null
  }>
  talkTime: SpeakerTalkTime[]
  insights: Awaited<ReturnType<typeof readInsights>>
  warnings: MeetingWarning[]
  evidenceCount: number
}

/** Earlier and later attempts at the same meeting, if the viewer may read them. */
type MeetingAttempts = {
  /** The meeting that this one retries; null for a first attempt. */
  retryOf: string | null
  /** The newest attempt that retries this one; null if there is none. */
  retriedAs: { meetingId: string; status: MeetingStatus } | null
}

export async function readMeetingDetail(
  db: Db,
  talkTimes: TalkTimeReader,
  viewer: Viewer,
  id: string,
): Promise<MeetingDetail> {
  const meeting = await requireMeeting(db, id)
  const {
    fence: visits,
    edit_count: editCount,
    speaker_names: storedNames,
  } = await db
    .selectFrom('meeting')
    .select(['fence', 'edit_count', 'speaker_names'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const names = toSpeakerNames(storedNames)
  const participants = await db
    .selectFrom('participant')
    .select(['id as participantId', 'name', 'is_host as isHost'])
    .select(['joined_at as joinedAt', 'left_at as leftAt'])
    .where('meeting_id', '=', id)
    .orderBy('joined_at')
    .orderBy('id')
    .execute()
  return {
    meeting,
    ...(await readMeetingAttempts(db, viewer, meeting)),
    visits,
    officialTranscript: await findOfficialMode(db, id),
    editCount,
    renamedSpeakers: Array.from(names, ([platformName, name]) => ({ platformName, name })),
    statuses: await readStatuses(db, id),
    participants: participants.map((one) => ({ ...one, name: findShownName(names, one.name) })),
    talkTime: await talkTimes.read(id),
    insights: (await readInsights(db, id)).map((insight) => ({
      ...insight,
      speaker: insight.speaker === null ? null : findShownName(names, insight.speaker),
    })),
    warnings: await readMeetingWarnings(db, id),
    evidenceCount: await countEvidence(db, id),
  }
}

/** The meeting's status history, from its `meeting_status` events. */
async function readStatuses(db: Db, id: string): Promise<MeetingDetail['statuses']> {
  const rows = await db
    .selectFrom('event')
    .select(['at', 'body'])
    .where('meeting_id', '=', id)
    .where('type', '=', 'meeting_status')
    .orderBy('sequence')
    .execute()
  return rows.map(({ at, body }) => {
    const { payload } = JSON.parse(body) as {
      payload: { status: string; reason?: string; detail?: string }
    }
    const { status, reason = null, detail = null } = payload
    return { status, at, reason, detail }
  })
}

function readInsights(db: Db, id: string) {
  return db
    .selectFrom('insight')
    .select(['id as insightId', 'category', 'severity', 'title', 'text', 'speaker', 'engine'])
    .select(['segment_numbers as segmentNumbers', 'at as timestamp'])
    .where('meeting_id', '=', id)
    .orderBy('at')
    .orderBy('id')
    .execute()
}

async function readMeetingAttempts(
  db: Db,
  viewer: Viewer,
  { id, options }: Meeting,
): Promise<MeetingAttempts> {
  const { retryOf } = options
  const earlier =
    retryOf === undefined
      ? undefined
      : await db
          .selectFrom('meeting')
          .select('id')
          .where('id', '=', retryOf)
          .where(readsProject(viewer, 'meeting.project'))
          .executeTakeFirst()
  const later = await selectLaterAttempts(db, viewer, id).executeTakeFirst()
  return {
    retryOf: earlier?.id ?? null,
    retriedAs: later === undefined ? null : { meetingId: later.id, status: later.status },
  }
}

/** The attempt at this meeting that is not over, except `exceptId`, if the viewer may read it. */
export async function findOpenAttempt(
  db: Db,
  viewer: Viewer,
  id: string,
  exceptId?: string,
): Promise<Meeting | null> {
  const row = await selectLaterAttempts(db, viewer, id)
    .$if(exceptId !== undefined, (query) => query.where('id', '<>', exceptId ?? ''))
    .where('status', 'in', OPEN_STATUSES)
    .executeTakeFirst()
  return row === undefined ? null : convertMeetingRow(row)
}

/** Newest first. Attempts have the same link as the first one, and rooms have an index. */
function selectLaterAttempts(db: Db, viewer: Viewer, id: string) {
  return createMeetingQuery(db)
    .where('room', '=', (query) =>
      query.selectFrom('meeting as first').select('first.room').where('first.id', '=', id),
    )
    .where(sql<string>`meeting.options ->> 'retryOf'`, '=', id)
    .where(readsProject(viewer, 'meeting.project'))
    .orderBy('started_at', 'desc')
    .orderBy('id', 'desc')
}
