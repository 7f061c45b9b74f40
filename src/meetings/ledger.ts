import type { Pool } from 'pg'
import type { Insight, InsightEngine } from '../coach/coach.ts'
import { createBatches } from '../lib/batches.ts'
import { isPassing, persevere } from '../db/passing-trouble.ts'
import { searchVector } from '../projects/search/words.ts'
import type { EventType } from './events.ts'
import type { Hold } from './store.ts'

export type SegmentRow = {
  number: number
  captionId: string
  speaker: string
  text: string
  startedAt: Date
}
export type EventRow = { sequence: number; type: EventType; at: Date; body: string }
export type InsightRow = Insight & { id: string; engine: InsightEngine; at: Date }
export type PersonRow = { id: string; name: string; isHost: boolean; at: Date; hasLeft: boolean }

/** One change to one meeting: what is stored and the events that tell it, both or neither. */
export type Entry = {
  hold: Hold
  /** Number of the newest stored event before this entry: what makes a repeated try harmless. */
  lastSequence: number
  reservedSequence: number
  segments?: readonly SegmentRow[]
  events?: readonly EventRow[]
  insights?: readonly InsightRow[]
  people?: readonly PersonRow[]
  participantCount?: number
  flushed?: { count: number; size: number }
}

/** Writes the entries of all bots of this node, as many as wait in one statement and so in one commit. */
export interface Ledger {
  /** False: the meeting has another owner, and nothing was written. */
  write(entry: Entry): Promise<boolean>
}

const MAX_ENTRIES = 200
const GATHER_MS = 5

/** `learn` is told what was said, once it is stored. */
export function createLedger(pool: Pool, learn?: (texts: readonly string[]) => void): Ledger {
  /** A database that is away for a moment costs nothing: nobody is told that it is written before it is. */
  const writeAll = async (entries: Entry[]): Promise<Written[]> => {
    try {
      return await persevere((isRepeat) => writeOnce(pool, entries, isRepeat))
    } catch (error) {
      if (isPassing(error)) throw error
      return writeApart(pool, entries, error)
    }
  }
  const batches = createBatches(writeAll, { maxItems: MAX_ENTRIES, gatherMs: GATHER_MS })
  return {
    async write(entry) {
      const written = await batches.add(entry)
      if (written instanceof Refused) throw written.cause
      if (written && entry.segments) learn?.(entry.segments.map(({ text }) => text))
      return written
    },
  }
}

/** Whether the meeting was still held; or why the database would not have the entry. */
type Written = boolean | Refused

class Refused extends Error {
  override readonly name = 'Refused'
}

/** One entry that the database refuses must not take the others with it. */
async function writeApart(pool: Pool, entries: Entry[], cause: unknown): Promise<Written[]> {
  if (entries.length === 1) return [new Refused('entry refused', { cause })]
  const results = await Promise.allSettled(entries.map((entry) => writeOnce(pool, [entry], true)))
  return results.map((result) =>
    result.status === 'fulfilled'
      ? result.value[0] === true
      : new Refused('entry refused', { cause: result.reason }),
  )
}

async function writeOnce(pool: Pool, entries: Entry[], isRepeat: boolean): Promise<boolean[]> {
  const { rows } = await pool.query<{ id: string }>({
    name: 'ledger-write',
    text: STATEMENT,
    values: columns(entries),
  })
  const held = new Set(rows.map(({ id }) => id))
  const missing = entries.filter(({ hold }) => !held.has(hold.meetingId))
  if (isRepeat && missing.length > 0) for (const id of await written(pool, missing)) held.add(id)
  return entries.map(({ hold }) => held.has(hold.meetingId))
}

/** Which of the entries an earlier try has written after all: the answer was lost, not the work. */
async function written(pool: Pool, entries: Entry[]): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(
    `select m.id from meeting m join unnest($1::text[], $2::int[], $3::int[]) as g(id, fence, after)
       on m.id = g.id and m.fence = g.fence and m.last_sequence = g.after`,
    [
      entries.map(({ hold }) => hold.meetingId),
      entries.map(({ hold }) => hold.fence),
      entries.map(lastAfter),
    ],
  )
  return rows.map(({ id }) => id)
}

