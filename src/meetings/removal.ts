import { sql } from 'kysely'
import { readsProjectOrNone } from '../access/project-condition.ts'
import { requireAccess } from '../access/subjects.ts'
import { type Viewer, INSTANCE_VIEWER } from '../access/viewer.ts'
import type { Db, Tx } from '../db/database.ts'
import { invalidCursorError, parseCursorOrThrow, cutRowsToPage } from '../db/page-cursor.ts'
import { DELETE_BATCH_SIZE, repeatDeleteBatchUntilDone } from '../db/query-helpers.ts'
import {
  deleteAttemptsOfMeeting,
  deleteLanesOfMeeting,
  abandonExpiredListenerLanes,
  deleteExpiredAttempts,
  deleteExpiredMessages,
  deleteOrphanedDeadLettersAndFinishedReplayLanes,
  eventAwaitsDeliveryCondition,
} from '../deliveries/retention.ts'
import { ServiceError } from '../errors.ts'
import { DAY_MS } from '../lib/time/durations.ts'
import type { Log } from '../log.ts'
import { parsePathInDataFolder } from '../projects/document-ref.ts'
import { deleteIndexedDocuments } from '../projects/index/index-store.ts'
import type { MeetingsContext } from './context.ts'
import { isFinalStatus } from './status.ts'

/**
 * The tables with a meeting's data, by the name of their count in the removal report. Bookmarks are deleted but not
 * counted, because only the person who set one may know about it.
 */
const COUNTED_TABLES = {
  segments: 'segment',
  events: 'event',
  insights: 'insight',
  participants: 'participant',
  evidence: 'evidence',
  chatMessages: 'chat_message',
  comments: 'line_comment',
  // Other writers also lock a meeting, its recap and its action items in this order.
  recaps: 'recap',
  actions: 'action_item',
  recapItems: 'recap_item',
  edits: 'meeting_edit',
  setAsideSegments: 'set_aside_segment',
} as const satisfies Record<string, string>

export const REMOVAL_COUNT_NAMES = [
  'documents',
  'deliveries',
  ...(Object.keys(COUNTED_TABLES) as Array<keyof typeof COUNTED_TABLES>),
] as const
export type RemovedCounts = Record<(typeof REMOVAL_COUNT_NAMES)[number], number>

const NO_COUNTS = Object.fromEntries(REMOVAL_COUNT_NAMES.map((name) => [name, 0])) as RemovedCounts

export type MeetingRemoval = {
  meetingId: string
  at: Date
  removedBy: string
  counts: RemovedCounts
}

export type MeetingRemovalDependencies = Pick<MeetingsContext, 'db' | 'files' | 'documentChanged'>

export type RequestedRemoval = {
  /** Checked again, because the meeting may have been moved since the request was allowed. */
  viewer: Viewer
  removedBy: string
  at: Date
}

/** How many expired meetings one query reads. They are removed one by one. */
const MEETING_BATCH_SIZE = 100

/**
 * Removes a finished meeting and reports what was deleted. The meeting stays locked, so that it is not moved and no
 * recap is written into its document. The document is deleted before the commit: after a crash in between, the meeting
 * can be removed again, but a document without a meeting would never be removed.
 */
export async function removeMeeting(
  { db, files, documentChanged }: MeetingRemovalDependencies,
  id: string,
  { viewer, removedBy, at }: RequestedRemoval,
): Promise<MeetingRemoval> {
  const { counts, path } = await db.transaction().execute(async (tx) => {
    const meeting = await lockMeeting(tx, id)
    await requireAccess(tx, viewer, { kind: 'meeting', id, action: 'edit' })
    if (!isFinalStatus(meeting.status)) throw new ServiceError('meeting_active')
    const { project, document_path: documentPath } = meeting
    const place = documentPath === null ? null : parsePathInDataFolder(documentPath)
    const hadDocument = place !== null && (await files.inTransaction(tx).remove(place))
    if (place !== null) await deleteIndexedDocuments(tx, [place])
    const removed = { documents: hadDocument ? 1 : 0, ...(await removeRows(tx, id)) }
    await tx
      .insertInto('removal')
      .values({
        at,
        meeting_id: id,
        removed_by: removedBy,
        project,
        counts: JSON.stringify(removed),
      })
      .execute()
    return { counts: removed, path: documentPath }
  })
  if (path !== null) await documentChanged(path)
  return { meetingId: id, at, removedBy, counts }
}

