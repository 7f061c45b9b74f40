import type { Db } from '../../src/db/database.ts'
import { SEED_TIME, seedMeeting as insertMeeting } from '../support/meetings/seed-meeting.ts'

export { SEED_TIME }

/** Inserts a live meeting without a bot, with one final segment for each given caption. */
export async function seedMeetingWithSegments(
  db: Db,
  { segments }: { segments: string[] },
): Promise<string> {
  const id = await insertMeeting(db, {
    callback_url: 'http://127.0.0.1:9/',
    options: JSON.stringify({}),
    last_sequence: segments.length,
    fence: 0,
  })
  for (const [i, captionId] of segments.entries()) {
    const sequence = i + 1
    const body = JSON.stringify({ type: 'segment_finalized', sequence, payload: { captionId } })
    const event = {
      meeting_id: id,
      sequence,
      type: 'segment_finalized' as const,
      at: SEED_TIME,
      body,
    }
    await db.insertInto('event').values(event).execute()
  }
  return id
}
