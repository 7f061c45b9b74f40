import type { Db } from '../../db/database.ts'
import { startClaimLoop } from '../../db/nodes/claim-loop.ts'
import type { NodeMembership } from '../../db/nodes/node-membership.ts'
import type { Timers } from '../../lib/time/clock.ts'
import type { Log } from '../../log.ts'
import {
  ListenerNotAllowedError,
  ListenerNotConnectedError,
  parseListenerName,
  createRefusedLanes,
} from '../listeners.ts'
import type { LaneEvent, LaneRecord } from './lane-record.ts'
import {
  claimDueLanes,
  listOwnedLanes,
  makeMessageLanesDue,
  releaseLane,
  type LaneDueTimeChange,
} from './lane-rows.ts'
import {
  isLaneAlreadyReleased,
  openLane,
  type Lane,
  type LaneEndReason,
  type LaneDependencies,
} from './lane.ts'
import {
  openPartialCaptionForwarder,
  type PartialCaptionSequenceSource,
  type PartialCaptionSink,
} from './partial-captions.ts'
import { createPartialReceivers, type PartialReceivers } from './partial-receivers.ts'
import { LANE_RULES } from './retry-policy.ts'

/** Runs the lanes of this node: claims lanes with due events, and releases lanes that have nothing left to deliver. */
export interface DeliveryEngine extends AsyncDisposable {
  /** Checks now for lanes with due events. */
  wake(): void
  /** A new listener connected under this URL. Its lanes retry now instead of waiting for their next retry. */
  restartLanes(url: string): void
  /** Passes events that were just committed to the lane of their meeting. */
  push(meetingId: string, events: readonly LaneEvent[]): void
  /** Another node has stored events of the meeting. Its lane reads the store again. */
  invalidate(meetingId: string): void
  /** Opens the destination of a bot's partial captions. Dispose it when the bot ends. */
  openPartialSink(
    meetingId: string,
    numbers: PartialCaptionSequenceSource,
  ): PartialCaptionSink & Disposable
  /** The number of lanes that run on this node. */
  laneCount(): number
}

type Parts = Omit<LaneDependencies, 'timers'> & {
  db: Db
  membership: NodeMembership
  timers: Timers
  log: Log
  /** `listen:` URLs of the listeners that are connected to this node. */
  listeners(): readonly string[]
}

const CLAIM_INTERVAL_MS = 1_000
/** How long a lane waits after an unexpected error in its own code. */
const RETRY_AFTER_ERROR_MS = 15_000
/** The delivery attempt in flight may still take this long after its lane was stopped. */
const GRACE_MS = 5_000
/** After this service starts, lanes that another process served before begin at random times within this period. */
const STARTUP_JITTER_MS = 2_000
/** Log warnings for the reasons why a lane ended that an operator should know about. */
const END_WARNINGS: { readonly [End in LaneEndReason | 'failed']?: string } = {
  closed: 'the receiver wants no more callbacks or messages',
  unsigned: 'the API token was revoked: callbacks cannot be signed any more',
}

