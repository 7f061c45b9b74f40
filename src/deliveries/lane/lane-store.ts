import { sql } from 'kysely'
import type { Pool } from 'pg'
import type { Db } from '../../db/database.ts'
import { retryTransient } from '../../db/transient-errors.ts'
import { isOwnerDead, liveNodeIds } from '../../db/nodes/node-membership.ts'
import { createBatcher } from '../../lib/async/batcher.ts'
import type { LaneChange, LaneRecord, LaneStore } from './lane.ts'
import type { CallbackSecrets } from '../signature.ts'

type Parts = {
  pool: Pool
  secretsOf(tokenId: string): Promise<CallbackSecrets | null>
}

const MAX_BATCH = 500

/** Lanes in the database. What many lanes write at the same time goes into one statement and one commit. */
export function createLaneStore({ pool, secretsOf }: Parts): LaneStore {
  const batches = createBatcher(
    (changes: LaneChange[]) => retryTransient((isRepeat) => writeChanges(pool, changes, isRepeat)),
    // A lane waits for its own change before it makes the next.
    { maxItems: MAX_BATCH, maxConcurrent: 2, lingerMs: 2 },
  )
  return {
    writeChange: (change) => batches.add(change),
    secretsOf,
    readEvents: ({ meetingId }, after, limit) =>
      retryTransient(() => readEvents(pool, meetingId, after, limit)),
  }
}

/** In one statement, so of one moment: once the end is seen, all events before it are seen too. */
async function readEvents(pool: Pool, meetingId: string, after: number, limit: number) {
  const { rows } = await pool.query<EventRow>({
    name: 'lane-read',
    text: `select m.ended_at, e.sequence, e.type, extract(epoch from e.at)::float8 * 1000 as ms, e.body from meeting m
      left join lateral (
        select * from event where meeting_id = m.id and sequence > $2 order by sequence limit $3
      ) as e on true
      where m.id = $1 order by e.sequence`,
    values: [meetingId, after, limit],
  })
  const events = rows.flatMap(({ sequence, type, ms, body }) =>
    sequence === null ? [] : [{ sequence, type, at: Math.round(ms), body }],
  )
  return { events, endedAt: rows[0]?.ended_at?.getTime() ?? null }
}

type EventRow = { ended_at: Date | null } & (
  | { sequence: number; type: string; ms: number; body: string }
  | { sequence: null; type: null; ms: null; body: null }
)

async function writeChanges(
  pool: Pool,
  changes: LaneChange[],
  isRepeat: boolean,
): Promise<boolean[]> {
  // A statement whose answer was lost is repeated: what it has stored is not stored and counted again.
  const mayBeStored = isRepeat && changes.some(({ attempt }) => attempt !== null)
  const stored = mayBeStored ? await findStoredAttempts(pool, changes) : new Set<string>()
  const isStored = ({ attempt }: LaneChange) => attempt !== null && stored.has(attempt.id)
  const fresh = changes.filter((change) => !isStored(change))
  const { rows } = await pool.query<{ id: string; fence: number }>({
    name: 'lanes-write',
    text: WRITE_CHANGES_SQL,
    values: [
      JSON.stringify(fresh.map(toChangeRow)),
      JSON.stringify(fresh.flatMap(toDeadLetterRows)),
    ],
  })
  // By the fence too: who had the lane before may write in the same group.
  const isLost = ({ lane }: LaneChange) =>
    rows.some(({ id, fence }) => id === lane.id && fence === lane.fence)
  return changes.map((change) => isStored(change) || !isLost(change))
}

