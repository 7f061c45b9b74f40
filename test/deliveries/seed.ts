import type { Db } from '../../src/db/open.ts'
import { newMeetingId } from '../../src/meetings/meeting.ts'

export const AT = new Date('2026-11-15T12:00:00.000Z')

/** A live meeting in the database that nobody attends, with a final segment for each given caption. */
export async function seedMeeting(db: Db, { segments }: { segments: string[] }): Promise<string> {
  const id = newMeetingId(AT)
  await db
    .insertInto('meeting')
    .values({
      id,
      platform: 'practice',
      url: 'practice://standup',
      room: 'r',
      label: 'l',
      title: null,
      project: 'api',
      document_path: null,
      callback_url: 'http://127.0.0.1:9/',
      token_id: null,
      options: JSON.stringify({}),
      status: 'live',
      started_at: AT,
      last_sequence: segments.length,
    })
    .execute()
  for (const [i, captionId] of segments.entries()) {
    const sequence = i + 1
    const body = JSON.stringify({ type: 'segment_finalized', sequence, payload: { captionId } })
    const event = { meeting_id: id, sequence, type: 'segment_finalized' as const, at: AT, body }
    await db.insertInto('event').values(event).execute()
  }
  return id
}
