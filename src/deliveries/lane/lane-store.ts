import type { Pool } from 'pg'
import { retryWhileTransient } from '../../db/transient-errors.ts'
import { createBatcher } from '../../lib/async/sharing.ts'
import type { CallbackSecrets } from '../signature.ts'
import type { LaneChange, LaneStore } from './lane-record.ts'

type Parts = {
  pool: Pool
  secretsOf(tokenId: string): Promise<CallbackSecrets | null>
}

const MAX_BATCH = 500

/** Reads events and writes lane changes. Changes of many lanes are batched into one statement and one commit. */
export function createLaneStore({ pool, secretsOf }: Parts): LaneStore {
  const batches = createBatcher(
    (changes: LaneChange[]) =>
      retryWhileTransient((isRepeat) => writeChanges(pool, changes, isRepeat)),
    // Two batches may run concurrently, because a lane waits for its write before the next attempt.
    { maxItems: MAX_BATCH, maxConcurrent: 2, lingerMs: 10 },
  )
  return {
    writeChange: (change) => batches.add(change),
    secretsOf,
    readEvents: (lane, after, limit) =>
      retryWhileTransient(() =>
        lane.kind === 'notification'
          ? readMessages(pool, lane.notificationId, after, limit)
          : readEvents(pool, lane.meetingId, after, limit),
      ),
  }
}

/** One statement, so one snapshot: if it shows the end of the meeting, it also shows all events before the end. */
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

/** The lane ends when the messages are sent. More may follow, and then a node finds the lane due again. */
async function readMessages(pool: Pool, notificationId: string, after: number, limit: number) {
  const { rows } = await pool.query<{ sequence: number; type: string; at: Date; body: string }>({
    name: 'lane-read-messages',
    text: `select sequence, type, at, body from notification_message
      where notification_id = $1 and sequence > $2 order by sequence limit $3`,
    values: [notificationId, after, limit],
  })
  const events = rows.map(({ at, ...row }) => ({ ...row, at: at.getTime() }))
  return { events, endedAt: events.at(-1)?.at ?? 0 }
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
  // The first write may have committed although the response was lost. Its delivery attempts are not stored again.
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
  // The fence is compared too, because a batch may contain a change from an older claim of the same lane.
  const isRefused = ({ lane }: LaneChange) =>
    rows.some(({ id, fence }) => id === lane.id && fence === lane.fence)
  return changes.map((change) => isStored(change) || !isRefused(change))
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
 * Changes arrive as one JSON array, which is about ten times cheaper than one array for each column. Times are numbers,
 * which parse faster than text. Default values are omitted, because parsing is a third of the statement's cost.
 */
const WRITE_CHANGES_SQL = `
with given as (
  select * from json_to_recordset($1::json) as g(
    id text, fence int, state text, through int, previous int, failures int, rejections int,
    failing_ms float8, due_ms float8, last_error text, dead int,
    attempt text, sequence int, type text, started_ms float8, duration_ms int,
    outcome text, status int, error text, answer text, next_ms float8)
), held as (
  update lane l set
    state = coalesce(g.state, 'open'),
    delivered_through = g.through,
    previous_sequence = coalesce(g.previous, g.through),
    failures = coalesce(g.failures, 0),
    rejections = coalesce(g.rejections, 0),
    failing_since = to_timestamp(g.failing_ms / 1000),
    due_at = case when g.due_ms is null and g.state is null and l.late_sequence > g.through then now()
      else to_timestamp(g.due_ms / 1000) end,
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
    failing_ms: next.failingSince ?? undefined,
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

/** Omits a value that WRITE_CHANGES_SQL fills in itself. */
function omitDefault<Value>(expected: Value, value: Value): Value | undefined {
  return value === expected ? undefined : value
}

/** Dead letters are replayed to the URL of the meeting, so other lanes add none. */
function toDeadLetterRows({ lane, deadLetters }: LaneChange) {
  const { id, fence, meetingId } = lane
  if (lane.kind === 'notification' || (lane.kind === 'replay' && !lane.usesMeetingUrl)) return []
  return deadLetters.map(({ sequence, reason }) => ({
    id,
    fence,
    meeting_id: meetingId,
    sequence,
    reason,
  }))
}
