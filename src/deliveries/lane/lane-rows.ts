import { sql, type Insertable, type RawBuilder, type Transaction } from 'kysely'
import { allowsProject, type QualifiedColumn } from '../../access/project-condition.ts'
import type { Viewer } from '../../access/viewer.ts'
import type { Db } from '../../db/database.ts'
import {
  buildMayClaimCondition,
  buildOwnerDeadCondition,
  liveNodeIdsWithRoleSubquery,
  liveNodeIdsSubquery,
} from '../../db/nodes/node-conditions.ts'
import type { Database } from '../../db/schema.ts'
import { newId } from '../../lib/crypto.ts'
import { LISTENER_SCHEME } from '../listeners.ts'
import { HELD_BACK_LAST_ERROR, type LaneEventRange, type LaneRecord } from './lane-record.ts'

type LaneRow = Insertable<Database['lane']>

export type NewLane = Pick<LaneRow, 'kind' | 'url' | 'token_id' | 'events'> & {
  meeting_id?: string
  notification_id?: string
  /** Only for a replay: the sequence after which it starts. */
  delivered_through?: number
  /** Only for a replay: the sequence that the first request names as its predecessor. */
  previous_sequence?: number
  /** Only for a replay: the sequence of the last event to send. */
  ends_at?: number
}

/** Inserts a lane in the transaction that creates its meeting or replay, so that the lane misses no event. */
export async function insertLane(
  tx: Transaction<Database>,
  lane: NewLane,
  at: Date,
): Promise<string> {
  const id = newId('lane')
  await tx
    .insertInto('lane')
    .values({ ...lane, id, ends_at: lane.ends_at ?? null, due_at: at, created_at: at })
    .execute()
  return id
}

const deliveringNodeIds = liveNodeIdsWithRoleSubquery('tasks')
const CLAIM_LIMIT = 500
/** No back-off is longer than this. A later due time comes from a node with a wrong clock and is ignored. */
const MAX_BACKOFF_MS = 60 * 60_000
/** A new lane waits this long for the node whose bot joins the meeting. After that, any node may claim it. */
const WAIT_FOR_BOT_MS = 2_000

/**
 * Claims due lanes without a live owner for this node. While a bot attends the meeting, only the bot's node may claim
 * the lane if it delivers callbacks, because partial captions come from that node. Otherwise any node may. Only the
 * node to which a listener is connected can claim a lane to it, and a node that does not deliver to URLs claims no
 * other lanes. Lanes in `refusedIds` are left to other nodes.
 */
export async function claimDueLanes(
  db: Db,
  nodeId: string,
  now: Date,
  listeners: readonly string[],
  refusedIds: readonly string[] = [],
  deliversToUrls = true,
): Promise<LaneRecord[]> {
  if (!deliversToUrls && listeners.length === 0) return []
  const dueBeforeBot = new Date(now.getTime() - WAIT_FOR_BOT_MS)
  const latest = new Date(now.getTime() + MAX_BACKOFF_MS)
  const { rows } = await sql<ClaimedRow>`
    update lane set owner = ${nodeId}, fence = fence + 1, retry_asked = false
    from (
      select l.id, m.ended_at, m.trace_parent, own.url as own_url
      from lane l left join meeting m on m.id = l.meeting_id
      left join lane own on own.meeting_id = l.meeting_id and own.kind = 'meeting'
      where (l.due_at <= ${now} or l.due_at > ${latest}) and l.state = 'open'
        and ${buildMayClaimCondition(nodeId)} and l.id <> all(${refusedIds}::text[])
        and (l.owner is null or ${buildOwnerDeadCondition('l.owner', nodeId)})
        and case when l.url like 'listen:%' then l.url = any(${listeners})
          else ${deliversToUrls} and (l.kind <> 'meeting' or m.ended_at is not null or m.owner = ${nodeId}
            or (m.owner in ${liveNodeIdsSubquery} and m.owner not in ${deliveringNodeIds})
            or (l.due_at <= ${dueBeforeBot} and (m.owner is null or ${buildOwnerDeadCondition('m.owner', nodeId)}))) end
      order by l.due_at limit ${CLAIM_LIMIT} for update of l skip locked
    ) as due
    where lane.id = due.id
    returning lane.*, due.ended_at, due.trace_parent, due.own_url`.execute(db)
  return rows.map(toLaneRecord)
}

type ClaimedRow = {
  id: string
  fence: number
  meeting_id: string | null
  notification_id: string | null
  kind: LaneEventRange['kind']
  url: string
  token_id: string | null
  events: string[] | null
  ends_at: number | null
  ended_at: Date | null
  created_at: Date
  own_url: string | null
  trace_parent: string | null
  state: LaneRecord['state']
  delivered_through: number
  previous_sequence: number
  failures: number
  rejections: number
  failing_since: Date | null
  due_at: Date | null
  last_error: string | null
}

function toLaneRecord(row: ClaimedRow): LaneRecord {
  return {
    id: row.id,
    fence: row.fence,
    meetingId: row.meeting_id ?? '',
    ...toLaneRange(row),
    url: row.url,
    tokenId: row.token_id ?? '',
    events: row.events,
    meetingEndedAt: row.ended_at?.getTime() ?? null,
    traceParent: row.trace_parent,
    state: row.state,
    deliveredThrough: row.delivered_through,
    previousSequence: row.previous_sequence,
    failures: row.failures,
    rejections: row.rejections,
    failingSince: row.failing_since?.getTime() ?? null,
    dueAt: row.due_at?.getTime() ?? null,
    lastError: row.last_error,
  }
}

