import type { Db } from '../../db/database.ts'
import { ServiceError } from '../../errors.ts'
import { requireMeeting } from '../record/meeting-store.ts'

/** Throws unless the meeting exists and has a line with this number. */
export async function requireLine(db: Db, meetingId: string, segmentNumber: number): Promise<void> {
  const segment = await db
    .selectFrom('segment')
    .select('number')
    .where('meeting_id', '=', meetingId)
    .where('number', '=', segmentNumber)
    .executeTakeFirst()
  if (segment !== undefined) return
  await requireMeeting(db, meetingId)
  throw new ServiceError('line_not_found')
}
