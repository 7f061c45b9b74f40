import type { Pool } from 'pg'
import { isTransientDatabaseError, retryWhileTransient } from '../../db/transient-errors.ts'
import { createBatcher } from '../../lib/async/sharing.ts'
import { currentTraceParent, NO_TRACER, type Tracer } from '../../lib/tracer.ts'
import { toSearchVector } from '../../projects/search/words/search-vector.ts'
import type { GapRow } from './gaps.ts'
import { traceCommit } from './traced-record.ts'
import type {
  MeetingLease,
  EventRow,
  InsightRow,
  ParticipantJoinOrLeaveRow,
  SegmentRow,
} from './meeting-store.ts'

/** One change to one meeting: new rows and the events that report them, stored in one transaction. */
export type MeetingChange = {
  lease: MeetingLease
  /** The newest stored sequence number before this change. It prevents a retry from writing the change twice. */
  lastSequence: number
  reservedSequence: number
  segments?: readonly SegmentRow[]
  events?: readonly EventRow[]
  insights?: readonly InsightRow[]
  participants?: readonly ParticipantJoinOrLeaveRow[]
  /** Gaps that started, ended or are reported by one of the events. */
  gaps?: readonly GapRow[]
  participantCount?: number
  documentFlush?: DocumentFlush
}

/** A change and the step that makes it. */
export type TracedChange = { change: MeetingChange; traceParent: string | null }

export type DocumentFlush = {
  /** The number of segments that were added to the document. */
  count: number
  /** The size of the document after the write. */
  size: number
  /** The number of the newest edit that the document contains. */
  edit: number
}

/** Writes the changes of all bots on this node. Changes that arrive together share one statement and one commit. */
export type MeetingBatchWriter = ReturnType<typeof createMeetingBatchWriter>

const MAX_BATCH_SIZE = 200
/** How long the first change of a batch waits for others. */
const GATHER_MS = 5

/** Calls `onSegmentsStored` with the text of new segments after they are committed. */
export function createMeetingBatchWriter(
  pool: Pool,
  onSegmentsStored?: (texts: readonly string[]) => void,
  tracer: Tracer = NO_TRACER,
) {
  /** Retries while the database is unavailable, so a short outage only delays the callers. */
  const writeAll = async (changes: MeetingChange[]): Promise<WriteResult[]> => {
    try {
      return await retryWhileTransient((isRepeat) => writeBatch(pool, changes, isRepeat))
    } catch (error) {
      if (isTransientDatabaseError(error)) throw error
      return writeIndividually(pool, changes, error)
    }
  }
  const batches = createBatcher(
    (items: TracedChange[]) =>
      traceCommit(tracer, items, () => writeAll(items.map(({ change }) => change))),
    { maxItems: MAX_BATCH_SIZE, lingerMs: GATHER_MS },
  )
  return {
    /** Writes the change with the next batch. False if another node owns the meeting; then nothing was written. */
    async write(change: MeetingChange) {
      const result = await batches.add({ change, traceParent: currentTraceParent() })
      if (result instanceof ChangeRejected) throw result.cause
      if (result && change.segments) onSegmentsStored?.(change.segments.map(({ text }) => text))
      return result
    },
  }
}

/** True: written. False: the lease was lost. `ChangeRejected`: the database rejected the change. */
type WriteResult = boolean | ChangeRejected

class ChangeRejected extends Error {
  override readonly name = 'ChangeRejected'
}

/** Writes the changes of a failed batch one by one, so that a rejected change does not block the others. */
async function writeIndividually(
  pool: Pool,
  changes: MeetingChange[],
  cause: unknown,
): Promise<WriteResult[]> {
  const message = 'the database rejected the change'
  if (changes.length === 1) return [new ChangeRejected(message, { cause })]
  const results = await Promise.allSettled(
    changes.map((change) => writeBatch(pool, [change], true)),
  )
  return results.map((result) =>
    result.status === 'fulfilled'
      ? result.value[0] === true
      : new ChangeRejected(message, { cause: result.reason }),
  )
}

/** Returns true for each change that was written, and false if its lease was lost. */
async function writeBatch(
  pool: Pool,
  changes: MeetingChange[],
  isRepeat: boolean,
): Promise<boolean[]> {
  const { rows } = await pool.query<{ id: string }>({
    name: 'meeting-batch-write',
    text: STATEMENT,
    values: toParameters(changes),
  })
  const written = new Set(rows.map(({ id }) => id))
  const missing = changes.filter(({ lease }) => !written.has(lease.meetingId))
  if (isRepeat && missing.length > 0)
    for (const id of await findAlreadyWritten(pool, missing)) written.add(id)
  return changes.map(({ lease }) => written.has(lease.meetingId))
}

/** The meetings whose change was committed by an earlier attempt that lost the response. */
async function findAlreadyWritten(pool: Pool, changes: MeetingChange[]): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(
    `select m.id from meeting m join unnest($1::text[], $2::int[], $3::int[]) as g(id, fence, after)
       on m.id = g.id and m.fence = g.fence and m.last_sequence = g.after`,
    [
      changes.map(({ lease }) => lease.meetingId),
      changes.map(({ lease }) => lease.fence),
      changes.map(lastSequenceAfter),
    ],
  )
  return rows.map(({ id }) => id)
}

function lastSequenceAfter({ lastSequence, events = [] }: MeetingChange): number {
  return events.at(-1)?.sequence ?? lastSequence
}