export function startDeliveryEngine(parts: Parts): DeliveryEngine {
  const { db, membership, timers, log, now } = parts
  const { nodeId } = membership
  const toUrls = membership.hasRole('tasks')
  const lanes = new Map<string, Lane>()
  const laneOfMeeting = new Map<string, Lane>()
  const sequencesOf = new Map<string, PartialCaptionSequenceSource>()
  const endings = new Set<Promise<void>>()
  const startedAt = timers.now()
  const refused = createRefusedLanes(timers.now)
  const receivers = createPartialReceivers(db, timers)

  const open = (record: LaneRecord) => {
    const lane = openLane(record, parts)
    lanes.set(record.id, lane)
    if (record.kind === 'meeting') {
      laneOfMeeting.set(record.meetingId, lane)
      lane.setSequenceSource(sequencesOf.get(record.meetingId) ?? null)
    }
    const ending = close(lane).finally(() => endings.delete(ending))
    endings.add(ending)
  }
  const close = async (lane: Lane) => {
    const { record } = lane
    let end: LaneEndReason | 'failed' = 'failed'
    try {
      end = await lane.ended
    } catch (error) {
      if (error instanceof ListenerNotAllowedError) refused.add(record)
      if (error instanceof ListenerNotConnectedError) end = 'stopped'
      else log.error({ err: error, meetingId: record.meetingId, laneId: record.id }, 'lane failed')
    }
    // This node may have lost the lane and claimed it again meanwhile. Then the map holds the new lane.
    if (lanes.get(record.id) === lane) lanes.delete(record.id)
    if (laneOfMeeting.get(record.meetingId) === lane) laneOfMeeting.delete(record.meetingId)
    const warning = END_WARNINGS[end]
    if (warning !== undefined) log.warn({ meetingId: record.meetingId, laneId: record.id }, warning)
    if (isLaneAlreadyReleased(end)) return
    try {
      await releaseLane(db, record, dueChangeAfter(end, record, now()))
    } catch (error) {
      log.error({ err: error, laneId: record.id }, 'failed to release a lane')
    }
  }
  const claim = async () => {
    const [at, listeners] = [new Date(now()), parts.listeners()]
    const refusedIds = refused.listIds()
    if (toUrls) await makeMessageLanesDue(db, at)
    for (const record of await claimDueLanes(db, nodeId, at, listeners, refusedIds, toUrls)) {
      const isResumed = record.fence > 1 && timers.now() - startedAt < STARTUP_JITTER_MS
      open({ ...record, dueAt: now() + (isResumed ? parts.random() * STARTUP_JITTER_MS : 0) })
    }
  }
  const loop = startClaimLoop({
    what: 'lanes',
    log,
    membership,
    pollMs: CLAIM_INTERVAL_MS,
    timers,
    running: lanes,
    findOwned: () => listOwnedLanes(db, nodeId),
    update(lane, row) {
      const { url, fence } = lane.record
      const hasListener = parseListenerName(url) === null || parts.listeners().includes(url)
      if (row.fence !== fence) lane.stop(0)
      else if (row.isRetryAsked || row.isMeetingOnOtherNode || !hasListener) lane.stop(GRACE_MS)
    },
    stop: (lane) => lane.stop(0),
    async releaseOrphans(rows) {
      for (const row of rows) await releaseLane(db, row)
    },
    claim,
  })

  // Also a node without the role `tasks` has lanes: those of its listeners.
  membership.onMessage('callback_partial', ({ meetingId, body, ...caption }) =>
    laneOfMeeting.get(meetingId)?.showPartial({ ...caption, body: () => body }),
  )

  return {
    wake: loop.wake,
    restartLanes(url) {
      refused.clear(url)
      for (const lane of lanes.values()) if (lane.record.url === url) lane.stop(GRACE_MS)
      loop.wake()
    },
    push: (meetingId, events) => laneOfMeeting.get(meetingId)?.push(events),
    invalidate: (meetingId) => laneOfMeeting.get(meetingId)?.invalidate(),
    openPartialSink(meetingId, numbers) {
      if (!toUrls) return openForwarder(parts, receivers, meetingId, numbers)
      sequencesOf.set(meetingId, numbers)
      laneOfMeeting.get(meetingId)?.setSequenceSource(numbers)
      return {
        show: (partial) => laneOfMeeting.get(meetingId)?.showPartial(partial),
        clear: (captionIds) => laneOfMeeting.get(meetingId)?.clearPartials(captionIds),
        [Symbol.dispose]() {
          if (sequencesOf.get(meetingId) !== numbers) return
          sequencesOf.delete(meetingId)
          laneOfMeeting.get(meetingId)?.setSequenceSource(null)
        },
      }
    },
    laneCount: () => lanes.size,
    async [Symbol.asyncDispose]() {
      await loop[Symbol.asyncDispose]()
      for (const lane of lanes.values()) lane.stop(GRACE_MS)
      await Promise.all(endings)
    },
  }
}

function openForwarder(
  { membership, timers, rules = LANE_RULES, onPartialDropped }: Parts,
  receivers: PartialReceivers,
  meetingId: string,
  numbers: PartialCaptionSequenceSource,
) {
  const receiver = receivers.open(meetingId)
  const forwarder = openPartialCaptionForwarder({
    numbers,
    timers,
    intervalMs: rules.partialIntervalMs,
    findNode: receiver.findNode,
    forward: (nodeId, caption) =>
      membership.send(nodeId, 'callback_partial', { meetingId, ...caption }),
    onDropped: (error) => onPartialDropped?.(error),
  })
  return {
    ...forwarder,
    [Symbol.dispose]() {
      receiver[Symbol.dispose]()
      forwarder[Symbol.dispose]()
    },
  }
}

/** How releasing a lane changes its next due time. */
function dueChangeAfter(
  end: LaneEndReason | 'failed',
  { url }: LaneRecord,
  now: number,
): LaneDueTimeChange {
  if (end === 'failed') return { notBefore: new Date(now + RETRY_AFTER_ERROR_MS) }
  // No node claims the lane while its listener is not connected. Once it connects, the lane must not wait to retry.
  const hasLostListener = end === 'stopped' && parseListenerName(url) !== null
  return hasLostListener ? { notAfter: new Date(now) } : {}
}
