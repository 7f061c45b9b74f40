import { sql } from 'kysely'
import { ServiceError } from '../../errors.ts'
import type { Db } from '../../db/database.ts'
import { insertLane } from '../lane/lane-rows.ts'

export type ReplayRequest = {
  meetingId: string
  /** Sequence numbers of the first and last event to replay; by default from the first event to the newest. */
  from?: number | undefined
  to?: number | undefined
  /** URL that receives the replayed events; by default the callback URL of the meeting. */
  callbackUrl?: string | undefined
}

export type StartedReplay = { replayId: string; from: number; to: number; events: number }

/**
 * Sends stored events again with their original sequences and bytes, on a separate lane, so that the callbacks of the
 * meeting continue. Requests are signed with the secret of the token that started the meeting.
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
    // The replay sends these events again, so they no longer count as failed. A replay to another URL changes nothing.
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

/** A meeting that is scheduled, or was stopped before it began, has no lane and no events. */
async function explainMissingLane(db: Db, meetingId: string): Promise<ServiceError> {
  const meeting = await db
    .selectFrom('meeting')
    .select('id')
    .where('id', '=', meetingId)
    .executeTakeFirst()
  return new ServiceError(meeting === undefined ? 'meeting_not_found' : 'nothing_to_replay')
}