/** Rows are passed as JSON. Measured: ten times faster than one array per column. */
const STATEMENT = `
with given as (
  select * from json_to_recordset($1::json) as g(
    id text, fence int, before int, after int, reserved int, segments int, flushed int, size int, edit int, people int)
), held as (
  update meeting m set
    last_sequence = g.after,
    reserved_sequence = greatest(m.reserved_sequence, g.reserved),
    segment_count = m.segment_count + g.segments,
    flushed_count = m.flushed_count + g.flushed,
    document_size = coalesce(g.size, m.document_size),
    document_edit = coalesce(g.edit, m.document_edit),
    participant_count = coalesce(g.people, m.participant_count)
  from given g where m.id = g.id and m.fence = g.fence and m.last_sequence = g.before
  -- The newest names, also when this update has waited for a transaction that changes them.
  returning m.id, m.speaker_names as names
), new_segments as (
  insert into segment (meeting_id, number, caption_id, speaker, platform_speaker, text, started_at, words,
    source, is_incomplete)
  select s."meetingId", s.number, s."captionId", coalesce(held.names -> s.speaker ->> 'name', s.speaker),
    case when held.names ? s.speaker then s.speaker end, s.text, to_timestamp(s."startedMs" / 1000),
    case when held.names ? s.speaker
      then ts_filter(s.words::tsvector, '{a,c,d}') || (held.names -> s.speaker ->> 'words')::tsvector
      else s.words::tsvector end, s.source, s."isIncomplete"
  from json_to_recordset($2::json) as s(
    "meetingId" text, number int, "captionId" text, speaker text, text text, "startedMs" float8, words text,
    source text, "isIncomplete" boolean)
  join held on held.id = s."meetingId"
), new_events as (
  insert into event (meeting_id, sequence, type, at, body)
  select e."meetingId", e.sequence, e.type, to_timestamp(e."atMs" / 1000), e.body
  from json_to_recordset($3::json) as e("meetingId" text, sequence int, type text, "atMs" float8, body text)
  join held on held.id = e."meetingId"
), new_insights as (
  insert into insight (meeting_id, id, category, severity, title, text, speaker, engine, segment_numbers, at)
  select i."meetingId", i.id, i.category, i.severity, i.title, i.text, i.speaker, i.engine, i."segmentNumbers", i.at
  from json_to_recordset($4::json) as i(
    "meetingId" text, id text, category text, severity text, title text, text text, speaker text, engine text,
    "segmentNumbers" int[], at timestamptz)
  join held on held.id = i."meetingId"
), new_people as (
  insert into participant (meeting_id, id, name, is_host, joined_at, left_at)
  select p."meetingId", p.id, p.name, p."isHost", p.at, case when p."hasLeft" then p.at end
  from json_to_recordset($5::json) as p(
    "meetingId" text, id text, name text, "isHost" boolean, at timestamptz, "hasLeft" boolean)
  join held on held.id = p."meetingId"
  on conflict (meeting_id, id) do update
    set name = excluded.name, is_host = excluded.is_host, left_at = excluded.left_at
), new_gaps as (
  insert into transcript_gap (meeting_id, number, cause, started_at, ended_at, after_segment, is_reported)
  select g."meetingId", g.number, g.cause, g."startedAt", g."endedAt", g."afterSegment", g."isReported"
  from json_to_recordset($6::json) as g(
    "meetingId" text, number int, cause text, "startedAt" timestamptz, "endedAt" timestamptz,
    "afterSegment" int, "isReported" boolean)
  join held on held.id = g."meetingId"
  on conflict (meeting_id, number) do update
    set started_at = excluded.started_at, ended_at = excluded.ended_at, is_reported = excluded.is_reported,
      after_segment = excluded.after_segment
)
select id from held`

/** Formats the parameters of `STATEMENT` as JSON: the meetings, then the new rows of each table. */
function toParameters(changes: MeetingChange[]): string[] {
  const meetings = changes.map((change) => ({
    id: change.lease.meetingId,
    fence: change.lease.fence,
    before: change.lastSequence,
    after: lastSequenceAfter(change),
    reserved: change.reservedSequence,
    segments: change.segments?.length ?? 0,
    flushed: change.documentFlush?.count ?? 0,
    size: change.documentFlush?.size ?? null,
    edit: change.documentFlush?.edit ?? null,
    people: change.participantCount ?? null,
  }))
  const rowsOf = <Row extends object>(
    pick: (change: MeetingChange) => readonly Row[] | undefined,
  ) =>
    changes.flatMap((change) =>
      (pick(change) ?? []).map((row) => ({ ...row, meetingId: change.lease.meetingId })),
    )
  const tables = [
    meetings,
    changes.flatMap(toSegmentParameters),
    changes.flatMap(toEventParameters),
    rowsOf(({ insights }) => insights),
    rowsOf(({ participants }) => participants),
    rowsOf(({ gaps }) => gaps),
  ]
  return tables.map((rows) => JSON.stringify(rows))
}

// Segments and events are the most frequent rows. Naming their fields and sending times as numbers makes their JSON
// cheaper.

function toSegmentParameters({ lease, segments = [] }: MeetingChange) {
  return segments.map(({ number, captionId, speaker, text, startedAt, source, isIncomplete }) => ({
    meetingId: lease.meetingId,
    number,
    captionId,
    speaker,
    text,
    startedMs: startedAt.getTime(),
    words: toSearchVector(text, speaker),
    source,
    isIncomplete,
  }))
}

function toEventParameters({ lease, events = [] }: MeetingChange) {
  return events.map(({ sequence, type, at, body }) => ({
    meetingId: lease.meetingId,
    sequence,
    type,
    atMs: at.getTime(),
    body,
  }))
}
