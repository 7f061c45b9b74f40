import { sql } from 'kysely'
import { readsProject } from '../../access/project-condition.ts'
import { decideTokenAccess } from '../../access/rules.ts'
import type { Viewer } from '../../access/viewer.ts'
import type { Db } from '../../db/database.ts'
import { HELD_BACK_LAST_ERROR } from '../lane/lane-record.ts'
import { visibleReceiverOf } from '../lane/lane-rows.ts'
import type { DeliveryErrorCode } from '../../network/network-errors.ts'

export type MeetingDeliveryState = 'ok' | 'waiting' | 'retrying' | 'blocked' | 'closed'

/** The state of the callbacks of one meeting. */
export type MeetingDeliverySummary = {
  /**
   * `waiting`: callbacks of other meetings to the same receiver, signed with the same token, fail, so these wait.
   * `blocked`: the receiver has failed for minutes, or it rejects the oldest undelivered event.
   */
  state: MeetingDeliveryState
  pending: number
  oldestPendingAgeMs: number | null
  delivered: number
  failed: number
  lastError: string | null
  /** `lastError` in words for people. */
  problem: CallbackProblem | null
  nextAttemptAt: Date | null
}

/** After this many consecutive failures, a person probably needs to fix the receiver. */
const BLOCKED_AFTER_FAILURES = 8

type Row = {
  meeting_id: string
  state: 'open' | 'closed'
  failures: number
  rejections: number
  due_at: Date | null
  last_error: string | null
  delivered_count: number
  dead_count: number
  pending: number
  oldest: Date | null
}

/** Why an attempt failed, in words for people. Example: "401", "Usually another signing secret". */
export type CallbackProblem = { label: string; hint: string }

/** Only lanes have `token_removed`: nothing is sent without the token. */
const ERROR_PROBLEMS: Readonly<Record<DeliveryErrorCode | 'token_removed', CallbackProblem>> = {
  dns_error: { label: 'Host not found', hint: 'Usually a typing error in the callback URL' },
  connection_refused: { label: 'No connection', hint: 'Usually the receiver is not running' },
  connection_reset: {
    label: 'Connection reset',
    hint: 'The receiver closed the connection without a complete response',
  },
  timeout: { label: 'Timeout', hint: 'The receiver did not respond completely in time' },
  tls_error: {
    label: 'TLS error',
    hint: 'Usually a certificate that is expired or that Hansard does not trust',
  },
  blocked_address: {
    label: 'Address not allowed',
    hint: 'An administrator can allow it with HANSARD_CALLBACK_ALLOW',
  },
  bad_answer: { label: 'Invalid response', hint: 'The response is not HTTP' },
  token_removed: {
    label: 'Token revoked',
    hint: 'Callbacks can no longer be signed, so none are sent',
  },
}

const HELD_BACK_PROBLEM: CallbackProblem = {
  label: 'Waiting',
  hint: 'Callbacks of other meetings to the same address fail',
}

const STATUS_HINTS: Readonly<Record<number, string>> = {
  401: 'Usually another signing secret',
  403: 'Usually a firewall, or another signing secret',
  404: 'Usually a wrong path in the callback URL',
  405: 'This address does not accept POST requests',
  410: 'The receiver wants no more callbacks of this meeting',
  413: 'The receiver accepts only smaller requests',
  429: 'The receiver wants fewer requests',
  502: 'Usually the receiver behind a proxy is not running',
  503: 'The receiver is not ready',
  504: 'The receiver behind a proxy did not respond in time',
}
/** Keyed by the first digit of the status. */
const STATUS_CLASS_HINTS: Readonly<Record<number, string>> = {
  3: 'Redirects are not followed: use the address that they lead to',
  4: 'The receiver rejects the event',
  5: 'An error in the receiver: its log says more',
}

/** A URL with callbacks to deliver that one token signs. */
export type CallbackReceiver = {
  /** Without its query, or only its host for meetings that the viewer may not edit. */
  url: string
  /** Null if the viewer may not see the token, or if it was removed. */
  tokenName: string | null
  /** Why callbacks fail. Null while none do. */
  problem: CallbackProblem | null
  failingSince: Date | null
  nextAttemptAt: Date | null
  /** Undelivered events, and the number of their meetings. */
  pending: number
  meetingCount: number
  /** Some of the meetings, failing meetings first. */
  meetings: ReceiverMeeting[]
}

