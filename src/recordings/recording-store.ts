import { sql, type Updateable } from 'kysely'
import { readsProject } from '../access/project-condition.ts'
import type { Viewer } from '../access/viewer.ts'
import type { Db, Tx } from '../db/database.ts'
import type { Database } from '../db/schema.ts'
import { buildClaimableCondition, holdsRowLease } from '../db/nodes/leased-rows.ts'
import type { RecordingInfo } from './decoding/decoder-messages.ts'
import type { Recording, StoredRecordingState } from './recording.ts'

/** A node's right to write to a recording. */
export type RecordingLease = { id: string; nodeId: string; fence: number }

/** A claim, with what is needed to recognize the recording. */
export type ClaimedRecording = RecordingLease & {
  project: string
  viewer: Viewer
  tokenId: string | null
  fileName: string
  title: string | null
  startedAt: Date | null
  language: string | null
  recapLanguage: string | null
  byteCount: number
  sealedKey: Buffer
  createdAt: Date
  info: RecordingInfo
  hasChannelSpeakers: boolean | null
  positionMs: number
  lostMs: number
  lineCount: number
  attempts: number
}

export type RecordedLine = { channel: number; text: string; startMs: number }

/** Another node owns the recording, or it was removed. */
export class RecordingLost extends Error {}

export const OPEN_STATES = ['uploading', 'waiting'] as const satisfies StoredRecordingState[]

export function selectRecordings(db: Db) {
  return db.selectFrom('recording').select((eb) => [
    'id',
    'project',
    'file_name as fileName',
    'title',
    'state',
    'owner',
    'byte_count as byteCount',
    'created_at as createdAt',
    'info',
    'position_ms as positionMs',
    'detail',
    'meeting_id as meetingId',
    eb
      .selectFrom('recording_chunk')
      .select(({ fn }) => fn.countAll<string>().as('count'))
      .whereRef('recording_id', '=', 'recording.id')
      .as('partCount'),
  ])
}

type Row = Awaited<ReturnType<ReturnType<typeof selectRecordings>['execute']>>[number]

export function toRecording({ owner, byteCount, partCount, ...row }: Row): Recording {
  const isProcessing = row.state === 'waiting' && owner !== null
  return {
    ...row,
    state: isProcessing ? 'processing' : row.state,
    byteCount: Number(byteCount),
    partCount: Number(partCount ?? 0),
  }
}

export async function listRecordings(db: Db, viewer: Viewer, limit: number): Promise<Recording[]> {
  const rows = await selectRecordings(db)
    .where(readsProject(viewer, 'recording.project'))
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(toRecording)
}

/** Claims recordings without a live owner that are due, the oldest first. */
export async function claimDueRecordings(
  db: Db,
  nodeId: string,
  { now, limit, isEnglishOnly }: { now: Date; limit: number; isEnglishOnly: boolean },
): Promise<ClaimedRecording[]> {
  const isPossible = isEnglishOnly
    ? sql`(r.language is null or r.language ~* '^en(-|$)')`
    : sql`true`
  const { rows } = await sql<Omit<ClaimedRecording, 'nodeId'>>`
    update recording set owner = ${nodeId}, fence = recording.fence + 1
    from (
      select r.id from recording r
      where r.state = 'waiting' and r.due_at <= ${now} and ${isPossible} and ${buildClaimableCondition('r', nodeId)}
      order by r.due_at limit ${limit} for update of r skip locked
    ) as due
    where recording.id = due.id
    returning recording.id, fence, project, viewer, token_id as "tokenId", file_name as "fileName", title,
      started_at as "startedAt", language, recap_language as "recapLanguage", byte_count::float8 as "byteCount",
      key_sealed as "sealedKey", created_at as "createdAt", info, has_channel_speakers as "hasChannelSpeakers",
      position_ms as "positionMs", lost_ms as "lostMs", line_count as "lineCount", attempts`.execute(
    db,
  )
  return rows.map((row) => ({ ...row, nodeId }))
}

type Progress = Pick<ClaimedRecording, 'positionMs' | 'lostMs'> & { lines: readonly RecordedLine[] }

/** Stores what was recognized up to a position. Throws `RecordingLost` without storing anything if the lease was lost. */
export async function saveProgress(
  db: Db,
  claimed: ClaimedRecording,
  { positionMs, lostMs, lines }: Progress,
  now: Date,
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await changeOwned(tx, claimed, {
      position_ms: Math.round(positionMs),
      lost_ms: Math.round(lostMs),
      line_count: claimed.lineCount + lines.length,
      attempts: 0,
      changed_at: now,
    })
    if (lines.length === 0) return
    const rows = lines.map(({ channel, text, startMs }, index) => ({
      recording_id: claimed.id,
      number: claimed.lineCount + index + 1,
      channel,
      text,
      start_ms: Math.round(startMs),
    }))
    await tx.insertInto('recording_line').values(rows).execute()
  })
}

type Changes = Updateable<Database['recording']>

function updateOwned(db: Db, { id, nodeId, fence }: RecordingLease) {
  return db.updateTable('recording').where(holdsRowLease({ id, nodeId, fence }))
}

/** Changes a recording. Throws `RecordingLost` if the lease was lost. */
export async function changeOwned(db: Db, lease: RecordingLease, changes: Changes): Promise<void> {
  const { numUpdatedRows } = await updateOwned(db, lease).set(changes).executeTakeFirst()
  if (numUpdatedRows === 0n) throw new RecordingLost(lease.id)
}

export function readLines(db: Db, id: string): Promise<RecordedLine[]> {
  return db
    .selectFrom('recording_line')
    .select(['channel', 'text', 'start_ms as startMs'])
    .where('recording_id', '=', id)
    .orderBy('start_ms')
    .orderBy('number')
    .execute()
}

/** Ends a recording, and deletes its sound with its key, and its lines. */
export async function endRecording(
  tx: Tx,
  lease: RecordingLease,
  end: { state: 'imported' | 'failed'; detail: string | null; meetingId?: string },
  now: Date,
): Promise<void> {
  await changeOwned(tx, lease, {
    state: end.state,
    detail: end.detail,
    ...(end.meetingId !== undefined && { meeting_id: end.meetingId }),
    key_sealed: null,
    owner: null,
    changed_at: now,
  })
  await deleteSound(tx, lease.id)
}

export async function deleteSound(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('recording_chunk').where('recording_id', '=', id).execute()
  await tx.deleteFrom('recording_line').where('recording_id', '=', id).execute()
}
