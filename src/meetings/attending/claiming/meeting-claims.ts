import { sql, type RawBuilder } from 'kysely'
import type { PlatformName } from '../../../bots/platforms/platform.ts'
import type { Db } from '../../../db/database.ts'
import {
  buildLastHeartbeatSubquery,
  buildMayClaimCondition,
  buildOwnerDeadCondition,
} from '../../../db/nodes/node-conditions.ts'
import { startGapWithoutWriter } from '../../record/gaps.ts'
import type { MeetingCountersAtClaim } from '../../record/meeting-writer.ts'
import { ACTIVE_STATUSES, isRecording } from '../../status.ts'
import type { MeetingLease } from '../../record/meeting-store.ts'

/**
 * What a bot that did not end properly adds to its meeting's failure score. After five failures another attempt is
 * pointless. A bot whose node died adds little, but a bot that kills its node every time must end too.
 */
export const FAILURE_WEIGHTS = { interrupted: 1, failed: 12 }
/** At this failure score the meeting ends with an error, and no further bot joins. */
export const MEETING_FAILURE_SCORE_LIMIT = 60
/** A bot that ran for this long resets the failure score of its meeting. */
const FAILURE_SCORE_RESET_MS = 600_000

export type ClaimedMeeting = MeetingCountersAtClaim & {
  id: string
  platform: PlatformName
  fence: number
  failureScore: number
  /** The step of a trace that began the meeting. */
  traceParent: string | null
  /** The node that died while its bot attended the meeting; null if the meeting had no owner. */
  lostOwner: string | null
  /** The last heartbeat of that node; null if unknown. */
  lostOwnerBeatAt: Date | null
}

/** The claiming node, and the meetings whose bots run there even if their rows say otherwise. */
type Claimer = { nodeId: string; running: readonly string[] }

/** False if `claimMeetings` would find nothing, whatever its condition. */
export async function hasFreeMeetings(db: Db, claimer: Claimer, now: Date): Promise<boolean> {
  const found = await selectFreeMeetings(db, claimer, now).select('id').limit(1).execute()
  return found.length > 0
}

/** Claims meetings without a live owner. The fence increases, so a former owner that was only paused cannot write. */
export async function claimMeetings(
  db: Db,
  claimer: Claimer,
  now: Date,
  condition: RawBuilder<boolean>,
  limit: number,
): Promise<ClaimedMeeting[]> {
  const { nodeId } = claimer
  const recent = new Date(now.getTime() - FAILURE_SCORE_RESET_MS)
  return db
    .with('free', (withDb) =>
      selectFreeMeetings(withDb, claimer, now)
        .select(['id', 'owner'])
        .where(condition)
        .orderBy('started_at')
        .limit(limit)
        .forUpdate()
        .skipLocked(),
    )
    .updateTable('meeting')
    .from('free')
    .set({
      owner: nodeId,
      fence: sql`fence + 1`,
      failure_score: sql`case when claimed_at > ${recent} then failure_score else 0 end + ${FAILURE_WEIGHTS.interrupted}::int`,
      claimed_at: now,
      claim_after: null,
    })
    .whereRef('meeting.id', '=', 'free.id')
    .returning((eb) => [
      'meeting.id',
      // An imported meeting is never active.
      eb.ref('platform').$castTo<PlatformName>().as('platform'),
      'fence',
      'failure_score as failureScore',
      'last_sequence as lastSequence',
      'reserved_sequence as reservedSequence',
      'segment_count as segmentCount',
      'free.owner as lostOwner',
      'trace_parent as traceParent',
      buildLastHeartbeatSubquery('free.owner').as('lostOwnerBeatAt'),
    ])
    .execute()
}

/** SQL condition: the meeting only has to be finished, which needs no capacity. The same rule as `isFinishing`. */
export function buildNeedsOnlyFinishingCondition(): RawBuilder<boolean> {
  return sql`(status in ('stopping', 'leaving') or reason is not null)`
}

/**
 * SQL condition: the meeting started before `before`, and no node has had capacity for its bot. A scheduled meeting
 * waits only while a node runs. If none was running, its bot joins late.
 */
export function buildQueuedBeforeCondition(before: Date, nodeStartedAt: Date): RawBuilder<boolean> {
  const isQueued = sql<boolean>`status = 'joining' and fence = 0 and started_at < ${before}`
  return nodeStartedAt < before ? isQueued : sql`${isQueued} and join_at is null`
}

/** Active meetings without a live owner that this node may claim. */
function selectFreeMeetings(db: Pick<Db, 'selectFrom'>, { nodeId, running }: Claimer, now: Date) {
  return db
    .selectFrom('meeting')
    .where('status', 'in', ACTIVE_STATUSES)
    .where(buildMayClaimCondition(nodeId))
    .where((inner) =>
      inner.or([inner('owner', 'is', null), buildOwnerDeadCondition('owner', nodeId)]),
    )
    .where(sql<boolean>`id <> all(${running})`)
    .where((inner) => inner.or([inner('claim_after', 'is', null), inner('claim_after', '<=', now)]))
}

export function listActiveMeetingsOwnedByNode(db: Db, nodeId: string) {
  return db
    .selectFrom('meeting')
    .select(['id', 'status', 'fence'])
    .where('owner', '=', nodeId)
    .where('status', 'in', ACTIVE_STATUSES)
    .execute()
}

/**
 * Releases a meeting whose bot did not end properly, and adds `weight` to its failure score. Nothing is recorded until
 * the next bot is in the meeting.
 */
export async function releaseMeetingAfterFailure(
  db: Db,
  { meetingId, fence }: MeetingLease,
  nodeId: string,
  { at, claimAfter, weight }: { at: Date; claimAfter: Date; weight: number },
): Promise<void> {
  const more = weight - FAILURE_WEIGHTS.interrupted
  await db.transaction().execute(async (tx) => {
    const released = await tx
      .updateTable('meeting')
      .set({
        owner: null,
        claim_after: claimAfter,
        failure_score: sql`failure_score + ${more}::int`,
      })
      .where('id', '=', meetingId)
      // If the bot released the meeting before it failed, there is nothing left to do.
      .where('owner', '=', nodeId)
      .where('fence', '=', fence)
      .returning(['status', 'reason', 'live_at as liveAt'])
      .executeTakeFirst()
    if (released !== undefined && isRecording(released))
      await startGapWithoutWriter(tx, meetingId, 'bot_rejoined', at)
  })
}

/**
 * Gives up this node's claim, so that another node, or this one after a restart, can claim the meeting. That is not a
 * failure.
 */
export async function releaseMeeting(db: Db, { meetingId, fence }: MeetingLease): Promise<void> {
  await db
    .updateTable('meeting')
    .set({
      owner: null,
      claim_after: null,
      failure_score: sql`failure_score - ${FAILURE_WEIGHTS.interrupted}::int`,
    })
    .where('id', '=', meetingId)
    .where('fence', '=', fence)
    .execute()
}
