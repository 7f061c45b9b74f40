import {
  createAttemptLimiter,
  type LaneAttemptLimiter,
  type RequestSlotLimits,
} from '../../../src/deliveries/attempt-limiter.ts'
import type { LaneRecord } from '../../../src/deliveries/lane/lane-record.ts'
import {
  isLaneAlreadyReleased,
  openLane,
  type Lane,
  type LaneEndReason,
  type LaneDependencies,
} from '../../../src/deliveries/lane/lane.ts'
import type { PartialCaptionSequenceSource } from '../../../src/deliveries/lane/partial-captions.ts'
import type { SeededRandom } from '../meetings/caption-streams.ts'
import { checkAttemptLimiter } from './attempt-limiter-checker.ts'
import { claimLanes, claimMeetings, type ClaimedLane } from './claims.ts'
import type { SimulatedLaneClaim, InvariantChecker } from './invariant-checker.ts'
import { createLaneStoreFor } from './lane-store.ts'
import { startSimulatedBot, type SimulatedBot, type LaneHandle } from './simulated-bot.ts'
import type { createSimulatedReceivers } from './simulated-receivers.ts'
import {
  StoreOutage,
  type SimulatedTime,
  type StoreFault,
  type SimulatedProcess,
} from './simulated-time.ts'
import { hasSlotLeak } from './slot-leaks.ts'
import { isLastEvent, type LaneRow, type MeetingRow, type Tables } from './tables.ts'

export type SimulatedNodeParts = {
  time: SimulatedTime
  random: SeededRandom
  tables: Tables
  checker: InvariantChecker
  receivers: ReturnType<typeof createSimulatedReceivers>
  limits: RequestSlotLimits
  giveUpMs: number
  wall(host: SimulatedProcess): number
  fault(): StoreFault
  gapMs(): number
  roundMs(): number
  isOver(meetingId: string): boolean
  isLive(nodeId: string): boolean
}

export type SimulatedNode = {
  host: SimulatedProcess
  /** The number of lanes that run on this node. */
  count(): number
  /** Stops the node gracefully. Resolves when all its lanes have ended. */
  stop(): Promise<void>
  hasSlotLeak(): Promise<boolean>
}

const GRACE_MS = 5_000
const RETRY_AFTER_ERROR_MS = 15_000

