import { sql, type RawBuilder } from 'kysely'
import type { Tx } from '../../db/database.ts'

/** Replaces lines that are no longer part of the transcript by the nearest ones that are. */
export async function moveToNearestLines(tx: Tx, meetingId: string): Promise<void> {
  for (const table of ['action_item', 'recap_item'])
    await sql`update ${sql.table(table)} set segment_numbers = ${toNearest('segment_numbers', meetingId)},
        found_segment_numbers = ${toNearest('found_segment_numbers', meetingId)}
      where meeting_id = ${meetingId}`.execute(tx)
}

function toNearest(column: string, meetingId: string): RawBuilder<unknown> {
  return sql`case when ${sql.ref(column)} is null then null else array(
    select distinct coalesce(aside.nearest, cited.number)
    from unnest(${sql.ref(column)}) as cited(number)
    left join set_aside_segment as aside on aside.meeting_id = ${meetingId} and aside.number = cited.number
    order by 1) end`
}
