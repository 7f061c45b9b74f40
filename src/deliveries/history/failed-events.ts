import { sql, type RawBuilder, type Transaction } from 'kysely'
import { allowsProject } from '../../access/project-condition.ts'
import { isUnrestricted, type Viewer } from '../../access/viewer.ts'
import type { Db } from '../../db/database.ts'
import type { Database } from '../../db/schema.ts'
import { ServiceError } from '../../errors.ts'
import { insertLane, visibleReceiverOf, type NewLane } from '../lane/lane-rows.ts'

/** Given-up events of all meetings, counted by callback URL. */
export type FailedEventCounts = {
  events: number
  meetings: number
  /** When an event was last given up. Null if none was. */
  lastFailedAt: Date | null
  /** The URLs with the most failed events. For meetings that the viewer may only read, only the host is shown. */
  destinations: Array<{ url: string; events: number; meetings: number }>
}

/** The result of one call of `replayFailedEvents`. The `remaining` failed events are left for the next call. */
export type FailedEventsReplayResult = { events: number; meetings: number; remaining: number }

/** Maximum number of failed events that one call replays. It keeps the transaction short for other writers. */
const MAX_PER_CALL = 500
const MAX_DESTINATIONS = 20

export type ReplayRequest = {
  meetingId: string
  /** Sequences of the first and last event to replay. By default, from the first event to the newest. */
  from?: number | undefined
  to?: number | undefined
  /** The URL that receives the replayed events. By default, the callback URL of the meeting. */
  callbackUrl?: string | undefined
}

export type StartedReplay = { replayId: string; from: number; to: number; events: number }

/**
 * Selects failed events that can be replayed: the lane is not closed, the event is still stored, and the viewer has
 * this right in the meeting's project.
 */
function selectReplayable(viewer: Viewer, action: 'read' | 'edit'): RawBuilder<unknown> {
  return sql`
  dead_letter d
  join lane l on l.meeting_id = d.meeting_id and l.kind = 'meeting' and l.state = 'open'
  join event e on e.meeting_id = d.meeting_id and e.sequence = d.sequence
  ${
    isUnrestricted(viewer)
      ? sql``
      : sql`join meeting m on m.id = d.meeting_id and ${allowsProject(viewer, action, 'm.project')}`
  }`
}

export async function countReplayableFailedEvents(
  db: Db,
  viewer: Viewer,
  action: 'read' | 'edit' = 'read',
): Promise<FailedEventCounts> {
  const { rows } = await sql<
    FailedEventCounts['destinations'][number] & { all: number; of: number; lastFailedAt: Date }
  >`
    select ${visibleReceiverOf(viewer, 'l', 'm.project')} as url, count(*)::int as events,
      count(distinct d.meeting_id)::int as meetings,
      sum(count(*)) over ()::int as "all", sum(count(distinct d.meeting_id)) over ()::int as "of",
      max(max(d.at)) over () as "lastFailedAt"
    from ${selectReplayable(viewer, action)} group by 1 order by 2 desc, 1 limit ${MAX_DESTINATIONS}`.execute(
    db,
  )
  return {
    events: rows[0]?.all ?? 0,
    meetings: rows[0]?.of ?? 0,
    lastFailedAt: rows[0]?.lastFailedAt ?? null,
    destinations: rows.map(({ url, events, meetings }) => ({ url, events, meetings })),
  }
}

/**
 * Sends failed events again, on separate lanes, with their original sequences and bytes. One transaction removes the
 * dead letters and inserts the lanes, so two concurrent calls don't replay an event twice. An event that fails again
 * becomes a dead letter again.
 */
export async function replayFailedEvents(
  db: Db,
  viewer: Viewer,
  now: Date,
): Promise<FailedEventsReplayResult> {
  const ranges = await db.transaction().execute(async (tx) => {
    const claimed = await claimFailedRanges(tx, viewer)
    for (const { meetingId, url, tokenId, events, first, last, before } of claimed) {
      await insertLane(
        tx,
        {
          meeting_id: meetingId,
          kind: 'replay',
          url,
          token_id: tokenId,
          events,
          delivered_through: first - 1,
          previous_sequence: before,
          ends_at: last,
        },
        now,
      )
    }
    return claimed
  })
  const { events: remaining } = await countReplayableFailedEvents(db, viewer, 'edit')
  return {
    events: ranges.reduce((sum, { count }) => sum + count, 0),
    meetings: new Set(ranges.map(({ meetingId }) => meetingId)).size,
    remaining,
  }
}

