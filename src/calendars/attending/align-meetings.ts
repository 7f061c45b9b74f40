import { sql } from 'kysely'
import type { Tx } from '../../db/database.ts'
import type { Meetings } from '../../meetings/meetings.ts'
import type { OccurrenceRow } from '../planning/occurrence-store.ts'

export type MeetingChanger = Pick<Meetings, 'reschedule' | 'withdraw'>

type MisalignedOccurrence = Pick<OccurrenceRow, 'id' | 'decision' | 'starts_at' | 'ends_at'> & {
  meeting_id: string
}

/**
 * Moves or withdraws meetings that do not match what is planned any more, in the transaction of the plan. A meeting that
 * already takes place stays: its bot leaves by itself when it is alone. The caller holds the planning lock.
 */
export async function alignMeetings(tx: Tx, meetings: MeetingChanger): Promise<void> {
  const { rows } = await sql<MisalignedOccurrence>`
    select o.id, o.meeting_id, o.decision, o.starts_at, o.ends_at
    from occurrence o join meeting m on m.id = o.meeting_id
    where m.status not in ('ended', 'error')
      and (o.attended_start <> o.starts_at or (o.decision = 'skip' and o.reason <> 'past'))
    order by o.id for update of o`.execute(tx)
  for (const row of rows) {
    const isMoved = row.decision === 'join'
    if (isMoved && (await meetings.reschedule(tx, row.meeting_id, row.starts_at, row.ends_at)))
      await setMeeting(tx, row.id, { meeting_id: row.meeting_id, attended_start: row.starts_at })
    else if (await meetings.withdraw(tx, row.meeting_id))
      await setMeeting(tx, row.id, { meeting_id: null, attended_start: null })
  }
}

/** Withdraws the meetings of a calendar that wait for their time. */
export async function withdrawMeetingsOfCalendar(
  tx: Tx,
  meetings: MeetingChanger,
  occurrences: readonly OccurrenceRow[],
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
