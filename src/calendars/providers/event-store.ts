import { sql } from 'kysely'
import type { Db, Tx } from '../../db/database.ts'
import { applyChanges, type EventChanges, type StoredEvent } from './stored-event.ts'

const BATCH = 500

/** What a provider last reported of a calendar's events. */
export async function readStoredEvents(db: Db, calendarId: string): Promise<StoredEvent[]> {
  const rows = await db
    .selectFrom('calendar_event')
    .select('data')
    .where('calendar_id', '=', calendarId)
    .orderBy('event_id')
    .execute()
  return rows.map(({ data }) => data)
}

/** Stores what a read found, in the transaction that plans it. */
export async function storeEventChanges(
  tx: Tx,
  calendarId: string,
  changes: EventChanges,
): Promise<void> {
  const { replacesAll, removedIds } = changes
  if (replacesAll)
    await tx.deleteFrom('calendar_event').where('calendar_id', '=', calendarId).execute()
  else if (removedIds.length > 0)
    await tx
      .deleteFrom('calendar_event')
      .where('calendar_id', '=', calendarId)
      .where(
        sql<boolean>`(event_id = any(${removedIds}::text[]) or data->>'seriesId' = any(${removedIds}::text[]))`,
      )
      .execute()
  // Without an event twice, which one statement could not store.
  const changed = applyChanges([], changes)
  for (let i = 0; i < changed.length; i += BATCH) {
    const rows = changed.slice(i, i + BATCH)
    await tx
      .insertInto('calendar_event')
      .values(
        rows.map((event) => ({
          calendar_id: calendarId,
          event_id: event.id,
          data: JSON.stringify(event),
        })),
      )
      .onConflict((conflict) =>
        conflict.columns(['calendar_id', 'event_id']).doUpdateSet({ data: sql`excluded.data` }),
      )
      .execute()
  }
}
