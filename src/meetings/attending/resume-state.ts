import type { Participant } from '../../bots/platforms/platform.ts'
import type { CoachHistory } from '../../coach/rules-coach.ts'
import type { Db } from '../../db/database.ts'
import type { CaptionSegment } from '../captions/turns/segments.ts'
import type { Meeting } from '../meeting.ts'
import { isNoteTakerBotName } from './participants.ts'

/** When a new bot joins, a caption page can show about this many earlier segments again. */
const RESUMED_SEGMENTS = 60

/** What earlier bots of the meeting stored; empty for the first bot. */
export type ResumeState = {
  /** The last segments that earlier bots stored, oldest first. */
  segments: CaptionSegment[]
  /** Participants who were still present when the earlier bot stopped. */
  people: Participant[]
  hasHadHumanParticipants: boolean
  meetingStartedAt: Date
  coach: CoachHistory
}

export async function readResumeState(db: Db, meeting: Meeting): Promise<ResumeState> {
  const rows = await db
    .selectFrom('segment')
    .select(['number', 'caption_id as captionId', 'text', 'started_at'])
    // Captions have the platform's names, not the names that people gave to speakers.
    .select((eb) => eb.fn.coalesce('platform_speaker', 'speaker').as('speaker'))
    .where('meeting_id', '=', meeting.id)
    .orderBy('number', 'desc')
    .limit(RESUMED_SEGMENTS)
    .execute()
  const participants = await db
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
    people: participants.filter(({ left_at }) => left_at === null),
    hasHadHumanParticipants: participants.some(({ name }) => !isNoteTakerBotName(name)),
    meetingStartedAt: meeting.startedAt,
    coach: { segments, insights: insights.map((row) => ({ ...row, at: row.at.getTime() })) },
  }
}