function toLaneRange(row: ClaimedRow): LaneEventRange {
  if (row.kind === 'meeting') return { kind: 'meeting' }
  if (row.kind === 'notification')
    return { kind: 'notification', notificationId: row.notification_id ?? '' }
  return {
    kind: 'replay',
    lastSequence: row.ends_at ?? Infinity,
    requestedAt: row.created_at.getTime(),
    usesMeetingUrl: row.url === row.own_url,
  }
}

/**
 * Moves the due time of a released lane: to `notBefore` or later, or to `notAfter` or earlier. A lane that a person
 * asked to retry is due at once.
 */
export type LaneDueTimeChange = { notBefore?: Date; notAfter?: Date }

export async function releaseLane(
  db: Db,
  { id, fence }: Pick<LaneRecord, 'id' | 'fence'>,
  { notBefore, notAfter }: LaneDueTimeChange = {},
): Promise<void> {
  const asked = sql<Date>`case when retry_asked then least(due_at, now()) else due_at end`
  await db
    .updateTable('lane')
    // greatest() leaves a longer back-off, such as that of a rejected event, unchanged.
    .set({
      owner: null,
      due_at: asked,
      ...(notBefore && { due_at: sql`greatest(due_at, ${notBefore})` }),
      ...(notAfter && { due_at: sql`least(due_at, ${notAfter})` }),
    })
    .where('id', '=', id)
    .where('fence', '=', fence)
    .execute()
}

/** A lane of this node. `isMeetingOnOtherNode`: a bot on another node attends the meeting and should own the lane. */
export type OwnedLane = {
  id: string
  fence: number
  isRetryAsked: boolean
  isMeetingOnOtherNode: boolean
}

export async function listOwnedLanes(db: Db, nodeId: string): Promise<OwnedLane[]> {
  const { rows } = await sql<OwnedLane>`
    select l.id, l.fence, l.retry_asked as "isRetryAsked", l.kind = 'meeting' and l.url not like 'listen:%' and m.ended_at is null
      and m.owner is not null and m.owner <> ${nodeId} and m.owner in ${deliveringNodeIds} as "isMeetingOnOtherNode"
    from lane l left join meeting m on m.id = l.meeting_id where l.owner = ${nodeId}`.execute(db)
  return rows
}

/**
 * Makes the lane of an ended meeting due, because an event was stored after its end. A node that is just ending the
 * lane finds the sequence number in the row and leaves the lane due.
 */
export async function makeLaneDueForLateEvent(
  tx: Transaction<Database>,
  meetingId: string,
  sequence: number,
  now: Date,
): Promise<void> {
  await tx
    .updateTable('lane')
    .set({ late_sequence: sequence, due_at: sql<Date>`coalesce(due_at, ${now})` })
    .where('meeting_id', '=', meetingId)
    .where('kind', '=', 'meeting')
    .where('state', '=', 'open')
    .execute()
}

/** Makes idle lanes of notifications due that have messages to send. A lane that another node changes is skipped. */
export async function makeMessageLanesDue(db: Db, now: Date): Promise<void> {
  await sql`update lane set due_at = ${now} where id in (
    select l.id from lane l where l.notification_id is not null and l.state = 'open' and l.due_at is null
      and exists (select from notification_message e
        where e.notification_id = l.notification_id and e.sequence > l.delivered_through)
    for update skip locked)`.execute(db)
}

/** Makes the waiting lanes of a listener due now, because the listener has just connected. */
export async function makeListenerLanesDue(db: Db, listenerName: string, now: Date): Promise<void> {
  await db
    .updateTable('lane')
    .set({ due_at: now })
    .where('due_at', '>', now)
    .where('url', '=', `${LISTENER_SCHEME}${listenerName}`)
    .where('state', '=', 'open')
    .where('owner', 'is', null)
    .execute()
}

/**
 * Makes lanes of failing receivers due now, in projects that the viewer may edit. If a node owns such a lane, it
 * releases it first and forgets how long the receiver has failed. Returns the number of meetings.
 */
export async function retryFailingLanes(
  db: Db,
  viewer: Viewer,
  receiverUrl: string | undefined,
  now: Date,
): Promise<number> {
  const { rows } = await sql<{ meetings: number }>`
    with retried as (
      update lane l set due_at = ${now}, retry_asked = l.owner is not null
      from meeting m
      where m.id = l.meeting_id and l.state = 'open' and l.due_at is not null
        and (l.failures > 0 or l.last_error = ${HELD_BACK_LAST_ERROR})
        and (${receiverUrl ?? null}::text is null or ${receiverOf('l')} = ${receiverUrl ?? null})
        and ${allowsProject(viewer, 'edit', 'm.project')}
      returning l.meeting_id
    )
    select count(distinct meeting_id)::int as meetings from retried`.execute(db)
  return rows[0]?.meetings ?? 0
}

/** The callback URL of a lane without its query, which can contain a secret. */
function receiverOf(lane: string): RawBuilder<string> {
  return sql<string>`regexp_replace(${sql.ref(`${lane}.url`)}, '[?#].*$', '')`
}

/** The receiver of a lane as the viewer sees it. Readers of the project see the host, because a path can be a secret. */
export function visibleReceiverOf(
  viewer: Viewer,
  lane: string,
  project: QualifiedColumn,
): RawBuilder<string> {
  return sql<string>`case when ${allowsProject(viewer, 'edit', project)} then ${receiverOf(lane)}
    else regexp_replace(${sql.ref(`${lane}.url`)}, '^(https?://[^/?#]*).*', '\\1/…') end`
}