async function lockMeeting(tx: Tx, id: string) {
  const row = await tx
    .selectFrom('meeting')
    .select(['project', 'status', 'document_path'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (row === undefined) throw new ServiceError('meeting_not_found')
  return row
}

/**
 * Deletes the rows of a locked meeting, after its delivery lanes. The lock waits for transactions that add rows. Later
 * ones find neither meeting nor lane, so the tables stay empty.
 */
async function removeRows(tx: Tx, id: string): Promise<Omit<RemovedCounts, 'documents'>> {
  await deleteLanesOfMeeting(tx, id)
  const counts: Array<[string, number]> = [['deliveries', await deleteAttemptsOfMeeting(tx, id)]]
  for (const [name, table] of Object.entries(COUNTED_TABLES)) {
    const deleted = await tx.deleteFrom(table).where('meeting_id', '=', id).executeTakeFirst()
    counts.push([name, Number(deleted.numDeletedRows)])
  }
  await tx.deleteFrom('meeting').where('id', '=', id).execute()
  return Object.fromEntries(counts) as Omit<RemovedCounts, 'documents'>
}

/** Lists the records of removed meetings, newest first. */
export async function listMeetingRemovals(
  db: Db,
  viewer: Viewer,
  limit: number,
  cursor: string | undefined,
): Promise<{ removals: MeetingRemoval[]; nextCursor: string | null }> {
  const [before] = cursor === undefined ? [] : parseRemovalCursor(cursor)
  const rows = await db
    .selectFrom('removal')
    .selectAll()
    .where(readsProjectOrNone(viewer, 'removal.project'))
    .$if(before !== undefined, (query) => query.where('id', '<', before ?? ''))
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute()
  const { items, nextCursor } = cutRowsToPage(rows, limit, ({ id }) => [id])
  return {
    removals: items.map((row) => ({
      meetingId: row.meeting_id,
      at: row.at,
      removedBy: row.removed_by,
      // Records of earlier versions lack some counts.
      counts: { ...NO_COUNTS, ...row.counts },
    })),
    nextCursor,
  }
}

function parseRemovalCursor(cursor: string): string[] {
  const key = parseCursorOrThrow(cursor, 1)
  if (!/^\d{1,18}$/.test(key[0] ?? '')) throw invalidCursorError()
  return key
}

/**
 * Deletes events of meetings that ended more than `days` ago, with their delivery attempts. Segments, counts, and
 * events that a lane still has to deliver stay.
 */
export async function deleteExpiredEventsAndDeliveries(
  db: Db,
  now: Date,
  days: number,
): Promise<void> {
  const before = new Date(now.getTime() - days * DAY_MS)
  await deleteExpiredAttempts(db, before)
  await deleteExpiredMessages(db, before)
  await abandonExpiredListenerLanes(db, before)
  await repeatDeleteBatchUntilDone(() =>
    sql`delete from event where (meeting_id, sequence) in
      (select e.meeting_id, e.sequence from event e join meeting m on m.id = e.meeting_id
       where e.at < ${before} and coalesce(m.imported_at, m.ended_at) < ${before} and not ${eventAwaitsDeliveryCondition}
       limit ${DELETE_BATCH_SIZE})`.execute(db),
  )
  await deleteOrphanedDeadLettersAndFinishedReplayLanes(db, before)
}

/** Removes meetings that ended or were imported more than `days` ago, with all their data. */
export async function deleteExpiredMeetings(
  parts: MeetingRemovalDependencies & { log: Log },
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
      .where((eb) => eb.or([eb('imported_at', 'is', null), eb('imported_at', '<', before)]))
      .orderBy('ended_at')
      .limit(MEETING_BATCH_SIZE)
      .execute()
    for (const { id } of rows) {
      const counts = await removeExpiredMeeting(parts, id, now)
      if (counts === null) continue
      for (const [name, count] of Object.entries(counts)) {
        totals.set(name, (totals.get(name) ?? 0) + count)
      }
      removed += 1
    }
    if (rows.length < MEETING_BATCH_SIZE) break
  }
  if (removed > 0) {
    log.info({ meetings: removed, days, ...Object.fromEntries(totals) }, 'removed expired meetings')
  }
  return removed
}

/** Returns null if the meeting was removed in the meantime. */
async function removeExpiredMeeting(
  parts: MeetingRemovalDependencies,
  id: string,
  at: Date,
): Promise<RemovedCounts | null> {
  const removal = { viewer: INSTANCE_VIEWER, removedBy: 'retention', at }
  try {
    return (await removeMeeting(parts, id, removal)).counts
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'meeting_not_found') return null
    throw error
  }
}