type ReceiverMeeting = {
  meetingId: string
  title: string
  pending: number
  isFailing: boolean
}

const MAX_RECEIVERS = 100
const MAX_MEETINGS = 5

type TokenFacts = {
  name: string | null
  kind: Parameters<typeof decideTokenAccess>[1]['kind'] | null
  creatorId: string | null
}

export async function summariseDeliveriesByMeeting(
  db: Db,
  meetingIds: readonly string[],
  now: Date,
): Promise<Map<string, MeetingDeliverySummary>> {
  if (meetingIds.length === 0) return new Map()
  const { rows } = await sql<Row>`
    select l.*, waiting.pending::int, waiting.oldest
    from lane l, lateral (
      select count(*) as pending, min(e.at) as oldest from event e
      where e.meeting_id = l.meeting_id and e.sequence > l.delivered_through
        and (l.events is null or e.type = any(l.events))
    ) as waiting
    where l.kind = 'meeting' and l.meeting_id = any(${meetingIds})`.execute(db)
  return new Map(rows.map((row) => [row.meeting_id, toSummary(row, now)]))
}

function toSummary(row: Row, now: Date): MeetingDeliverySummary {
  return {
    state: stateOfLane(row),
    pending: row.pending,
    oldestPendingAgeMs:
      row.oldest === null ? null : Math.max(0, now.getTime() - row.oldest.getTime()),
    delivered: row.delivered_count,
    failed: row.dead_count,
    lastError: row.last_error,
    problem: describeLastError(row.last_error),
    nextAttemptAt: row.failures > 0 ? row.due_at : null,
  }
}

export function stateOfLane({
  state,
  failures,
  rejections,
  due_at,
  last_error,
}: Pick<
  Row,
  'state' | 'failures' | 'rejections' | 'due_at' | 'last_error'
>): MeetingDeliverySummary['state'] {
  if (state === 'closed') return 'closed'
  // No due time means that nothing is left to send.
  if (due_at === null) return 'ok'
  if (rejections > 0 || failures >= BLOCKED_AFTER_FAILURES) return 'blocked'
  if (failures > 0) return 'retrying'
  return last_error === HELD_BACK_LAST_ERROR ? 'waiting' : 'ok'
}

/** Null if the attempt succeeded without a remark. */
export function describeProblem(attempt: {
  status: number | null
  error: string | null
}): CallbackProblem | null {
  const { status, error } = attempt
  const statusClass = Math.floor((status ?? 0) / 100)
  if (status !== null && statusClass !== 2) {
    const hint = STATUS_HINTS[status] ?? STATUS_CLASS_HINTS[statusClass]
    return { label: String(status), hint: hint ?? 'The receiver did not confirm the event' }
  }
  return error === null
    ? null
    : (ERROR_PROBLEMS[error as DeliveryErrorCode] ?? { label: 'No response', hint: '' })
}

/** Describes the `last_error` of a lane: an error code, or `http_` and a status. */
export function describeLastError(lastError: string | null): CallbackProblem | null {
  if (lastError === null) return null
  if (lastError === HELD_BACK_LAST_ERROR) return HELD_BACK_PROBLEM
  const status = /^http_(\d{3})$/.exec(lastError)?.[1]
  return describeProblem(
    status === undefined
      ? { status: null, error: lastError }
      : { status: Number(status), error: null },
  )
}

/** Lists the receivers to which callbacks are being delivered, failing receivers first. */
export async function listReceivers(db: Db, viewer: Viewer): Promise<CallbackReceiver[]> {
  const { rows } = await sql<
    Omit<CallbackReceiver, 'problem' | 'tokenName'> & TokenFacts & { lastError: string | null }
  >`
    with open_lane as (
      select l.meeting_id, coalesce(m.title, m.recap_title, m.label) as title, l.token_id,
        l.failures > 0 as failing, l.failing_since, l.due_at, l.last_error,
        ${visibleReceiverOf(viewer, 'l', 'm.project')} as receiver, waiting.pending, waiting.oldest
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

/** The name of a token that signs callbacks. Null for viewers who don't see it in their list of tokens. */
export function visibleTokenName(
  viewer: Viewer,
  { name, kind, creatorId }: TokenFacts,
): string | null {
  if (kind === null) return null
  return decideTokenAccess(viewer, { creatorId, kind }, 'read') === 'allowed' ? name : null
}