function lastAfter({ lastSequence, events = [] }: Entry): number {
  return events.at(-1)?.sequence ?? lastSequence
}

const STATEMENT = `
with given as (
  select * from unnest($1::text[], $2::int[], $3::int[], $4::int[], $5::int[], $6::int[], $7::int[], $8::int[], $9::int[])
    as g(id, fence, before, after, reserved, segments, flushed, size, people)
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
  select s.meeting_id, s.number, s.caption_id, s.speaker, s.text, s.started_at, s.words::tsvector
  from unnest($10::text[], $11::int[], $12::text[], $13::text[], $14::text[], $15::timestamptz[], $37::text[])
    as s(meeting_id, number, caption_id, speaker, text, started_at, words)
  join held on held.id = s.meeting_id
), new_events as (
  insert into event (meeting_id, sequence, type, at, body)
  select e.* from unnest($16::text[], $17::int[], $18::text[], $19::timestamptz[], $20::text[])
    as e(meeting_id, sequence, type, at, body)
  join held on held.id = e.meeting_id
), new_insights as (
  insert into insight (meeting_id, id, category, severity, title, text, speaker, engine, segment_numbers, at)
  select i.meeting_id, i.id, i.category, i.severity, i.title, i.text, i.speaker, i.engine, i.numbers::int[], i.at
  from unnest($21::text[], $22::text[], $23::text[], $24::text[], $25::text[], $26::text[], $27::text[], $28::text[], $29::text[], $30::timestamptz[])
    as i(meeting_id, id, category, severity, title, text, speaker, engine, numbers, at)
  join held on held.id = i.meeting_id
), new_people as (
  insert into participant (meeting_id, id, name, is_host, joined_at, left_at)
  select p.meeting_id, p.id, p.name, p.is_host, p.at, case when p.has_left then p.at end
  from unnest($31::text[], $32::text[], $33::text[], $34::boolean[], $35::timestamptz[], $36::boolean[])
    as p(meeting_id, id, name, is_host, at, has_left)
  join held on held.id = p.meeting_id
  on conflict (meeting_id, id) do update
    set name = excluded.name, is_host = excluded.is_host, left_at = excluded.left_at
)
select id from held`

/** The parameters of the statement, a column each. */
function columns(entries: Entry[]): unknown[] {
  const rowsOf = <Row>(pick: (entry: Entry) => readonly Row[] | undefined) =>
    entries.flatMap((entry) =>
      (pick(entry) ?? []).map((row) => ({ ...row, meetingId: entry.hold.meetingId })),
    )
  const segments = rowsOf(({ segments: rows }) => rows)
  const events = rowsOf(({ events: rows }) => rows)
  const insights = rowsOf(({ insights: rows }) => rows)
  const people = rowsOf(({ people: rows }) => rows)
  return [
    entries.map(({ hold }) => hold.meetingId),
    entries.map(({ hold }) => hold.fence),
    entries.map(({ lastSequence }) => lastSequence),
    entries.map(lastAfter),
    entries.map(({ reservedSequence }) => reservedSequence),
    entries.map(({ segments: rows }) => rows?.length ?? 0),
    entries.map(({ flushed }) => flushed?.count ?? 0),
    entries.map(({ flushed }) => flushed?.size ?? null),
    entries.map(({ participantCount }) => participantCount ?? null),
    ...pluck(segments, ['meetingId', 'number', 'captionId', 'speaker', 'text', 'startedAt']),
    ...pluck(events, ['meetingId', 'sequence', 'type', 'at', 'body']),
    ...pluck(
      insights.map((row) => ({ ...row, numbers: `{${row.segmentNumbers.join(',')}}` })),
      // prettier-ignore
      ['meetingId', 'id', 'category', 'severity', 'title', 'text', 'speaker', 'engine', 'numbers', 'at'],
    ),
    ...pluck(people, ['meetingId', 'id', 'name', 'isHost', 'at', 'hasLeft']),
    segments.map(({ text, speaker }) => searchVector(text, speaker)),
  ]
}

function pluck<Row>(rows: readonly Row[], names: ReadonlyArray<keyof Row>): unknown[][] {
  return names.map((name) => rows.map((row) => row[name]))
}
