import { sql, type RawBuilder } from 'kysely'
import { readsProject } from '../../access/project-condition.ts'
import { isUnrestricted, type Viewer } from '../../access/viewer.ts'
import type { Db } from '../../db/database.ts'
import { parseTimeCursorOrThrow, toTimeSortKey, cutRowsToPage } from '../../db/page-cursor.ts'
import { creationMsOfOrderedId } from '../../lib/crypto/random.ts'
import { receiverOf } from '../lane/lane-rows.ts'
import type { AttemptOutcome } from '../lane/retry-policy.ts'
import { describeProblem, type CallbackProblem } from './callback-problem.ts'
import { visibleTokenName } from './receivers.ts'

export type DeliveryAttemptFilter = {
  id?: string | undefined
  meetingId?: string | undefined
  /** A callback URL without its query. */
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
  /** Where it went, without query; null for an old replay. */
  url: string | null
  /** Null when the viewer may not see the token, and after it was removed. */
  tokenName: string | null
  sequence: number
  type: string
  startedAt: Date
  durationMs: number
  outcome: AttemptOutcome
  status: number | null
  error: string | null
  /** Why it failed, for people. */
  problem: CallbackProblem | null
  answer: string
  nextAttemptAt: Date | null
}

/**
 * Lists delivery attempts by start time, newest first. An id also contains a time, but of one node, so it only breaks
 * ties.
 */
export async function listAttempts(
  db: Db,
  viewer: Viewer,
  filter: DeliveryAttemptFilter,
  limit: number,
  cursor: string | undefined,
): Promise<{ attempts: DeliveryAttempt[]; nextCursor: string | null }> {
  const { id, meetingId, receiver, outcome, type, sequence, since } = filter
  const after = cursor === undefined ? null : parseTimeCursorOrThrow(cursor)
  const rows = await db
    .selectFrom('delivery_attempt as a')
    .innerJoin('meeting', 'meeting.id', 'a.meeting_id')
    .leftJoin('lane', 'lane.id', 'a.lane_id')
    .leftJoin('api_token as t', 't.id', 'lane.token_id')
    .select(['a.id', 'a.meeting_id as meetingId', 'lane.kind', 'a.sequence', 'a.type'])
    .select(sql<string>`coalesce(meeting.title, meeting.label)`.as('meetingTitle'))
    .select(receiverOf('lane').$castTo<string | null>().as('url'))
    .select(['t.name', 't.kind as tokenKind', 't.created_by as creatorId'])
    .select(['a.started_at as startedAt', 'a.duration_ms as durationMs', 'a.outcome', 'a.status'])
    .select(['a.error', 'a.answer', 'a.next_attempt_at as nextAttemptAt'])
    .$if(!isUnrestricted(viewer), (query) => query.where(readsMeetingOfAttempt(viewer)))
    .$if(id !== undefined, (query) => query.where(isAttempt('a', id ?? '')))
    .$if(receiver !== undefined, (query) => query.where(receiverOf('lane'), '=', receiver ?? ''))
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

/** The start of an attempt and the time in its delivery id differ by at most this. */
const ID_TIME_TOLERANCE_MS = 60_000

/** SQL condition: this is the attempt with the id. Attempts are indexed by start time, and the id contains that time. */
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

/** Events of one meeting whose delivery was given up, oldest first. */
export async function listMeetingDeadLetters(db: Db, meetingId: string): Promise<DeadLetterRow[]> {
  return db
    .selectFrom('dead_letter')
    .select(['sequence', 'reason', 'at'])
    .where('meeting_id', '=', meetingId)
    .orderBy('sequence')
    .limit(1_000)
    .execute()
}
