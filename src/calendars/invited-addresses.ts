import type { Db } from '../db/database.ts'

/**
 * The email addresses of everyone who was invited to a meeting from a calendar and did not decline. Empty if no
 * calendar knows attendees of the meeting.
 */
export async function listInvitedAddresses(db: Db, meetingId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('occurrence')
    .select(['organizer', 'attendees'])
    .where('meeting_id', '=', meetingId)
    .execute()
  const invitations = rows.filter(({ attendees }) => attendees.length > 0)
  const addresses = invitations.flatMap(({ organizer, attendees }) => [
    ...(organizer === null ? [] : [organizer]),
    ...attendees.filter(({ response }) => response !== 'declined').map(({ address }) => address),
  ])
  return [...new Set(addresses)]
}