async function findStoredAttempts(pool: Pool, changes: LaneChange[]): Promise<Set<string>> {
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

/**
 * As JSON, which costs a tenth of what arrays of columns do, and times as numbers, which are made and read faster.
 * What a lane without trouble has no need to say is left out: reading it is a third of the statement.
 */
const WRITE_CHANGES_SQL = `
with given as (
  select * from json_to_recordset($1::json) as g(
    id text, fence int, state text, through int, previous int, failures int, rejections int,
    rejected_ms float8, due_ms float8, last_error text, dead int,
    attempt text, sequence int, type text, started_ms float8, duration_ms int,
    outcome text, status int, error text, answer text, next_ms float8)
), held as (
  update lane l set
    state = coalesce(g.state, 'open'),
    delivered_through = g.through,
    previous_sequence = coalesce(g.previous, g.through),
    failures = coalesce(g.failures, 0),
    rejections = coalesce(g.rejections, 0),
    rejected_since = to_timestamp(g.rejected_ms / 1000),
    due_at = to_timestamp(g.due_ms / 1000),
    last_error = g.last_error,
    owner = case when g.due_ms is null then null else l.owner end,
    delivered_count = l.delivered_count + case when g.attempt is not null and g.outcome is null then 1 else 0 end,
    dead_count = l.dead_count + coalesce(g.dead, 0)
  from given g where l.id = g.id and l.fence = g.fence
  returning l.id, l.fence, l.meeting_id
), new_attempts as (
  insert into delivery_attempt
    (id, lane_id, meeting_id, sequence, type, started_at, duration_ms, outcome, status, error, answer, next_attempt_at)
  select attempt, id, meeting_id, coalesce(sequence, through), type, to_timestamp(started_ms / 1000), duration_ms,
    coalesce(outcome, 'delivered'), status, error, coalesce(answer, ''), to_timestamp(next_ms / 1000)
  from given join held using (id, fence) where attempt is not null
), new_dead as (
  insert into dead_letter (meeting_id, sequence, reason, at)
  select d.meeting_id, d.sequence, d.reason, now()
  from json_to_recordset($2::json) as d(id text, fence int, meeting_id text, sequence int, reason text)
  join held using (id, fence)
  on conflict do nothing
)
select id, fence from given except select id, fence from held`

function toChangeRow({ lane, next, deadLetters, attempt }: LaneChange) {
  return {
    id: lane.id,
    fence: lane.fence,
    state: omitDefault('open', next.state),
    through: next.deliveredThrough,
    previous: omitDefault(next.deliveredThrough, next.previousSequence),
    failures: next.failures || undefined,
    rejections: next.rejections || undefined,
    rejected_ms: next.rejectedSince ?? undefined,
    due_ms: next.dueAt ?? undefined,
    last_error: next.lastError ?? undefined,
    dead: deadLetters.length || undefined,
    ...(attempt !== null && {
      attempt: attempt.id,
      sequence: omitDefault(next.deliveredThrough, attempt.sequence),
      type: attempt.type,
      started_ms: attempt.startedAt,
      duration_ms: Math.round(attempt.result.durationMs),
      outcome: omitDefault('delivered', attempt.outcome),
      status: attempt.result.status ?? undefined,
      error: attempt.result.error ?? undefined,
      answer: attempt.result.answer || undefined,
      next_ms: attempt.outcome === 'delivered' ? undefined : (next.dueAt ?? undefined),
    }),
  }
}

/** What the statement takes for granted is not said. */
function omitDefault<Value>(expected: Value, value: Value): Value | undefined {
  return value === expected ? undefined : value
}

/** Whoever replays what was given up sends it to the URL of the meeting: what failed elsewhere is not listed. */
function toDeadLetterRows({ lane, deadLetters }: LaneChange) {
  const { id, fence, meetingId } = lane
  if (!lane.usesMeetingUrl) return []
  return deadLetters.map(({ sequence, reason }) => ({
    id,
    fence,
    meeting_id: meetingId,
    sequence,
    reason,
  }))
}

const CLAIM_LIMIT = 500
/** Longer than any pause: whoever meant to wait until then had a wrong clock. */
const LONGEST_PAUSE_MS = 60 * 60_000
/** Within this a bot mostly comes, and its node takes the lane. */
const WAIT_FOR_BOT_MS = 2_000

/**
 * Takes lanes that have something to do and that nobody serves. While a bot attends a meeting, its lane belongs to
 * the node of the bot, because evolving captions come from there; while none does, to whoever comes first. A
 * listener's belongs to the node it is connected to.
 */
export async function claimDueLanes(
  db: Db,
  nodeId: string,
  now: Date,
  listeners: readonly string[],
): Promise<LaneRecord[]> {
  const waitsSince = new Date(now.getTime() - WAIT_FOR_BOT_MS)
  const beyond = new Date(now.getTime() + LONGEST_PAUSE_MS)
  const { rows } = await sql<ClaimedRow>`
    update lane set owner = ${nodeId}, fence = fence + 1
    from (
      select l.id, m.ended_at, own.url as own_url
      from lane l join meeting m on m.id = l.meeting_id
      left join lane own on own.meeting_id = l.meeting_id and own.kind = 'meeting'
      where (l.due_at <= ${now} or l.due_at > ${beyond}) and l.state = 'open'
        and (l.owner is null or ${isOwnerDead('l.owner', nodeId)})
        and case when l.url like 'listen:%' then l.url = any(${listeners})
          else l.kind <> 'meeting' or m.ended_at is not null or m.owner = ${nodeId}
            or (l.due_at <= ${waitsSince} and (m.owner is null or ${isOwnerDead('m.owner', nodeId)})) end
      order by l.due_at limit ${CLAIM_LIMIT} for update of l skip locked
    ) as due
    where lane.id = due.id
    returning lane.*, due.ended_at, due.own_url`.execute(db)
  return rows.map(toLaneRecord)
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
  created_at: Date
  own_url: string | null
  state: LaneRecord['state']
  delivered_through: number
  previous_sequence: number
  failures: number
  rejections: number
  rejected_since: Date | null
  due_at: Date | null
  last_error: string | null
}

function toLaneRecord(row: ClaimedRow): LaneRecord {
  return {
    id: row.id,
    fence: row.fence,
    meetingId: row.meeting_id,
    kind: row.kind,
    url: row.url,
    tokenId: row.token_id ?? '',
    events: row.events,
    lastSequence: row.ends_at,
    meetingEndedAt: row.ended_at?.getTime() ?? null,
    replayRequestedAt: row.kind === 'replay' ? row.created_at.getTime() : null,
    usesMeetingUrl: row.url === row.own_url,
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

/** `notBefore`: something went wrong that is not the receiver's fault. `notAfter`: what it waited for is there. */
export type DueChange = { notBefore?: Date; notAfter?: Date }

export async function releaseLane(
  db: Db,
  { id, fence }: Pick<LaneRecord, 'id' | 'fence'>,
  { notBefore, notAfter }: DueChange = {},
): Promise<void> {
  await db
    .updateTable('lane')
    // A refused event keeps the longer pause that it has.
    .set({
      owner: null,
      ...(notBefore && { due_at: sql`greatest(due_at, ${notBefore})` }),
      ...(notAfter && { due_at: sql`least(due_at, ${notAfter})` }),
    })
    .where('id', '=', id)
    .where('fence', '=', fence)
    .execute()
}

/** A lane that this node holds. `isElsewhere`: its meeting is attended by another node, to which it belongs. */
export type HeldLane = { id: string; fence: number; isElsewhere: boolean }

export async function listHeldLanes(db: Db, nodeId: string): Promise<HeldLane[]> {
  const { rows } = await sql<HeldLane>`
    select l.id, l.fence, l.kind = 'meeting' and l.url not like 'listen:%' and m.ended_at is null
      and m.owner is not null and m.owner <> ${nodeId} and m.owner in ${liveNodeIds} as "isElsewhere"
    from lane l join meeting m on m.id = l.meeting_id where l.owner = ${nodeId}`.execute(db)
  return rows
}
