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
    values: parameters(entries),
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
function parameters(entries: Entry[]): string[] {
  const meetings = entries.map((entry) => ({
    id: entry.hold.meetingId,
    fence: entry.hold.fence,
    before: entry.lastSequence,
    after: lastAfter(entry),
    reserved: entry.reservedSequence,
    segments: entry.segments?.length ?? 0,
    flushed: entry.flushed?.count ?? 0,
    size: entry.flushed?.size ?? null,
    people: entry.participantCount ?? null,
  }))
  const rowsOf = <Row extends object>(pick: (entry: Entry) => readonly Row[] | undefined) =>
    entries.flatMap((entry) =>
      (pick(entry) ?? []).map((row) => ({ ...row, meetingId: entry.hold.meetingId })),
    )
  const tables = [
    meetings,
    entries.flatMap(segmentsOf),
    entries.flatMap(eventsOf),
    rowsOf(({ insights }) => insights),
    rowsOf(({ people }) => people),
  ]
  return tables.map((rows) => JSON.stringify(rows))
}

// Those two come with every word that is said: written out, and with times as numbers, they are made and read faster.

function segmentsOf({ hold, segments = [] }: Entry) {
  return segments.map(({ number, captionId, speaker, text, startedAt }) => ({
    meetingId: hold.meetingId,
    number,
    captionId,
    speaker,
    text,
    startedMs: startedAt.getTime(),
    words: searchVector(text, speaker),
  }))
}

function eventsOf({ hold, events = [] }: Entry) {
  return events.map(({ sequence, type, at, body }) => ({
    meetingId: hold.meetingId,
    sequence,
    type,
    atMs: at.getTime(),
    body,
  }))
}
