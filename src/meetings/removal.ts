import { sql } from 'kysely'
import { ServiceError } from '../errors.ts'
import type { Db } from '../db/database.ts'
import type { Log } from '../log.ts'
import { parseDocumentPath, removeDocumentAt } from '../projects/document-ref.ts'
import type { Meeting } from './meeting.ts'
import { isFinal } from './status.ts'
import { findMeeting, type Tx } from './store.ts'

/** What is kept of a meeting, by the name that the report gives it. */
const COUNTED_TABLES = {
  segments: 'segment',
  events: 'event',
  insights: 'insight',
  participants: 'participant',
  deliveries: 'delivery_attempt',
  evidence: 'evidence',
} as const satisfies Record<string, string>

export const REMOVED_COUNTS = [
  'documents',
  ...(Object.keys(COUNTED_TABLES) as Array<keyof typeof COUNTED_TABLES>),
] as const
export type RemovedCounts = Record<(typeof REMOVED_COUNTS)[number], number>

export type MeetingRemoval = {
  meetingId: string
  at: Date
  removedBy: string
  counts: RemovedCounts
}

type Parts = {
  db: Db
  /** The data folder. */
  root: string
  documentChanged(documentPath: string): Promise<void>
}

/**
 * The document goes first: after a crash in between the meeting is still there and can be removed again,
 * whereas a document without its meeting would stay for ever.
 */
export async function removeMeeting(
  { db, root, documentChanged }: Parts,
  meeting: Meeting,
  by: string,
  at: Date,
): Promise<MeetingRemoval> {
  const { id, status, documentPath } = meeting
  if (!isFinal(status)) throw new ServiceError('meeting_active')
  const place = documentPath === null ? null : parseDocumentPath(documentPath)
  const hadDocument = place !== null && (await removeDocumentAt(root, place))
  if (documentPath !== null) await documentChanged(documentPath)
  const counts = await db.transaction().execute(async (tx) => {
    const removed = { documents: hadDocument ? 1 : 0, ...(await removeRows(tx, id)) }
    await tx
      .insertInto('removal')
      .values({ at, meeting_id: id, removed_by: by, counts: JSON.stringify(removed) })
      .execute()
    return removed
  })
  return { meetingId: id, at, removedBy: by, counts }
}

/**
 * The row of the meeting and those of its lanes go first: who is writing down something for them is waited for,
 * and who comes later finds that they are gone. So no row stays behind of those that follow by hand.
 */
async function removeRows(tx: Tx, id: string): Promise<Omit<RemovedCounts, 'documents'>> {
  const { rows } = await sql`select 1 from meeting where id = ${id} for update`.execute(tx)
  if (rows.length === 0) throw new ServiceError('meeting_not_found')
  await tx.deleteFrom('lane').where('meeting_id', '=', id).execute()
  const counts: Array<[string, number]> = []
  for (const [name, table] of Object.entries(COUNTED_TABLES)) {
    const gone = await tx.deleteFrom(table).where('meeting_id', '=', id).executeTakeFirst()
    counts.push([name, Number(gone.numDeletedRows)])
  }
  await tx.deleteFrom('meeting').where('id', '=', id).execute()
  return Object.fromEntries(counts) as Omit<RemovedCounts, 'documents'>
}

const DAY_MS = 24 * 60 * 60 * 1000
const BATCH_SIZE = 100

/** Removes meetings that were over so many days ago, all that is kept of them included. */
export async function deleteExpiredMeetings(
  parts: Parts & { log: Log },
  now: Date,
  days: number,
): Promise<number> {
  const { db, log } = parts
  const before = new Date(now.getTime() - days * DAY_MS)
  const totals = new Map<string, number>()
  let removed = 0
  for (;;) {
    const rows = await db
      .selectFrom('meeting')
      .select('id')
      .where('ended_at', '<', before)
      .orderBy('ended_at')
      .limit(BATCH_SIZE)
      .execute()
    for (const { id } of rows) {
      const meeting = await findMeeting(db, id)
      if (meeting === null) continue
      const { counts } = await removeMeeting(parts, meeting, 'retention', now)
      for (const [name, count] of Object.entries(counts)) {
        totals.set(name, (totals.get(name) ?? 0) + count)
      }
      removed += 1
    }
    if (rows.length < BATCH_SIZE) break
  }
  if (removed > 0)
    log.info({ meetings: removed, days, ...Object.fromEntries(totals) }, 'meetings removed')
  return removed
}

/** Newest first. */
export async function listMeetingRemovals(
  db: Db,
  limit: number,
  before: string | undefined,
): Promise<{ removals: MeetingRemoval[]; nextCursor: string | null }> {
  const rows = await db
    .selectFrom('removal')
    .selectAll()
    .$if(before !== undefined, (query) => query.where('id', '<', before ?? ''))
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute()
  const page = rows.slice(0, limit)
  return {
    removals: page.map((row) => ({
      meetingId: row.meeting_id,
      at: row.at,
      removedBy: row.removed_by,
      counts: row.counts as RemovedCounts,
    })),
    nextCursor: rows.length > limit ? (page.at(-1)?.id ?? null) : null,
  }
}
