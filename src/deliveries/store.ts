import { sql } from 'kysely'
import type { Pool } from 'pg'
import type { Db } from '../db/open.ts'
import { persevere } from '../db/passing-trouble.ts'
import { liveNodes } from '../db/presence.ts'
import { createBatches } from '../lib/batches.ts'
import type { LaneChange, LaneRecord, LaneStore } from './lane.ts'
import type { SigningSecrets } from './signature.ts'

type Parts = {
  pool: Pool
  secretsOf(tokenId: string): Promise<SigningSecrets | null>
}

const MAX_CHANGES = 500

/** Lanes in the database. What many lanes write at the same time goes into one statement and one commit. */
export function createLaneStore({ pool, secretsOf }: Parts): LaneStore {
  const batches = createBatches(
    (changes: LaneChange[]) => persevere((isRepeat) => writeChanges(pool, changes, isRepeat)),
    // A lane waits for its own change before it makes the next.
    { maxItems: MAX_CHANGES, atOnce: 2, gatherMs: 2 },
  )
  return {
    record: (change) => batches.add(change),
    secretsOf,
    read: ({ meetingId }, after, limit) =>
      persevere(() => readEvents(pool, meetingId, after, limit)),
  }
}

/** In one statement, so of one moment: once the end is seen, all events before it are seen too. */
async function readEvents(pool: Pool, meetingId: string, after: number, limit: number) {
  const { rows } = await pool.query<EventRow>({
    name: 'lane-read',
    text: `select m.ended_at, e.sequence, e.type, e.at, e.body from meeting m
      left join lateral (
        select * from event where meeting_id = m.id and sequence > $2 order by sequence limit $3
      ) as e on true
      where m.id = $1 order by e.sequence`,
    values: [meetingId, after, limit],
  })
  const events = rows.flatMap(({ sequence, type, at, body }) =>
    sequence === null ? [] : [{ sequence, type, at: at.getTime(), body }],
  )
  return { events, endedAt: rows[0]?.ended_at?.getTime() ?? null }
}

type EventRow = { ended_at: Date | null } & (
  | { sequence: number; type: string; at: Date; body: string }
  | { sequence: null; type: null; at: null; body: null }
)

async function writeChanges(
  pool: Pool,
  changes: LaneChange[],
  isRepeat: boolean,
): Promise<boolean[]> {
  // A statement whose answer was lost is repeated: what it has stored is not stored and counted again.
  const mayBeStored = isRepeat && changes.some(({ attempt }) => attempt !== null)
  const stored = mayBeStored ? await storedAttempts(pool, changes) : new Set<string>()
  const isStored = ({ attempt }: LaneChange) => attempt !== null && stored.has(attempt.id)
  const { rows } = await pool.query<{ id: string; fence: number }>({
    name: 'lanes-write',
    text: STATEMENT,
    values: columns(changes.filter((change) => !isStored(change))),
  })
  // By the fence too: who had the lane before may write in the same group.
  const held = new Set(rows.map(({ id, fence }) => `${id} ${fence}`))
  return changes.map((change) => {
    return isStored(change) || held.has(`${change.lane.id} ${change.lane.fence}`)
  })
}

async function storedAttempts(pool: Pool, changes: LaneChange[]): Promise<Set<string>> {
  const attempts = changes.flatMap(({ attempt }) => attempt ?? [])
  const { rows } = await pool.query<{ id: string }>(
    'select id from delivery_attempt where started_at >= $1 and id = any($2)',
    [
      new Date(Math.min(...attempts.map(({ startedAt }) => startedAt))),
      attempts.map(({ id }) => id),
    ],
  )
  return new Set(rows.map(({ id }) => id))
}

const STATEMENT = `
with given as (
  select * from unnest($1::text[], $2::int[], $3::text[], $4::int[], $5::int[], $6::int[], $7::int[],
      $8::timestamptz[], $9::timestamptz[], $10::text[], $11::int[], $12::int[])
    as g(id, fence, state, through, previous, failures, rejections, rejected_since, due_at, error, delivered, dead)
), held as (
  update lane l set
    state = g.state,
    delivered_through = g.through,
    previous_sequence = g.previous,
    failures = g.failures,
    rejections = g.rejections,
    rejected_since = g.rejected_since,
    due_at = g.due_at,
    last_error = g.error,
    delivered_count = l.delivered_count + g.delivered,
    dead_count = l.dead_count + g.dead
  from given g where l.id = g.id and l.fence = g.fence
  returning l.id, l.fence
), new_attempts as (
  insert into delivery_attempt
    (id, lane_id, meeting_id, sequence, type, started_at, duration_ms, outcome, status, error, answer, next_attempt_at)
  select a.* from unnest($13::text[], $14::text[], $15::text[], $16::int[], $17::text[], $18::timestamptz[],
      $19::int[], $20::text[], $21::int[], $22::text[], $23::text[], $24::timestamptz[])
    as a(id, lane_id, meeting_id, sequence, type, started_at, duration_ms, outcome, status, error, answer, next_attempt_at)
  join held on held.id = a.lane_id
), new_dead as (
  insert into dead_letter (meeting_id, sequence, reason, at)
  select d.meeting_id, d.sequence, d.reason, now()
  from unnest($25::text[], $26::text[], $27::int[], $28::text[]) as d(lane_id, meeting_id, sequence, reason)
  join held on held.id = d.lane_id
  on conflict do nothing
)
select id, fence from held`

