import { sql, type RawBuilder } from 'kysely'
import { readsProject } from '../../access/project-condition.ts'
import { isUnrestricted, type Viewer } from '../../access/viewer.ts'
import type { Db } from '../../db/database.ts'
import { parseTimeCursorOrThrow, toTimeSortKey, cutRowsToPage } from '../../db/page-cursor.ts'
import { ServiceError } from '../../errors.ts'
import { creationMsOfOrderedId } from '../../lib/crypto.ts'
import { HOUR_MS } from '../../lib/time/durations.ts'
import { visibleReceiverOf } from '../lane/lane-rows.ts'
import type { AttemptOutcome } from '../lane/retry-policy.ts'
import { callbackHeaders, withoutSignatures, type CallbackSecrets } from '../signature.ts'
import { describeProblem, type CallbackProblem, visibleTokenName } from './delivery-summary.ts'

export type DeliveryAttemptFilter = {
  id?: string | undefined
  meetingId?: string | undefined
  /** The `url` of an attempt. */
  receiver?: string | undefined
  outcome?: AttemptOutcome | undefined
  type?: string | undefined
  sequence?: number | undefined
  since?: Date | undefined
}

export type DeliveryAttempt = {
  id: string
  meetingId: string
  meetingTitle: string
  kind: 'meeting' | 'replay' | null
  /** The destination without its query, or only its host if the viewer may not edit the meeting. Null for an old replay. */
  url: string | null
  /** Null if the viewer may not see the token, or if it was removed. */
  tokenName: string | null
  sequence: number
  type: string
  startedAt: Date
  durationMs: number
  outcome: AttemptOutcome
  status: number | null
  error: string | null
  /** Why the attempt failed, in words for people. */
  problem: CallbackProblem | null
  answer: string
  nextAttemptAt: Date | null
}

/** Counts of attempts since a point in time, and the durations of successful ones. */
export type DeliveryFigures = {
  since: Date
  delivered: number
  failed: number
  medianMs: number | null
  p95Ms: number | null
  /** Every hour of the period, oldest first, including hours without attempts. */
  hours: Array<{ at: Date; delivered: number; failed: number }>
}

const HOURS = 24

export type SentRequest = { url: string; headers: Record<string, string>; body: string }

type Parts = { db: Db; secretsOf(tokenId: string): Promise<CallbackSecrets | null> }

/** Newest first, by start time. Ids only break ties, because the time in an id is from the clock of one node. */
export async function listAttempts(
  db: Db,
  viewer: Viewer,
  filter: DeliveryAttemptFilter,
  limit: number,
  cursor: string | undefined,
): Promise<{ attempts: DeliveryAttempt[]; nextCursor: string | null }> {
  const { id, meetingId, receiver, outcome, type, sequence, since } = filter
  const after = cursor === undefined ? null : parseTimeCursorOrThrow(cursor)
  const shownUrl = visibleReceiverOf(viewer, 'lane', 'meeting.project')
  const rows = await db
    .selectFrom('delivery_attempt as a')
    .innerJoin('meeting', 'meeting.id', 'a.meeting_id')
    .leftJoin('lane', 'lane.id', 'a.lane_id')
    .leftJoin('api_token as t', 't.id', 'lane.token_id')
    .select(['a.id', 'meeting.id as meetingId', 'a.sequence', 'a.type'])
    .select((eb) => eb.ref('lane.kind').$castTo<'meeting' | 'replay' | null>().as('kind'))
    .select(
      sql<string>`coalesce(meeting.title, meeting.recap_title, meeting.label)`.as('meetingTitle'),
    )
    .select(shownUrl.$castTo<string | null>().as('url'))
    .select(['t.name', 't.kind as tokenKind', 't.created_by as creatorId'])
    .select(['a.started_at as startedAt', 'a.duration_ms as durationMs', 'a.outcome', 'a.status'])
    .select(['a.error', 'a.answer', 'a.next_attempt_at as nextAttemptAt'])
    .$if(!isUnrestricted(viewer), (query) => query.where(readsMeetingOfAttempt(viewer)))
    .$if(id !== undefined, (query) => query.where(isAttempt('a', id ?? '')))
    .$if(receiver !== undefined, (query) => query.where(shownUrl, '=', receiver ?? ''))
    .$if(meetingId !== undefined, (query) => query.where('a.meeting_id', '=', meetingId ?? ''))
    .$if(outcome !== undefined, (query) => query.where('a.outcome', '=', outcome ?? 'failed'))
    .$if(type !== undefined, (query) => query.where('a.type', '=', type ?? ''))
    .$if(sequence !== undefined, (query) => query.where('a.sequence', '=', sequence ?? 0))
    .$if(since !== undefined, (query) => query.where('a.started_at', '>=', since ?? new Date(0)))
    .$if(after !== null, (query) =>
      query.where((eb) =>
        eb(
          eb.refTuple('a.started_at', 'a.id'),
          '<',
          eb.tuple(after?.at ?? new Date(0), after?.id ?? ''),
        ),
      ),
    )
    .orderBy('a.started_at', 'desc')
    .orderBy('a.id', 'desc')
    .limit(limit + 1)
    .execute()
  const { items, nextCursor } = cutRowsToPage(rows, limit, ({ startedAt, id }) =>
    toTimeSortKey(startedAt, id),
  )
  const attempts = items.map(({ name, tokenKind, creatorId, ...attempt }) => ({
    ...attempt,
    tokenName: visibleTokenName(viewer, { name, kind: tokenKind, creatorId }),
    problem: describeProblem(attempt),
  }))
  return { attempts, nextCursor }
}

/** An attempt's start and the time in its delivery id differ by at most this. */
const ID_TIME_TOLERANCE_MS = 60_000

