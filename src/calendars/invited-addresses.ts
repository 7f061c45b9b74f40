import type { Db } from '../db/database.ts'

/** Who was invited to a meeting from a calendar. Empty if no calendar knows attendees of the meeting. */
export type Invitation = {
  /** The email addresses of everyone who did not decline. */
  addresses: string[]
  /** Those of people: no rooms, resources and groups, and nobody who declined in any calendar. */
  people: string[]
}

/** Google's addresses of calendars, which nobody reads. */
const CALENDAR_ADDRESS = /\.calendar\.google\.com$/

export async function readInvitation(db: Db, meetingId: string): Promise<Invitation> {
  const rows = await db
    .selectFrom('occurrence')
    .select(['organizer', 'attendees'])
    .where('meeting_id', '=', meetingId)
    .execute()
  const invitations = rows.filter(({ attendees }) => attendees.length > 0)
  const attendees = invitations.flatMap((invitation) => invitation.attendees)
  const organizers = invitations.flatMap(({ organizer }) => organizer ?? [])
  const accepting = attendees.filter(({ response }) => response !== 'declined')
  const addresses = new Set([...organizers, ...accepting.map(({ address }) => address)])
  const others = new Set(
    attendees
      .filter(({ response, isPerson }) => response === 'declined' || isPerson === false)
      .map(({ address }) => address),
  )
  const people = [...addresses].filter(
    (address) => !others.has(address) && !CALENDAR_ADDRESS.test(address),
  )
  return { addresses: [...addresses], people }
}