function columns(changes: LaneChange[]): unknown[] {
  const at = (ms: number | null) => (ms === null ? null : new Date(ms))
  const attempts = changes.flatMap(({ lane, next, attempt }) =>
    attempt === null ? [] : [{ lane, next, ...attempt }],
  )
  const dead = changes.flatMap(({ lane, dead: letters }) =>
    letters.map((letter) => ({ lane, ...letter })),
  )
  return [
    changes.map(({ lane }) => lane.id),
    changes.map(({ lane }) => lane.fence),
    changes.map(({ next }) => next.state),
    changes.map(({ next }) => next.deliveredThrough),
    changes.map(({ next }) => next.previousSequence),
    changes.map(({ next }) => next.failures),
    changes.map(({ next }) => next.rejections),
    changes.map(({ next }) => at(next.rejectedSince)),
    changes.map(({ next }) => at(next.dueAt)),
    changes.map(({ next }) => next.lastError),
    changes.map(({ attempt }) => (attempt?.outcome === 'delivered' ? 1 : 0)),
    changes.map(({ dead: letters }) => letters.length),
    attempts.map(({ id }) => id),
    attempts.map(({ lane }) => lane.id),
    attempts.map(({ lane }) => lane.meetingId),
    attempts.map(({ sequence }) => sequence),
    attempts.map(({ type }) => type),
    attempts.map(({ startedAt }) => new Date(startedAt)),
    attempts.map(({ posted }) => Math.round(posted.durationMs)),
    attempts.map(({ outcome }) => outcome),
    attempts.map(({ posted }) => posted.status),
    attempts.map(({ posted }) => posted.error),
    attempts.map(({ posted }) => posted.answer),
    attempts.map(({ next, outcome }) => (outcome === 'delivered' ? null : at(next.dueAt))),
    dead.map(({ lane }) => lane.id),
    dead.map(({ lane }) => lane.meetingId),
    dead.map(({ sequence }) => sequence),
    dead.map(({ reason }) => reason),
  ]
}

const CLAIM_LIMIT = 500

/**
 * Takes lanes that have something to do and that nobody serves. While a meeting goes on, its lane belongs to
 * the node of its bot, because evolving captions come from there; a listener's to the node it is connected to.
 */
export async function claimLanes(
  db: Db,
  nodeId: string,
  now: Date,
  listeners: readonly string[],
): Promise<LaneRecord[]> {
  const { rows } = await sql<ClaimedRow>`
    update lane set owner = ${nodeId}, fence = fence + 1
    from (
      select l.id, m.ended_at from lane l join meeting m on m.id = l.meeting_id
      where l.due_at <= ${now} and l.state = 'open'
        and (l.owner is null or l.owner not in ${liveNodes})
        and case when l.url like 'listen:%' then l.url = any(${listeners})
          else l.kind <> 'meeting' or m.ended_at is not null or m.owner = ${nodeId} end
      order by l.due_at limit ${CLAIM_LIMIT} for update of l skip locked
    ) as due
    where lane.id = due.id
    returning lane.*, due.ended_at`.execute(db)
  return rows.map(toRecord)
}

type ClaimedRow = {
  id: string
  fence: number
  meeting_id: string
  kind: LaneRecord['kind']
  url: string
  token_id: string | null
  events: string[] | null
  ends_at: number | null
  ended_at: Date | null
  state: LaneRecord['state']
  delivered_through: number
  previous_sequence: number
  failures: number
  rejections: number
  rejected_since: Date | null
  due_at: Date | null
  last_error: string | null
}

function toRecord(row: ClaimedRow): LaneRecord {
  return {
    id: row.id,
    fence: row.fence,
    meetingId: row.meeting_id,
    kind: row.kind,
    url: row.url,
    tokenId: row.token_id ?? '',
    events: row.events,
    endsAt: row.ends_at,
    endedAt: row.ended_at?.getTime() ?? null,
    state: row.state,
    deliveredThrough: row.delivered_through,
    previousSequence: row.previous_sequence,
    failures: row.failures,
    rejections: row.rejections,
    rejectedSince: row.rejected_since?.getTime() ?? null,
    dueAt: row.due_at?.getTime() ?? null,
    lastError: row.last_error,
  }
}

/** Gives a lane back; `notBefore` when something went wrong that is not the receiver's fault. */
export async function releaseLane(
  db: Db,
  { id, fence }: Pick<LaneRecord, 'id' | 'fence'>,
  notBefore?: Date,
): Promise<void> {
  await db
    .updateTable('lane')
    // A refused event keeps the longer pause that it has.
    .set({ owner: null, ...(notBefore && { due_at: sql`greatest(due_at, ${notBefore})` }) })
    .where('id', '=', id)
    .where('fence', '=', fence)
    .execute()
}

/** A lane that this node holds. `isElsewhere`: its meeting is attended by another node, to which it belongs. */
export type HeldLane = { id: string; fence: number; isElsewhere: boolean }

export async function heldLanes(db: Db, nodeId: string): Promise<HeldLane[]> {
  const { rows } = await sql<HeldLane>`
    select l.id, l.fence, l.kind = 'meeting' and l.url not like 'listen:%' and m.ended_at is null
      and m.owner is not null and m.owner <> ${nodeId} as "isElsewhere"
    from lane l join meeting m on m.id = l.meeting_id where l.owner = ${nodeId}`.execute(db)
  return rows
}
