import { sql } from 'kysely'
import { readsProject } from '../../access/project-condition.ts'
import { decideTokenAccess } from '../../access/rules.ts'
import type { Viewer } from '../../access/viewer.ts'
import type { Db } from '../../db/database.ts'
import { HELD_BACK_LAST_ERROR } from '../lane/lane-record.ts'
import { receiverOf } from '../lane/lane-rows.ts'
import { describeLastError, type CallbackProblem } from './callback-problem.ts'

/** A URL with callbacks to deliver that one token signs. */
export type CallbackReceiver = {
  /** Without query. */
  url: string
  /** Null when the viewer may not see the token, and after it was removed. */
  tokenName: string | null
  /** Why callbacks fail; null while none do. */
  problem: CallbackProblem | null
  failingSince: Date | null
  nextAttemptAt: Date | null
  /** Events that are not delivered yet, and the meetings of these lanes. */
  pending: number
  meetingCount: number
  /** Some of the meetings, those that fail first. */
  meetings: ReceiverMeeting[]
}

export type ReceiverMeeting = {
  meetingId: string
  title: string
  pending: number
  isFailing: boolean
}

const MAX_RECEIVERS = 100
const MAX_MEETINGS = 5

/** The receivers to which callbacks are being delivered, those that fail first. Meetings without callbacks have none. */
export async function listReceivers(db: Db, viewer: Viewer): Promise<CallbackReceiver[]> {
  const { rows } = await sql<
    Omit<CallbackReceiver, 'problem' | 'tokenName'> & TokenFacts & { lastError: string | null }
  >`
    with open_lane as (
      select l.meeting_id, coalesce(m.title, m.label) as title, l.token_id,
        l.failures > 0 as failing, l.failing_since, l.due_at, l.last_error,
        ${receiverOf('l')} as receiver, waiting.pending, waiting.oldest
      from lane l join meeting m on m.id = l.meeting_id cross join lateral (
        select count(*)::int as pending, min(e.at) as oldest from event e
        where e.meeting_id = l.meeting_id and e.sequence > l.delivered_through
          and (l.ends_at is null or e.sequence <= l.ends_at)
          and (l.events is null or e.type = any(l.events))
      ) as waiting
      where l.due_at is not null and l.state = 'open' and l.events is distinct from '{}'
        and ${readsProject(viewer, 'm.project')}
    )
    select o.receiver as url, t.name, t.kind, t.created_by as "creatorId",
      coalesce(mode() within group (order by o.last_error) filter (where o.failing),
        max(o.last_error) filter (where o.last_error = ${HELD_BACK_LAST_ERROR})) as "lastError",
      min(o.failing_since) filter (where o.failing) as "failingSince",
      min(o.due_at) filter (where o.failing) as "nextAttemptAt",
      sum(o.pending)::int as pending, count(distinct o.meeting_id)::int as "meetingCount",
      (array_agg(json_build_object('meetingId', o.meeting_id, 'title', o.title, 'pending', o.pending,
        'isFailing', o.failing) order by o.failing desc, o.oldest))[1:${sql.lit(MAX_MEETINGS)}] as meetings
    from open_lane o left join api_token t on t.id = o.token_id
    group by o.receiver, t.id
    order by bool_or(o.failing or o.last_error is not distinct from ${HELD_BACK_LAST_ERROR}) desc, pending desc, o.receiver limit ${MAX_RECEIVERS}`.execute(
    db,
  )
  return rows.map(({ name, kind, creatorId, lastError, ...receiver }) => ({
    ...receiver,
    tokenName: visibleTokenName(viewer, { name, kind, creatorId }),
    problem: describeLastError(lastError),
  }))
}

export type TokenFacts = {
  name: string | null
  kind: Parameters<typeof decideTokenAccess>[1]['kind'] | null
  creatorId: string | null
}

/** The name of a token that signs callbacks, for those who see it in their list of tokens. */
export function visibleTokenName(
  viewer: Viewer,
  { name, kind, creatorId }: TokenFacts,
): string | null {
  if (kind === null) return null
  return decideTokenAccess(viewer, { creatorId, kind }, 'read') === 'allowed' ? name : null
}
