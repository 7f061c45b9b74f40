import type { Pool } from 'pg'
import type { Insight, InsightEngine } from '../../coach/coach.ts'
import { createBatcher } from '../../lib/async/batcher.ts'
import { isTransient, retryTransient } from '../../db/transient-errors.ts'
import { toSearchVector } from '../../projects/search/tokenize.ts'
import type { EventType } from '../event-types.ts'
import type { MeetingLease } from '../store.ts'

export type SegmentRow = {
  number: number
  captionId: string
  speaker: string
  text: string
  startedAt: Date
}
export type EventRow = { sequence: number; type: EventType; at: Date; body: string }
export type InsightRow = Insight & { id: string; engine: InsightEngine; at: Date }
export type ParticipantRow = {
  id: string
  name: string
  isHost: boolean
  at: Date
  hasLeft: boolean
}

/** One change to one meeting: what is stored and the events that tell it, both or neither. */
export type MeetingChange = {
  lease: MeetingLease
  /** Number of the newest stored event before this entry: what makes a repeated try harmless. */
  lastSequence: number
  reservedSequence: number
  segments?: readonly SegmentRow[]
  events?: readonly EventRow[]
  insights?: readonly InsightRow[]
  participants?: readonly ParticipantRow[]
  participantCount?: number
  documentFlush?: { count: number; size: number }
}

/** Writes the entries of all bots of this node, as many as wait in one statement and so in one commit. */
export interface MeetingBatchWriter {
  /** False: the meeting has another owner, and nothing was written. */
  write(entry: MeetingChange): Promise<boolean>
}

const MAX_BATCH_SIZE = 200
const GATHER_MS = 5

/** `learn` is told what was said, once it is stored. */
export function createMeetingBatchWriter(
  pool: Pool,
  learn?: (texts: readonly string[]) => void,
): MeetingBatchWriter {
  /** A database that is away for a moment costs nothing: nobody is told that it is written before it is. */
  const writeAll = async (entries: MeetingChange[]): Promise<WriteResult[]> => {
    try {
      return await retryTransient((isRepeat) => writeBatch(pool, entries, isRepeat))
    } catch (error) {
      if (isTransient(error)) throw error
      return writeIndividually(pool, entries, error)
    }
  }
  const batches = createBatcher(writeAll, { maxItems: MAX_BATCH_SIZE, lingerMs: GATHER_MS })
  return {
    async write(entry) {
      const written = await batches.add(entry)
      if (written instanceof ChangeRejected) throw written.cause
      if (written && entry.segments) learn?.(entry.segments.map(({ text }) => text))
      return written
    },
  }
}

/** Whether the meeting was still held; or why the database would not have the entry. */
type WriteResult = boolean | ChangeRejected

class ChangeRejected extends Error {
  override readonly name = 'ChangeRejected'
}

/** One entry that the database refuses must not take the others with it. */
async function writeIndividually(
  pool: Pool,
  entries: MeetingChange[],
  cause: unknown,
): Promise<WriteResult[]> {
  if (entries.length === 1) return [new ChangeRejected('entry refused', { cause })]
  const results = await Promise.allSettled(entries.map((entry) => writeBatch(pool, [entry], true)))
  return results.map((result) =>
    result.status === 'fulfilled'
      ? result.value[0] === true
      : new ChangeRejected('entry refused', { cause: result.reason }),
  )
}

async function writeBatch(
  pool: Pool,
  entries: MeetingChange[],
  isRepeat: boolean,
): Promise<boolean[]> {
  const { rows } = await pool.query<{ id: string }>({
    name: 'meeting-batch-write',
    text: STATEMENT,
    values: toParameters(entries),
  })
  const held = new Set(rows.map(({ id }) => id))
  const missing = entries.filter(({ lease }) => !held.has(lease.meetingId))
  if (isRepeat && missing.length > 0)
    for (const id of await findAlreadyWritten(pool, missing)) held.add(id)
  return entries.map(({ lease }) => held.has(lease.meetingId))
}

/** Which of the entries an earlier try has written after all: the answer was lost, not the work. */
async function findAlreadyWritten(pool: Pool, entries: MeetingChange[]): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(
    `select m.id from meeting m join unnest($1::text[], $2::int[], $3::int[]) as g(id, fence, after)
       on m.id = g.id and m.fence = g.fence and m.last_sequence = g.after`,
    [
      entries.map(({ lease }) => lease.meetingId),
      entries.map(({ lease }) => lease.fence),
      entries.map(lastSequenceAfter),
    ],
  )
  return rows.map(({ id }) => id)
}

function lastSequenceAfter({ lastSequence, events = [] }: MeetingChange): number {
  return events.at(-1)?.sequence ?? lastSequence
}

/** As JSON, which costs a tenth of what arrays of columns do. */
const STATEMENT = `
with given as (
  select * from json_to_recordset($1::json) as g(
    id text, fence int, before int, after int, reserved int, segments int, flushed int, size int, people int)
), held as (
  update meeting m set
    last_sequence = g.after,
    reserved_sequence = greatest(m.reserved_sequence, g.reserved),
    segment_count = m.segment_count + g.segments,
    flushed_count = m.flushed_count + g.flushed,
    document_size = coalesce(g.size, m.document_size),
    participant_count = coalesce(g.people, m.participant_count)
  from given g where m.id = g.id and m.fence = g.fence and m.last_sequence = g.before
  returning m.id
), new_segments as (
  insert into segment (meeting_id, number, caption_id, speaker, text, started_at, words)
  select s."meetingId", s.number, s."captionId", s.speaker, s.text, to_timestamp(s."startedMs" / 1000), s.words::tsvector
  from json_to_recordset($2::json) as s(
    "meetingId" text, number int, "captionId" text, speaker text, text text, "startedMs" float8, words text)
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
)
select id from held`

/** The parameters of the statement: the meetings, then what each of them gets, table by table. */
function toParameters(entries: MeetingChange[]): string[] {
  const meetings = entries.map((entry) => ({
    id: entry.lease.meetingId,
    fence: entry.lease.fence,
    before: entry.lastSequence,
    after: lastSequenceAfter(entry),
    reserved: entry.reservedSequence,
    segments: entry.segments?.length ?? 0,
    flushed: entry.documentFlush?.count ?? 0,
    size: entry.documentFlush?.size ?? null,
    people: entry.participantCount ?? null,
  }))
  const rowsOf = <Row extends object>(pick: (entry: MeetingChange) => readonly Row[] | undefined) =>
    entries.flatMap((entry) =>
      (pick(entry) ?? []).map((row) => ({ ...row, meetingId: entry.lease.meetingId })),
    )
  const tables = [
    meetings,
    entries.flatMap(toSegmentParameters),
    entries.flatMap(toEventParameters),
    rowsOf(({ insights }) => insights),
    rowsOf(({ participants }) => participants),
  ]
  return tables.map((rows) => JSON.stringify(rows))
}

// Those two come with every word that is said: written out, and with times as numbers, they are made and read faster.

function toSegmentParameters({ lease, segments = [] }: MeetingChange) {
  return segments.map(({ number, captionId, speaker, text, startedAt }) => ({
    meetingId: lease.meetingId,
    number,
    captionId,
    speaker,
    text,
    startedMs: startedAt.getTime(),
    words: toSearchVector(text, speaker),
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
