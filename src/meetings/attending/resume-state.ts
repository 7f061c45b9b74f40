import type { Db } from '../../db/database.ts'
import type { Meeting } from '../meeting.ts'
import { isNoteTaker } from './note-takers.ts'

/** As many as a page can still show of what was said before. */
const RESUMED_SEGMENTS = 60

/** What an earlier bot left behind, as far as the next one needs it. */
export async function readResumeState(db: Db, meeting: Meeting) {
  const rows = await db
    .selectFrom('segment')
    .select(['number', 'caption_id as captionId', 'speaker', 'text', 'started_at'])
    .where('meeting_id', '=', meeting.id)
    .orderBy('number', 'desc')
    .limit(RESUMED_SEGMENTS)
    .execute()
  const everybody = await db
    .selectFrom('participant')
    .select(['id', 'name', 'is_host as isHost', 'left_at'])
    .where('meeting_id', '=', meeting.id)
    .execute()
  const insights = await db
    .selectFrom('insight')
    .select(['category', 'speaker', 'at'])
    .where('meeting_id', '=', meeting.id)
    .execute()
  const segments = rows
    .toReversed()
    .map(({ started_at, ...row }) => ({ ...row, startedAt: started_at.getTime() }))
  return {
    segments,
    people: everybody.filter((person) => person.left_at === null),
    hasHadHumanParticipants: everybody.some(({ name }) => !isNoteTaker(name)),
    meetingStartedAt: meeting.startedAt,
    coach: { segments, insights: insights.map((row) => ({ ...row, at: row.at.getTime() })) },
  }
}
