import { sql } from 'kysely'
import type { Db, Tx } from '../db/database.ts'
import { doublingDelayMs } from '../lib/time/backoff.ts'
import { HOUR_MS, MINUTE_MS } from '../lib/time/durations.ts'
import { cutRowsToPage, parseTimeCursorOrThrow, toTimeSortKey } from '../db/page-cursor.ts'
import type { ConnectionKind, FoundTranscriptRow, TranscriptState } from './connection.ts'
import { holdsLease, type ConnectionLease } from './connection-store.ts'
import type { ListedTranscript } from './provider.ts'
import { describeProblem, type ProblemCode, type ReadProblem } from './problems.ts'

const MAX_ATTEMPTS = 10
const MAX_RETRY_MS = 4 * HOUR_MS

/** This node no longer reads the connection: it was changed, removed, or claimed by another node. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost'
}

export type DueOrganizer = { address: string; userId: string | null; syncLink: string | null }

/** The organizers that were not read since then, those who wait longest first. */
export function listDueOrganizers(db: Db, connectionId: string, since: Date) {
  return db
    .selectFrom('connection_organizer')
    .select(['address', 'user_id as userId', 'sync_link as syncLink'])
    .where('connection_id', '=', connectionId)
    .where((eb) =>
      eb.or([
        eb('polled_at', 'is', null),
        eb('polled_at', '<', since),
        // Reported after the last read began.
        eb('reported_at', '>=', eb.ref('polled_at')),
      ]),
    )
    .orderBy(sql`polled_at nulls first`)
    .orderBy('address')
    .execute() as Promise<DueOrganizer[]>
}

type OrganizerChange = {
  userId?: string | null
  syncLink?: string | null
  problem?: ReadProblem | null
  /** When the read began. Set when the list was read to its end, or could not be read. */
  polledAt?: Date
  readAt?: Date
}

export type OrganizerPage = {
  lease: ConnectionLease
  address: string
  userId: string
  transcripts: readonly ListedTranscript[]
  /** Transcripts from before this time are not stored, even if the provider lists them. */
  readsFrom: Date
  change: OrganizerChange
}

/** Stores a page of the list together with the link that follows it, so that no transcript is lost or listed twice. */
export function storePage(db: Db, page: OrganizerPage, now: Date): Promise<void> {
  const { lease, address, userId, transcripts, readsFrom } = page
  const rows = transcripts
    .filter(({ beganAt }) => beganAt >= readsFrom)
    .map(({ id, meetingId, beganAt, endedAt, revision }) => ({
      id,
      meeting_id: meetingId,
      began_at: beganAt.toISOString(),
      ended_at: endedAt?.toISOString() ?? null,
      revision,
    }))
  return db.transaction().execute(async (tx) => {
    await changeOrganizer(tx, lease, address, page.change)
    // A provider lists old transcripts again, often without a change. A stored one is compared with its content.
    await sql`
      insert into connection_transcript (connection_id, transcript_id, organizer, user_id, online_meeting_id, began_at,
        ended_at, revision, state, next_attempt_at, found_at)
      select distinct on (t.id) ${lease.connectionId}, t.id, ${address}, ${userId}, t.meeting_id, t.began_at,
        t.ended_at, t.revision, 'waiting', ${now}::timestamptz, ${now}::timestamptz
      from json_to_recordset(${JSON.stringify(rows)}::json) as t (id text, meeting_id text,
        began_at timestamptz, ended_at timestamptz, revision text)
      on conflict (connection_id, transcript_id) do update
      set next_attempt_at = ${now}, revision = excluded.revision
      where connection_transcript.state = 'imported'
        and (excluded.revision is null or excluded.revision is distinct from connection_transcript.revision)`.execute(
      tx,
    )
  })
}

export async function changeOrganizer(
  db: Db,
  lease: ConnectionLease,
  address: string,
  { userId, syncLink, problem, polledAt, readAt }: OrganizerChange,
): Promise<void> {
  const { numUpdatedRows } = await db
    .updateTable('connection_organizer')
    .set({
      ...(userId !== undefined && { user_id: userId }),
      ...(syncLink !== undefined && { sync_link: syncLink }),
      ...(problem !== undefined && toProblemColumns(problem)),
      ...(polledAt !== undefined && { polled_at: polledAt }),
      ...(readAt !== undefined && { read_at: readAt }),
    })
    .where('connection_id', '=', lease.connectionId)
    .where('address', '=', address)
    .where(holdsLease(lease))
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw new LeaseLost()
}

export function toProblemColumns(problem: ReadProblem | null) {
  return { problem: problem?.code ?? null, problem_detail: problem?.detail ?? null }
}

export type DueTranscript = {
  transcriptId: string
  organizer: string
  userId: string
  onlineMeetingId: string
  beganAt: Date
  endedAt: Date | null
  state: TranscriptState
  attempts: number
  contentSha256: Buffer | null
}

