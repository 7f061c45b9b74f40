import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../../db/database.ts'
import { isOwnerDead, type NodeMembership } from '../../db/nodes/node-membership.ts'
import type { Clock } from '../../lib/time/clock.ts'
import { createWakeUp } from '../../lib/async/wake-up.ts'
import type { Log } from '../../log.ts'
import type { PlatformName } from '../../bots/platforms/platform.ts'
import { hasAccountCapacity, lockAccountsOfWaitingMeetings } from './account-capacity.ts'
import { ACTIVE_STATUSES } from '../status.ts'
import { LeaseLost, type MeetingLease } from '../store.ts'
import type { StoredCounters } from '../record/meeting-writer.ts'

const POLL_MS = 1_000
/** A bot that failed is not sent again before that. */
const RETRY_DELAY_MS = 15_000
/**
 * What a visit that came to no end weighs, and how much of it a meeting may gather before no further bot is sent.
 * A bot that failed five times will fail again. A node that went away says little about its bots; but one that
 * takes its node with it each time must come to an end too.
 */
const FAILURE_WEIGHTS = { interrupted: 1, failed: 12 }
export const MAX_FAILURE_SCORE = 60
/** A bot that held out for so long starts anew. */
const FAILURE_SCORE_RESET_MS = 600_000
const CLAIM_LIMIT = 100

export type MeetingJob = {
  lease: MeetingLease
  counters: StoredCounters
  /** What came of the bots of late, this one counted as interrupted until it is not. */
  failureScore: number
  /** It waited for room until nobody waits for it any more. */
  hasQueueTimedOut: boolean
  /** The caller wants the bot to leave. */
  stop: AbortSignal
  /** This node lets go of the meeting: it goes on elsewhere, or after the next start. */
  release: AbortSignal
}

/** Gives each active meeting to one node that has room for it, and takes it from a node that is gone. */
export interface MeetingRunner extends AsyncDisposable {
  /** Something has changed: look now instead of at the next round. */
  wake(): void
}

/** Meetings that share a limit: those with a browser, and those without. */
export type CapacityGroup = { platforms: readonly PlatformName[]; limit: number }

type Parts = {
  db: Db
  clock: Clock
  log: Log
  presence: NodeMembership
  capacityGroups: readonly CapacityGroup[]
  /** How long a meeting may wait for room. */
  queueTimeoutMs: number
  run(job: MeetingJob): Promise<void>
  /** Meetings were taken up: their callbacks belong to this node now. */
  onClaimed(): void
}

type RunningBot = {
  platform: PlatformName
  stop: AbortController
  release: AbortController
  done: Promise<void>
}

export function startMeetingRunner(parts: Parts): MeetingRunner {
  const { db, clock, log, presence, capacityGroups, run } = parts
  const { nodeId } = presence
  const running = new Map<string, RunningBot>()
  const wakeUp = createWakeUp()
  const closing = new AbortController()

  const begin = (
    { id, platform, fence, attempts, ...counters }: ClaimedMeeting,
    hasQueueTimedOut = false,
  ) => {
    const [stop, release] = [new AbortController(), new AbortController()]
    const lease = { meetingId: id, fence }
    const job: MeetingJob = {
      lease,
      counters,
      failureScore: attempts,
      hasQueueTimedOut,
      stop: stop.signal,
      release: release.signal,
    }
    const work = async () => {
      try {
        await run(job)
      } catch (error) {
        log[error instanceof LeaseLost ? 'warn' : 'error'](
          { err: error, meetingId: id },
          'bot failed',
        )
        const later = new Date(clock.now().getTime() + RETRY_DELAY_MS)
        await releaseAfterFailure(db, lease, later, FAILURE_WEIGHTS.failed)
      }
    }
    const done = work()
      .catch((error: unknown) => log.error({ err: error, meetingId: id }, 'meeting not given up'))
      .finally(() => {
        if (running.get(id) === mine) running.delete(id)
      })
    const mine = { platform, stop, release, done }
    running.set(id, mine)
    parts.onClaimed()
  }
  /** Rows and bots are compared both ways: what has only one of them is put right. */
  const compare = async () => {
    const held = await findOwnedMeetings(db, nodeId)
    for (const { id, status } of held) {
      if (status === 'stopping') running.get(id)?.stop.abort()
    }
    const ids = new Set(held.map(({ id }) => id))
    // Somebody else has it, or it is over: the bot here has nothing more to do.
    for (const [id, { release }] of running) if (!ids.has(id)) release.abort()
    const orphans = held.filter(({ id }) => !running.has(id))
    for (const { id, fence } of orphans) {
      await releaseAfterFailure(
        db,
        { meetingId: id, fence },
        clock.now(),
        FAILURE_WEIGHTS.interrupted,
      )
    }
  }
  const claim = async () => {
    const now = clock.now()
    const who = () => ({ nodeId, attended: [...running.keys()] })
    const patience = new Date(now.getTime() - parts.queueTimeoutMs)
    const take = (which: RawBuilder<boolean>, limit: number, hasQueueTimedOut = false) =>
      keep(claimMeetings(db, who(), now, which, limit), hasQueueTimedOut)
    const keep = async (claimed: Promise<ClaimedMeeting[]>, hasQueueTimedOut = false) => {
      const rows = await claimed
      for (const row of rows) begin(row, hasQueueTimedOut)
      // There may be more where they came from.
      if (rows.length === CLAIM_LIMIT) wakeUp.wake()
    }
    await take(isFinishing(), CLAIM_LIMIT)
    await take(hasWaitedSince(patience), CLAIM_LIMIT, true)
    for (const { platforms, limit } of capacityGroups) {
      const taken = [...running.values()].filter(({ platform }) => platforms.includes(platform))
      const free = Math.min(limit - taken.length, CLAIM_LIMIT)
      if (free <= 0) continue
      const which = sql<boolean>`platform = any(${platforms}) and ${hasAccountCapacity(nodeId)}`
      await keep(
        db.transaction().execute(async (tx) => {
          await lockAccountsOfWaitingMeetings(tx, nodeId)
          return claimMeetings(tx, who(), now, which, free)
        }),
      )
    }
  }
  const loop = async () => {
    while (!closing.signal.aborted) {
      try {
        await compare()
        if (!closing.signal.aborted) await claim()
      } catch (error) {
        log.error({ err: error }, 'meetings not looked after')
      }
      await wakeUp.sleep(POLL_MS)
    }
  }
  presence.onNodeLost(wakeUp.wake)
  const looping = loop()

  return {
    wake: wakeUp.wake,
    async [Symbol.asyncDispose]() {
      closing.abort()
      wakeUp.wake()
      await looping
      for (const { release } of running.values()) release.abort()
      await Promise.all([...running.values()].map(({ done }) => done))
    },
  }
}

