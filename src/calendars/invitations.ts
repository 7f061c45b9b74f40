import type { Db, Tx } from '../db/database.ts'
import type { OccurrenceRow } from './planning/occurrence-store.ts'

/** More invited people are not stored: earlier meetings of such a crowd say nothing about one of them. */
const MAX_STORED = 100
/** Longer ones are not email addresses, and too long for an index. */
const MAX_ADDRESS_CHARS = 320

/** The form in which most organizations make addresses of names. */
const NAME_IN_ADDRESS = /^([a-z]{2,30})[._]([a-z]{2,30})@/
/** Google's addresses of calendars, which nobody reads. */
const CALENDAR_ADDRESS = /\.calendar\.google\.com$/

type Invitation = Pick<OccurrenceRow, 'organizer' | 'attendees'>

/** Who was invited to a meeting from a calendar. Empty if no calendar knows attendees of the meeting. */
export type Invited = {
  /** The email addresses of everyone who did not decline. */
  addresses: string[]
  /** The same without rooms, resources, groups, and people who declined in any calendar. */
  people: string[]
}

export async function readInvited(db: Db, meetingId: string): Promise<Invited> {
  const invitations = await db
    .selectFrom('occurrence')
    .select(['organizer', 'attendees'])
    .where('meeting_id', '=', meetingId)
    .execute()
  const addresses = [...new Set(invitations.flatMap(listInvited))]
  const others = new Set(
    invitations
      .flatMap(({ attendees }) => attendees)
      .filter(({ response, isPerson }) => response === 'declined' || isPerson === false)
      .map(({ address }) => address),
  )
  const people = addresses.filter(
    (address) => !others.has(address) && !CALENDAR_ADDRESS.test(address),
  )
  return { addresses, people }
}

/** The names of the people who were invited and did not decline, as far as the calendar or the address has them. */
export async function listInvitedNames(db: Db, meetingId: string): Promise<string[]> {
  const invitations = await db
    .selectFrom('occurrence')
    .select('attendees')
    .where('meeting_id', '=', meetingId)
    .execute()
  const people = invitations
    .flatMap(({ attendees }) => attendees)
    .filter(({ response, isPerson }) => response !== 'declined' && isPerson !== false)
  return [...new Set(people.flatMap(({ name, address }) => name ?? guessName(address) ?? []))]
}

/** "Ada Lovelace" for `ada.lovelace@example.com`; null for an address that is not made of two names. */
function guessName(address: string): string | null {
  const found = NAME_IN_ADDRESS.exec(address)
  if (found === null) return null
  return found.slice(1).map(capitalize).join(' ')
}

function capitalize(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1)
}

/** The addresses of the people who are expected. Empty for an event without attendees. */
export function listInvited({ organizer, attendees }: Invitation): string[] {
  if (attendees.length === 0) return []
  const invited = attendees.filter(({ response }) => response !== 'declined')
  return [...new Set([organizer ?? [], ...invited.map(({ address }) => address)].flat())]
}

/** Stores the series and the people of an occurrence's meeting, in the transaction that creates the meeting. */
export async function storeInvitation(
  tx: Tx,
  occurrence: Invitation & Pick<OccurrenceRow, 'uid' | 'starts_at'>,
  meetingId: string,
): Promise<void> {
  const common = { meeting_id: meetingId, starts_at: occurrence.starts_at }
  await tx
    .insertInto('meeting_invitation')
    .values({ ...common, series: occurrence.uid })
    .execute()
  const invited = listInvited(occurrence)
    .filter((address) => address.length <= MAX_ADDRESS_CHARS)
    .slice(0, MAX_STORED)
  if (invited.length === 0) return
  const rows = invited.map((address) => ({ ...common, address }))
  await tx.insertInto('meeting_invitee').values(rows).execute()
}
