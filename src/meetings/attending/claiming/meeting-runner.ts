import { sql, type RawBuilder } from 'kysely'
import type { PlatformName } from '../../../bots/platforms/platform.ts'
import type { Db } from '../../../db/database.ts'
import { startClaimLoop } from '../../../db/nodes/claim-loop.ts'
import type { NodeMembership } from '../../../db/nodes/node-membership.ts'
import type { Clock } from '../../../lib/time/clock.ts'
import type { Log } from '../../../log.ts'
import { LeaseLost, type MeetingLease } from '../../record/meeting-store.ts'
import type { MeetingCountersAtClaim } from '../../record/meeting-writer.ts'
import { buildMissedCondition } from '../../scheduling/scheduled-meetings.ts'
import { buildAccountCapacityCondition, lockAccountsOfUnownedMeetings } from './capacity.ts'
import {
  claimMeetings,
  FAILURE_WEIGHTS,
  hasFreeMeetings,
  listActiveMeetingsOwnedByNode,
  buildQueuedBeforeCondition,
  buildNeedsOnlyFinishingCondition,
  releaseMeetingAfterFailure,
  type ClaimedMeeting,
} from './meeting-claims.ts'

const POLL_MS = 1_000
/** How long a meeting waits for another bot after its bot failed. */
const RETRY_DELAY_MS = 15_000
const CLAIM_LIMIT = 100

export type MeetingJob = {
  lease: MeetingLease
  counters: MeetingCountersAtClaim
  /** Weighted sum of recent failures. It includes this bot as interrupted until the bot has ended properly. */
  failureScore: number
  /** The step of a trace that began the meeting. */
  traceParent: string | null
  /** Set if the node of the previous bot died. `lastBeatAt` is null if its last heartbeat is unknown. */
  interruption: { lastBeatAt: Date | null } | null
  /** The meeting waited for capacity longer than the queue timeout. */
  hasQueueTimedOut: boolean
  /** Aborts when a client of the API or a user of the console asked the bot to leave. */
  stop: AbortSignal
  /** Aborts when this node gives the meeting back. Another node continues it, or this one after a restart. */
  release: AbortSignal
}

/** Claims active meetings while this node has capacity, including meetings of dead nodes, and runs their bots. */
export type MeetingRunner = ReturnType<typeof startMeetingRunner>

/** Platforms that share one limit of concurrent bots: those with a browser, and practice meetings. */
export type CapacityGroup = { platforms: readonly PlatformName[]; limit: number }

type Parts = {
  db: Db
  clock: Clock
  log: Log
  membership: NodeMembership
  capacityGroups: readonly CapacityGroup[]
  /** How long a meeting may wait for capacity. */
  queueTimeoutMs: number
  run(job: MeetingJob): Promise<void>
  /** Called after this node has claimed meetings, because it then also delivers their callbacks. */
  onClaimed(): void
}

type RunningBot = {
  platform: PlatformName
  stop: AbortController
  release: AbortController
  done: Promise<void>
}

export function startMeetingRunner(parts: Parts) {
  const { db, clock, log, membership, capacityGroups, run } = parts
  const { nodeId } = membership
  const running = new Map<string, RunningBot>()
  const startedAt = clock.now()

  const startBot = (claimed: ClaimedMeeting, hasQueueTimedOut = false) => {
    const { id, platform, fence, failureScore, traceParent, ...claim } = claimed
    const { lostOwner, lostOwnerBeatAt, ...counters } = claim
    const [stop, release] = [new AbortController(), new AbortController()]
    const lease = { meetingId: id, fence }
    const job: MeetingJob = {
      lease,
      counters,
      failureScore,
      traceParent,
      interruption: lostOwner === null ? null : { lastBeatAt: lostOwnerBeatAt },
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
        const at = clock.now()
        const claimAfter = new Date(at.getTime() + RETRY_DELAY_MS)
        const failure = { at, claimAfter, weight: FAILURE_WEIGHTS.failed }
        await releaseMeetingAfterFailure(db, lease, nodeId, failure)
      }
    }
    const done = work()
      .catch((error: unknown) =>
        log.error(
          { err: error, meetingId: id },
          'failed to release the meeting after its bot failed',
        ),
      )
      .finally(() => {
        if (running.get(id) === bot) running.delete(id)
      })
    const bot = { platform, stop, release, done }
    running.set(id, bot)
    parts.onClaimed()
  }
  const startBots = (claimed: readonly ClaimedMeeting[], hasQueueTimedOut = false) => {
    for (const meeting of claimed) startBot(meeting, hasQueueTimedOut)
    // A full batch means that there may be more to claim.
    if (claimed.length === CLAIM_LIMIT) loop.wake()
  }
  const claim = async () => {
    const now = clock.now()
    const claimer = () => ({ nodeId, running: [...running.keys()] })
    if (!(await hasFreeMeetings(db, claimer(), now))) return
    const claimWhere = (condition: RawBuilder<boolean>) =>
      claimMeetings(db, claimer(), now, condition, CLAIM_LIMIT)
    const needsNoCapacity = sql<boolean>`(${buildNeedsOnlyFinishingCondition()} or ${buildMissedCondition(now)})`
    startBots(await claimWhere(needsNoCapacity))
    const queuedBefore = new Date(now.getTime() - parts.queueTimeoutMs)
    startBots(await claimWhere(buildQueuedBeforeCondition(queuedBefore, startedAt)), true)
    for (const { platforms, limit } of capacityGroups) {
      const used = [...running.values()].filter(({ platform }) => platforms.includes(platform))
      const free = Math.min(limit - used.length, CLAIM_LIMIT)
      if (free <= 0) continue
      const condition = sql<boolean>`platform = any(${platforms}) and ${buildAccountCondition(membership)}`
      const claimed = await db.transaction().execute(async (tx) => {
        await lockAccountsOfUnownedMeetings(tx, nodeId)
        return claimMeetings(tx, claimer(), now, condition, free)
      })
      startBots(claimed)
    }
  }
  const loop = startClaimLoop({
    what: 'meeting leases',
    log,
    membership,
    pollMs: POLL_MS,
    running,
    findOwned: () => listActiveMeetingsOwnedByNode(db, nodeId),
    update(bot, { status }) {
      if (status === 'stopping') bot.stop.abort()
    },
    stop: (bot) => bot.release.abort(),
    async releaseOrphans(rows) {
      for (const { id, fence } of rows) {
        const at = clock.now()
        const failure = { at, claimAfter: at, weight: FAILURE_WEIGHTS.interrupted }
        await releaseMeetingAfterFailure(db, { meetingId: id, fence }, nodeId, failure)
      }
    },
    claim,
  })

  return {
    /** Checks for meetings to claim now instead of at the next poll. */
    wake: loop.wake,
    /** The bots that are running on this node. */
    listBots: (): ReadonlyArray<{ platform: PlatformName }> => [...running.values()],
    async [Symbol.asyncDispose]() {
      // The current round may be waiting for the database and then start bots, so release before and after it.
      for (const { release } of running.values()) release.abort()
      await loop[Symbol.asyncDispose]()
      for (const { release } of running.values()) release.abort()
      await Promise.all([...running.values()].map(({ done }) => done))
    },
  }
}

/** Bot accounts are encrypted, so a node without the master key claims no meetings that use one. */
function buildAccountCondition({ hasMasterKey, nodeId }: NodeMembership): RawBuilder<boolean> {
  return hasMasterKey ? buildAccountCapacityCondition(nodeId) : sql<boolean>`account is null`
}