/** SQL condition: the attempt has this id. Attempts are indexed by start time, which the id contains too. */
export function isAttempt(attempt: string, id: string): RawBuilder<boolean> {
  const createdAt = creationMsOfOrderedId(id) ?? 0
  const startedAt = sql.ref(`${attempt}.started_at`)
  return sql<boolean>`(${sql.ref(`${attempt}.id`)} = ${id}
    and ${startedAt} >= ${new Date(createdAt - ID_TIME_TOLERANCE_MS)}
    and ${startedAt} <= ${new Date(createdAt + ID_TIME_TOLERANCE_MS)})`
}

/** SQL condition: the viewer may read the meeting of the attempt `a`. */
export function readsMeetingOfAttempt(viewer: Viewer) {
  return sql<boolean>`exists (select from meeting m
    where m.id = a.meeting_id and ${readsProject(viewer, 'm.project')})`
}

export type DeadLetterRow = { sequence: number; reason: string; at: Date }

/** Lists the given-up events of one meeting, oldest first. */
export async function listMeetingDeadLetters(db: Db, meetingId: string): Promise<DeadLetterRow[]> {
  return db
    .selectFrom('dead_letter')
    .select(['sequence', 'reason', 'at'])
    .where('meeting_id', '=', meetingId)
    .orderBy('sequence')
    .limit(1_000)
    .execute()
}

export async function readDeliveryFigures(
  db: Db,
  viewer: Viewer,
  since: Date,
): Promise<DeliveryFigures> {
  const attempts = selectRealAttempts(viewer, since)
  const { rows } = await sql<Omit<DeliveryFigures, 'since' | 'hours'>>`
    select count(*) filter (where outcome = 'delivered')::int as delivered,
      count(*) filter (where outcome <> 'delivered')::int as failed,
      percentile_disc(0.5) within group (order by duration_ms)
        filter (where outcome = 'delivered') as "medianMs",
      percentile_disc(0.95) within group (order by duration_ms)
        filter (where outcome = 'delivered') as "p95Ms"
    from ${attempts}`.execute(db)
  const [figures] = rows
  if (figures === undefined) throw new Error('the aggregate query returned no row')
  return { since, ...figures, hours: await readHours(db, attempts, since) }
}

/** Selects attempts since a time, as `a`, if the viewer may see them and they are not test calls. */
function selectRealAttempts(viewer: Viewer, since: Date): RawBuilder<unknown> {
  const readable = isUnrestricted(viewer) ? sql`` : sql`and ${readsMeetingOfAttempt(viewer)}`
  return sql`delivery_attempt a
    where started_at >= ${since} and type <> 'test' and meeting_id is not null ${readable}`
}

async function readHours(
  db: Db,
  attempts: RawBuilder<unknown>,
  since: Date,
): Promise<DeliveryFigures['hours']> {
  const { rows } = await sql<{ hour: number; delivered: number; failed: number }>`
    select floor(extract(epoch from started_at - ${since}) / 3600)::int as hour,
      count(*) filter (where outcome = 'delivered')::int as delivered,
      count(*) filter (where outcome <> 'delivered')::int as failed
    from ${attempts} group by 1`.execute(db)
  const known = new Map(rows.map(({ hour, ...counts }) => [hour, counts]))
  return Array.from({ length: HOURS }, (_, hour) => ({
    at: new Date(since.getTime() + hour * HOUR_MS),
    ...(known.get(hour) ?? { delivered: 0, failed: 0 }),
  }))
}

/**
 * Rebuilds the request of an attempt. The body has the original bytes, and the signatures use the secrets that are
 * valid now. If the token was removed, the request has no signature.
 */
export async function rebuildSentRequestOrThrow(
  { db, secretsOf }: Parts,
  deliveryId: string,
): Promise<SentRequest> {
  const row = await db
    .selectFrom('delivery_attempt as a')
    .innerJoin('event as e', (join) =>
      join.onRef('e.meeting_id', '=', 'a.meeting_id').onRef('e.sequence', '=', 'a.sequence'),
    )
    .innerJoin('lane as l', 'l.id', 'a.lane_id')
    .select(['e.meeting_id', 'a.sequence', 'a.type', 'a.started_at', 'e.body', 'l.url'])
    .select(['l.token_id', 'l.events'])
    .where(isAttempt('a', deliveryId))
    .executeTakeFirst()
  if (row === undefined) throw new ServiceError('delivery_not_kept')
  const previous = await db
    .selectFrom('event')
    .select(({ fn }) => fn.max('sequence').as('sequence'))
    .where('meeting_id', '=', row.meeting_id)
    .where('sequence', '<', row.sequence)
    // The receiver only knows the event types that it asked for.
    .$if(row.events !== null, (query) => query.where('type', 'in', row.events ?? []))
    .executeTakeFirst()
  const { meeting_id: meetingId, sequence, type, url, body } = row
  const previousSequence = previous?.sequence ?? 0
  const event = { meetingId, sequence, previousSequence, type, body: Buffer.from(body) }
  const secrets = await secretsOf(row.token_id ?? '')
  const signed = callbackHeaders(
    event,
    secrets ?? { signing: '', alsoValid: [] },
    deliveryId,
    row.started_at,
  )
  return { url, headers: secrets === null ? withoutSignatures(signed) : signed, body }
}

/** The request as readers of the meeting see it: no signatures, and only the URL's host. The rest can be a secret. */
export function withoutSecrets({ url, headers, body }: SentRequest): SentRequest {
  const { protocol, host } = new URL(url)
  const shown = host === '' ? url : `${protocol}//${host}/…`
  return { url: shown, headers: withoutSignatures(headers), body }
}