type ClaimedMeeting = StoredCounters & {
  id: string
  platform: PlatformName
  fence: number
  attempts: number
}

/** Who claims, and what its bots are at, whatever the rows say. */
type Claimer = { nodeId: string; attended: readonly string[] }

/** Takes meetings that nobody attends. The fence moves on, so an owner that only slept can write no more. */
async function claimMeetings(
  db: Db,
  { nodeId, attended }: Claimer,
  now: Date,
  which: RawBuilder<boolean>,
  limit: number,
): Promise<ClaimedMeeting[]> {
  const recent = new Date(now.getTime() - FAILURE_SCORE_RESET_MS)
  return db
    .updateTable('meeting')
    .set({
      owner: nodeId,
      fence: sql`fence + 1`,
      attempts: sql`case when claimed_at > ${recent} then attempts else 0 end + ${FAILURE_WEIGHTS.interrupted}::int`,
      claimed_at: now,
      claim_after: null,
    })
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('meeting')
        .select('id')
        .where('status', 'in', ACTIVE_STATUSES)
        .where(which)
        .where((inner) => inner.or([inner('owner', 'is', null), isOwnerDead('owner', nodeId)]))
        .where(sql<boolean>`id <> all(${attended})`)
        .where((inner) =>
          inner.or([inner('claim_after', 'is', null), inner('claim_after', '<=', now)]),
        )
        .orderBy('started_at')
        .limit(limit)
        .forUpdate()
        .skipLocked(),
    )
    .returning([
      'id',
      'platform',
      'fence',
      'attempts',
      'last_sequence as lastSequence',
      'reserved_sequence as reservedSequence',
      'segment_count as segmentCount',
    ])
    .execute()
}

/** Needs no room: there is only something to be finished. */
function isFinishing(): RawBuilder<boolean> {
  return sql`(status in ('stopping', 'leaving') or reason is not null)`
}

/** Nobody had room for it since then. */
function hasWaitedSince(since: Date): RawBuilder<boolean> {
  return sql`status = 'joining' and fence = 0 and started_at < ${since}`
}

function findOwnedMeetings(db: Db, nodeId: string) {
  return db
    .selectFrom('meeting')
    .select(['id', 'status', 'fence'])
    .where('owner', '=', nodeId)
    .where('status', 'in', ACTIVE_STATUSES)
    .execute()
}

/** Gives a meeting back after a visit that came to no end, with what that weighs. */
async function releaseAfterFailure(
  db: Db,
  { meetingId, fence }: MeetingLease,
  claimAfter: Date,
  weight: number,
): Promise<void> {
  const more = weight - FAILURE_WEIGHTS.interrupted
  await db
    .updateTable('meeting')
    .set({ owner: null, claim_after: claimAfter, attempts: sql`attempts + ${more}::int` })
    .where('id', '=', meetingId)
    .where('fence', '=', fence)
    .execute()
}

/** Gives a meeting back, for another node or the next start. A visit that was handed over did not fail. */
export async function releaseMeeting(db: Db, { meetingId, fence }: MeetingLease): Promise<void> {
  await db
    .updateTable('meeting')
    .set({
      owner: null,
      claim_after: null,
      attempts: sql`attempts - ${FAILURE_WEIGHTS.interrupted}::int`,
    })
    .where('id', '=', meetingId)
    .where('fence', '=', fence)
    .execute()
}