type FailedRange = {
  meetingId: string
  url: string
  tokenId: string | null
  events: Exclude<NewLane['events'], undefined>
  first: number
  last: number
  /** The sequence that the first request names as its predecessor. */
  before: number
  count: number
}

/** Makes one replay lane of each range of consecutive failed events. */
async function claimFailedRanges(
  tx: Transaction<Database>,
  viewer: Viewer,
): Promise<FailedRange[]> {
  const { rows } = await sql<FailedRange>`
    with taken as (
      delete from dead_letter where (meeting_id, sequence) in (
        select d.meeting_id, d.sequence from ${selectReplayable(viewer, 'edit')}
        order by d.meeting_id, d.sequence limit ${MAX_PER_CALL} for update of d skip locked
      ) returning meeting_id, sequence
    ), wanted as (
      select e.meeting_id, e.sequence, l.url, l.token_id, l.events,
        row_number() over (partition by e.meeting_id order by e.sequence) as place,
        lag(e.sequence, 1, 0) over (partition by e.meeting_id order by e.sequence) as before
      from event e
      join lane l on l.meeting_id = e.meeting_id and l.kind = 'meeting'
      where e.meeting_id in (select meeting_id from taken)
        and (l.events is null or e.type = any(l.events))
    ), numbered as (
      select wanted.*, place - row_number() over (partition by meeting_id order by sequence) as range_number
      from wanted join taken using (meeting_id, sequence)
    )
    select meeting_id as "meetingId", url, token_id as "tokenId", events,
      min(sequence) as first, max(sequence) as last, min(before) as before, count(*)::int as count
    from numbered group by meeting_id, url, token_id, events, range_number
    order by meeting_id, first`.execute(tx)
  return rows
}

/**
 * Sends stored events again, on a separate lane, with their original sequences and bytes. Callbacks of the meeting
 * continue meanwhile. Requests are signed with the secret of the token that started the meeting.
 */
export async function startReplay(
  db: Db,
  request: ReplayRequest,
  now: Date,
): Promise<StartedReplay> {
  const { meetingId, from = 1, callbackUrl } = request
  return db.transaction().execute(async (tx) => {
    const lane = await tx
      .selectFrom('lane')
      .select(['url', 'token_id', 'events'])
      .where('meeting_id', '=', meetingId)
      .where('kind', '=', 'meeting')
      .executeTakeFirst()
    if (lane === undefined) throw await explainMissingLane(tx, meetingId)
    const url = callbackUrl ?? lane.url
    const wanted = sql`meeting_id = ${meetingId}
      and (${lane.events}::text[] is null or type = any(${lane.events}))`
    const { rows } = await sql<{ count: number; first: number; last: number; before: number }>`
      select count(*)::int as count, min(sequence) as first, max(sequence) as last,
        (select coalesce(max(sequence), 0) from event where ${wanted} and sequence < ${from}) as before
      from event where ${wanted} and sequence >= ${from}
        and sequence <= ${request.to ?? 2 ** 31 - 1}`.execute(tx)
    const range = rows[0]
    if (range === undefined || range.count === 0) throw new ServiceError('nothing_to_replay')
    const replayId = await insertLane(
      tx,
      {
        meeting_id: meetingId,
        kind: 'replay',
        url,
        token_id: lane.token_id,
        events: lane.events,
        delivered_through: range.first - 1,
        previous_sequence: range.before,
        ends_at: range.last,
      },
      now,
    )
    // The replay sends these events again, so they are no longer failed. A replay to another URL changes nothing.
    if (url === lane.url) {
      await tx
        .deleteFrom('dead_letter')
        .where('meeting_id', '=', meetingId)
        .where('sequence', '>=', range.first)
        .where('sequence', '<=', range.last)
        .execute()
    }
    return { replayId, from: range.first, to: range.last, events: range.count }
  })
}

/** A meeting that is scheduled, or was stopped before it began, has neither a lane nor events. */
async function explainMissingLane(db: Db, meetingId: string): Promise<ServiceError> {
  const meeting = await db
    .selectFrom('meeting')
    .select('id')
    .where('id', '=', meetingId)
    .executeTakeFirst()
  return new ServiceError(meeting === undefined ? 'meeting_not_found' : 'nothing_to_replay')
}