/** Transcripts to read now, the oldest first. */
export function listDueTranscripts(
  db: Db,
  connectionId: string,
  now: Date,
  limit: number,
): Promise<DueTranscript[]> {
  return db
    .selectFrom('connection_transcript')
    .select(['transcript_id as transcriptId', 'organizer', 'user_id as userId', 'attempts'])
    .select(['online_meeting_id as onlineMeetingId', 'began_at as beganAt', 'state'])
    .select('ended_at as endedAt')
    .select('content_sha256 as contentSha256')
    .where('connection_id', '=', connectionId)
    .where('next_attempt_at', '<=', now)
    .orderBy('began_at')
    .orderBy('transcript_id')
    .limit(limit)
    .execute()
}

/** When the next transcript has to be read; null if none waits. */
export async function findNextAttempt(db: Db, connectionId: string): Promise<Date | null> {
  const { at } = await db
    .selectFrom('connection_transcript')
    .select((eb) => eb.fn.min('next_attempt_at').as('at'))
    .where('connection_id', '=', connectionId)
    .where('next_attempt_at', 'is not', null)
    .executeTakeFirstOrThrow()
  return at
}

type TranscriptChange = {
  state: TranscriptState
  problem?: ReadProblem | null
  attempts?: number
  nextAttemptAt: Date | null
  meetingId?: string
  contentSha256?: Buffer
  changedAt?: Date
}

/** Changes a transcript that still has the state in which it was found to be due. Throws `LeaseLost` otherwise. */
export async function changeTranscript(
  db: Db | Tx,
  lease: ConnectionLease,
  { transcriptId, state }: Pick<DueTranscript, 'transcriptId' | 'state'>,
  change: TranscriptChange,
): Promise<void> {
  const { attempts, meetingId, contentSha256, changedAt } = change
  const { numUpdatedRows } = await db
    .updateTable('connection_transcript')
    .set({
      state: change.state,
      next_attempt_at: change.nextAttemptAt,
      ...toProblemColumns(change.problem ?? null),
      ...(attempts !== undefined && { attempts }),
      ...(meetingId !== undefined && { meeting_id: meetingId }),
      ...(contentSha256 !== undefined && { content_sha256: contentSha256 }),
      ...(changedAt !== undefined && { changed_at: changedAt }),
    })
    .where('connection_id', '=', lease.connectionId)
    .where('transcript_id', '=', transcriptId)
    .where('state', '=', state)
    .where(holdsLease(lease))
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw new LeaseLost()
}

/** Tries a transcript again after 2, 4, 8 … minutes, for about a day. Then the problem is final. */
export async function postponeTranscript(
  db: Db,
  lease: ConnectionLease,
  transcript: DueTranscript,
  problem: ReadProblem,
  now: Date,
): Promise<void> {
  const attempts = transcript.attempts + 1
  const isFinal = attempts >= MAX_ATTEMPTS
  const wait = doublingDelayMs(2 * MINUTE_MS, attempts, MAX_RETRY_MS)
  await changeTranscript(db, lease, transcript, {
    // A stored transcript that cannot be compared stays stored.
    state: isFinal && transcript.state === 'waiting' ? 'failed' : transcript.state,
    problem: transcript.state === 'waiting' ? problem : null,
    attempts,
    nextAttemptAt: isFinal ? null : new Date(now.getTime() + wait),
  })
}

type TranscriptFilter = { state?: TranscriptState | undefined }

/** The transcripts of a connection, the newest first. */
export async function listTranscripts(
  db: Db,
  connectionId: string,
  kind: ConnectionKind,
  { state }: TranscriptFilter,
  limit: number,
  cursor: string | undefined,
): Promise<{ items: FoundTranscriptRow[]; nextCursor: string | null }> {
  const after = cursor === undefined ? null : parseTimeCursorOrThrow(cursor)
  type Row = Omit<FoundTranscriptRow, 'problem'> & {
    problem: ProblemCode | null
    detail: string | null
  }
  const rows: Row[] = await db
    .selectFrom('connection_transcript')
    .select(['transcript_id as id', 'organizer', 'began_at as beganAt', 'found_at as foundAt'])
    .select(['state', 'problem', 'problem_detail as detail', 'next_attempt_at as nextAttemptAt'])
    .select(['meeting_id as meetingId', 'changed_at as changedAt'])
    .where('connection_id', '=', connectionId)
    .$if(state !== undefined, (query) => query.where('state', '=', state ?? 'waiting'))
    .$if(after !== null, (query) =>
      query.where(
        sql<boolean>`(date_trunc('milliseconds', began_at), transcript_id) < (${after?.at}::timestamptz, ${after?.id})`,
      ),
    )
    .orderBy(sql`date_trunc('milliseconds', began_at) desc`)
    .orderBy('transcript_id', 'desc')
    .limit(limit + 1)
    .execute()
  const page = cutRowsToPage(rows, limit, ({ beganAt, id }) => toTimeSortKey(beganAt, id))
  const items = page.items.map(({ problem, detail, ...row }) => ({
    ...row,
    problem: problem && describeProblem(problem, detail, kind),
  }))
  return { items, nextCursor: page.nextCursor }
}

/** True if a meeting is an official transcript of a connection that still exists. */
export async function isOfficialTranscript(db: Db, meetingId: string): Promise<boolean> {
  const row = await db
    .selectFrom('connection_transcript')
    .select('transcript_id')
    .where('meeting_id', '=', meetingId)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}
