import { sql } from 'kysely'
import type { Tx } from '../../db/database.ts'
import type { Meetings } from '../../meetings/meetings.ts'
import { renameScheduledMeeting } from '../../meetings/scheduling/scheduled-meetings.ts'
import type { OccurrenceRow } from '../planning/occurrence-store.ts'
import type { Planned } from '../planning/plan-calendar.ts'

export type MeetingChanger = Pick<Meetings, 'reschedule' | 'withdraw'>

type WaitingOccurrence = Pick<
  OccurrenceRow,
  'id' | 'decision' | 'starts_at' | 'ends_at' | 'title'
> & {
  meeting_id: string
  isMoved: boolean
  isSameLink: boolean
}

/** The calendar, and the rooms that were planned. */
export type Aligned = Planned & { calendarId: string; project: string }

/**
 * Changes or withdraws meetings that no longer match the plan, in the plan's transaction. A meeting that is already
 * taking place stays: its bot leaves by itself when it is alone. The caller holds the planning lock.
 */
export async function alignMeetings(
  tx: Tx,
  meetings: MeetingChanger,
  { calendarId, project, rooms, changedIds }: Aligned,
): Promise<void> {
  const { rows } = await sql<WaitingOccurrence>`
    select o.id, o.meeting_id, o.decision, o.starts_at, o.ends_at, o.title,
      o.attended_start is distinct from o.starts_at as "isMoved",
      m.url is not distinct from o.url as "isSameLink"
    from occurrence o join meeting m on m.id = o.meeting_id join calendar c on c.id = o.calendar_id
    where (o.calendar_id = ${calendarId} or o.room = any(${rooms}::text[]) and c.project = ${project})
      and m.status not in ('ended', 'error')
      and (o.attended_start <> o.starts_at or (o.decision = 'skip' and o.reason not in ('past', 'missed'))
        or m.url is distinct from o.url or o.id = any(${changedIds}::text[]))
    order by o.id for update of o`.execute(tx)
  for (const row of rows) await alignMeeting(tx, meetings, row)
}

async function alignMeeting(
  tx: Tx,
  meetings: MeetingChanger,
  row: WaitingOccurrence,
): Promise<void> {
  const { id, meeting_id, starts_at } = row
  // With another link it is another meeting.
  const isKept = row.decision === 'join' && row.isSameLink
  if (isKept && (await meetings.reschedule(tx, meeting_id, starts_at, row.ends_at))) {
    await renameScheduledMeeting(tx, meeting_id, toMeetingTitle(row.title))
    await setMeeting(tx, id, { meeting_id, attended_start: starts_at })
    return
  }
  // The meeting has begun, at the right time and link. Only its title or end may differ, which does not matter.
  if (isKept && !row.isMoved) return
  if (await meetings.withdraw(tx, meeting_id))
    await setMeeting(tx, id, { meeting_id: null, attended_start: null })
}

/** Withdraws a calendar's meetings that are waiting for their join time. */
export async function withdrawMeetingsOfCalendar(
  tx: Tx,
  meetings: MeetingChanger,
  occurrences: ReadonlyArray<Pick<OccurrenceRow, 'id' | 'meeting_id'>>,
): Promise<void> {
  for (const { id, meeting_id } of occurrences) {
    if (meeting_id !== null && (await meetings.withdraw(tx, meeting_id)))
      await setMeeting(tx, id, { meeting_id: null, attended_start: null })
  }
}

async function setMeeting(
  tx: Tx,
  id: string,
  columns: Pick<OccurrenceRow, 'meeting_id' | 'attended_start'>,
): Promise<void> {
  await tx.updateTable('occurrence').set(columns).where('id', '=', id).execute()
}

/** The title for an occurrence's meeting; null if the invitation has none. */
export function toMeetingTitle(title: string): string | null {
  const trimmed = title.trim()
  return trimmed === '' ? null : trimmed
}