/** Simulates one process of the service, which claims and runs meetings and lanes. */
export function startSimulatedNode(
  parts: SimulatedNodeParts,
  host: SimulatedProcess,
): SimulatedNode {
  const { time, random, tables, checker, receivers } = parts
  const timers = time.timersOf(host)
  const wall = () => parts.wall(host)
  const uncheckedLimiter = createAttemptLimiter(timers, parts.limits)
  const limiter = checkAttemptLimiter(uncheckedLimiter, {
    now: time.now,
    assert: checker.assert,
    count: checker.count,
  })
  const lanes = new Map<SimulatedLaneClaim, Lane>()
  const bots = new Map<string, SimulatedBot>()
  const sequenceSources = new Map<string, PartialCaptionSequenceSource>()
  const runningLanes = new Set<Promise<void>>()
  let isClosing = false
  let leak: Promise<boolean> | null = null
  let count = 0

  const entryOf = (meetingId: string) =>
    [...lanes].findLast(([{ row }]) => row.meetingId === meetingId && row.kind === 'meeting')
  const checkSequenceSource = (
    claim: SimulatedLaneClaim,
    source: PartialCaptionSequenceSource | null,
  ): PartialCaptionSequenceSource | null =>
    source && {
      reservePartialSequences: () => source.reservePartialSequences(),
      nextPartialSequence() {
        checker.assert(
          !claim.isStopped,
          () => `${claim.row.id} starts a partial caption after it was stopped`,
        )
        const sequence = source.nextPartialSequence()
        if (sequence !== null) claim.reservedSequence = { sequence, at: time.now(), wallAt: wall() }
        return sequence
      },
    }
  const botLane: LaneHandle = {
    push(meetingId, events) {
      const stored = events.map((event) => ({ ...event, at: event.at.getTime() }))
      const [claim, lane] = entryOf(meetingId) ?? []
      if (claim !== undefined) checker.onEventPushed(claim)
      lane?.push(stored)
    },
    setSequenceSource(meetingId, source) {
      if (source === null) sequenceSources.delete(meetingId)
      else sequenceSources.set(meetingId, source)
      const [claim, lane] = entryOf(meetingId) ?? []
      if (claim !== undefined) lane?.setSequenceSource(checkSequenceSource(claim, source))
    },
    pushPartial: (meetingId, partial) => entryOf(meetingId)?.[1].showPartial(partial),
    clearPartials: (meetingId, captionIds) => entryOf(meetingId)?.[1].clearPartials(captionIds),
  }
  const checkReceiverLimiter = (
    claim: SimulatedLaneClaim,
    receiver: LaneAttemptLimiter,
  ): LaneAttemptLimiter => ({
    ...receiver,
    async acquire(lane, signal) {
      const permit = await receiver.acquire(lane, signal)
      if (permit === null) return null
      checker.assert(
        !claim.isStopped,
        () => `${claim.row.id} starts an attempt after it was stopped`,
      )
      claim.lastResponseWasFault = null
      let isReleased = false
      return {
        release(result) {
          const expected =
            claim.lastResponseWasFault === null
              ? 'unused'
              : claim.lastResponseWasFault
                ? 'failure'
                : 'success'
          checker.assert(
            isReleased || result === expected,
            () => `${claim.row.id} reports ${result}, not ${expected}`,
          )
          isReleased = true
          permit.release(result)
        },
      }
    },
  })
  const newDeliveryId = () => {
    count += 1
    return `${host.id}.${count}`
  }
  const open = ({ row, record }: ClaimedLane) => {
    const claim = createSimulatedLaneClaim(row, record, host.id)
    const laneParts: LaneDependencies = {
      store: createLaneStoreFor(parts, claim, host),
      messages: { post: async () => null },
      transport: receivers.transportFor(claim, host),
      limiter: {
        forReceiver: (to, onWorking) =>
          checkReceiverLimiter(claim, limiter.forReceiver(to, onWorking)),
      },
      timers,
      now: wall,
      random: () => random.between(0, 999_999) / 1_000_000,
      newDeliveryId,
      isLastEvent,
      giveUpMs: parts.giveUpMs,
    }
    checker.log(`${row.id}/${record.fence} opens on ${host.id} after ${record.deliveredThrough}`)
    const lane = openLane({ ...record, dueAt: wall() + random.between(0, 500) }, laneParts)
    lanes.set(claim, lane)
    if (row.kind === 'meeting') {
      lane.setSequenceSource(checkSequenceSource(claim, sequenceSources.get(row.meetingId) ?? null))
    }
    const ending = close(claim, lane)
      .catch(checker.recordFailure)
      .finally(() => runningLanes.delete(ending))
    runningLanes.add(ending)
  }
  const close = async (claim: SimulatedLaneClaim, lane: Lane) => {
    let end: LaneEndReason = 'failed'
    try {
      end = await lane.ended
    } catch (error) {
      if (!(error instanceof StoreOutage)) throw error
    }
    checker.log(`${claim.row.id}/${claim.record.fence} ends: ${end}`)
    checker.count(`${end} lane`)
    lanes.delete(claim)
    if (isLaneAlreadyReleased(end)) return
    await time.callStore(host, () => {
      if (claim.row.fence !== claim.record.fence) return
      claim.row.owner = null
      if (end === 'failed')
        claim.row.dueAt = Math.max(claim.row.dueAt ?? 0, wall() + RETRY_AFTER_ERROR_MS)
    })
  }
  const stopLane = (claim: SimulatedLaneClaim, lane: Lane, graceMs: number) => {
    claim.isStopped = true
    lane.stop(graceMs)
  }
  const isElsewhere = ({ kind, meetingId }: LaneRow) => {
    const { owner, endedAt } = tables.meetings.get(meetingId) as MeetingRow
    if (kind !== 'meeting' || endedAt !== null || owner === null) return false
    return owner !== host.id && parts.isLive(owner)
  }
  const botFor = (meeting: MeetingRow) => {
    const isOver = () => parts.isOver(meeting.id)
    const { recordFailure } = checker
    return startSimulatedBot(
      { ...parts, host, lane: botLane, wall, isOver, recordFailure },
      meeting,
    )
  }
  const round = async () => {
    const owned = await time.callStore(
      host,
      () => new Map([...tables.lanes].map(([id, { owner, fence }]) => [id, { owner, fence }])),
    )
    for (const [claim, lane] of lanes) {
      const now = owned.get(claim.row.id)
      if (now?.owner !== host.id || now.fence !== claim.record.fence) stopLane(claim, lane, 0)
      else if (isElsewhere(claim.row)) stopLane(claim, lane, GRACE_MS)
    }
    for (const [id, bot] of bots) {
      const meeting = tables.meetings.get(id)
      // A bot notices only after some time that another node has claimed its meeting.
      if (random.chance(0.5)) continue
      if (meeting?.owner !== host.id || meeting.fence !== bot.hold.fence) bot.release()
      if (bot.hasLeft) bots.delete(id)
    }
    const meetings = await time.callStore(host, () => (isClosing ? [] : claimMeetings(parts, host)))
    for (const meeting of meetings) {
      bots.set(meeting.id, botFor(meeting))
    }
    const due = await time.callStore(host, () => (isClosing ? [] : claimLanes(parts, host, wall())))
    for (const claimed of due) open(claimed)
  }
  const loop = async () => {
    for (;;) {
      await round()
      if (isClosing) return
      await new Promise<void>((resolve) => {
        time.after(host, parts.roundMs(), resolve)
      })
    }
  }
  const looping = loop().catch(checker.recordFailure)

  return {
    host,
    count: () => lanes.size,
    async stop() {
      isClosing = true
      await looping
      for (const bot of bots.values()) bot.release()
      for (const [claim, lane] of lanes) stopLane(claim, lane, GRACE_MS)
      await Promise.all(runningLanes)
    },
    // Checked only once, because the check briefly takes all slots.
    hasSlotLeak: () => (leak ??= hasSlotLeak(uncheckedLimiter, parts.limits)),
  }
}

function createSimulatedLaneClaim(
  row: LaneRow,
  record: LaneRecord,
  nodeId: string,
): SimulatedLaneClaim {
  return {
    record,
    row,
    nodeId,
    settledThrough: record.deliveredThrough,
    failures: record.failures,
    secrets: null,
    inFlight: 0,
    isStopped: false,
    accepted: 0,
    lastResponseWasFault: null,
    mustReconnect: false,
    lastPartialSequence: 0,
    lastPartialAt: -Infinity,
    eventPushedAt: null,
    isPartialInFlight: false,
    reservedSequence: null,
  }
}
