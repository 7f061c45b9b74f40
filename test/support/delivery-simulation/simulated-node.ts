import {
  createAttemptLimiter,
  type ReceiverLimiter,
} from '../../../src/deliveries/limits/attempt-limiter.ts'
import {
  isAlreadyReleased,
  openLane,
  type Lane,
  type LaneEnd,
  type LaneParts,
} from '../../../src/deliveries/lane/lane.ts'
import type { LaneRecord } from '../../../src/deliveries/lane/lane-record.ts'
import type { SequenceSource } from '../../../src/deliveries/lane/partial-captions.ts'
import type { SlotLimits } from '../../../src/deliveries/limits/request-slots.ts'
import type { SeededRandom } from '../meetings/caption-streams.ts'
import {
  StoreOutage,
  type SimulatedTime,
  type StoreFault,
  type SimulatedProcess,
} from './simulated-time.ts'
import { startSimulatedBot, type SimulatedBot, type LaneHandle } from './simulated-bot.ts'
import { claimLanes, claimMeetings, type ClaimedLane } from './claims.ts'
import { hasSlotLeak } from './slot-leaks.ts'
import type { createSimulatedReceivers } from './simulated-receivers.ts'
import { createLaneStoreFor } from './lane-store.ts'
import { isLastEvent, type LaneRow, type MeetingRow, type Tables } from './tables.ts'
import { checkGate } from './gate-checker.ts'
import type { SimulatedLaneHold, InvariantChecker } from './invariant-checker.ts'

export type SimulatedNodeParts = {
  agenda: SimulatedTime
  random: SeededRandom
  tables: Tables
  watch: InvariantChecker
  receivers: ReturnType<typeof createSimulatedReceivers>
  limits: SlotLimits
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
  /** Lanes that are served now. */
  count(): number
  /** As a node does when it is told to stop; resolves when all its lanes have ended. */
  stop(): Promise<void>
  hasSlotLeak(): Promise<boolean>
}

const GRACE_MS = 5_000
const PAUSE_MS = 15_000

/** One process of the service: it claims meetings and lanes, and serves both. */
export function startSimulatedNode(
  parts: SimulatedNodeParts,
  host: SimulatedProcess,
): SimulatedNode {
  const { agenda, random, tables, watch, receivers } = parts
  const timers = agenda.timersOf(host)
  const wall = () => parts.wall(host)
  const bare = createAttemptLimiter(timers, parts.limits)
  const gate = checkGate(bare, { now: agenda.now, assert: watch.assert, count: watch.count })
  const lanes = new Map<SimulatedLaneHold, Lane>()
  const bots = new Map<string, SimulatedBot>()
  const numbersOf = new Map<string, SequenceSource>()
  const endings = new Set<Promise<void>>()
  let isClosing = false
  let leak: Promise<boolean> | null = null
  let count = 0

  const entryOf = (meetingId: string) =>
    [...lanes].findLast(([{ row }]) => row.meetingId === meetingId && row.kind === 'meeting')
  const watched = (
    held: SimulatedLaneHold,
    numbers: SequenceSource | null,
  ): SequenceSource | null =>
    numbers && {
      reservePartialSequences: () => numbers.reservePartialSequences(),
      nextPartialSequence() {
        watch.assert(
          !held.isStopped,
          () => `${held.row.id} begins a partial after it was told to stop`,
        )
        const sequence = numbers.nextPartialSequence()
        if (sequence !== null) held.takenNumber = { sequence, at: agenda.now(), wallAt: wall() }
        return sequence
      },
    }
  const botLane: LaneHandle = {
    push(meetingId, events) {
      const stored = events.map((event) => ({ ...event, at: event.at.getTime() }))
      const [held, lane] = entryOf(meetingId) ?? []
      if (held !== undefined) watch.onEventPushed(held)
      lane?.push(stored)
    },
    setNumbering(meetingId, numbers) {
      if (numbers === null) numbersOf.delete(meetingId)
      else numbersOf.set(meetingId, numbers)
      const [held, lane] = entryOf(meetingId) ?? []
      if (held !== undefined) lane?.setSequenceSource(watched(held, numbers))
    },
    pushPartial: (meetingId, partial) => entryOf(meetingId)?.[1].showPartial(partial),
    clearPartials: (meetingId, captionIds) => entryOf(meetingId)?.[1].clearPartials(captionIds),
  }
  const entranceFor = (held: SimulatedLaneHold, entrance: ReceiverLimiter): ReceiverLimiter => ({
    ...entrance,
    async acquire(lane, signal) {
      const pass = await entrance.acquire(lane, signal)
      if (pass === null) return null
      watch.assert(
        !held.isStopped,
        () => `${held.row.id} begins an attempt after it was told to stop`,
      )
      held.lastResponseWasFault = null
      return {
        release(outcome) {
          const right =
            held.lastResponseWasFault === null
              ? 'unused'
              : held.lastResponseWasFault
                ? 'failure'
                : 'success'
          watch.assert(outcome === right, () => `${held.row.id} says ${outcome}, not ${right}`)
          pass.release(outcome)
        },
      }
    },
  })
  const newDeliveryId = () => {
    count += 1
    return `${host.id}.${count}`
  }
  const open = ({ row, record }: ClaimedLane) => {
    const held = createSimulatedLaneHold(row, record, host.id)
    const laneParts: LaneParts = {
      store: createLaneStoreFor(parts, held, host),
      transport: receivers.transportFor(held, host),
      limiter: {
        forReceiver: (to, onWorking) => entranceFor(held, gate.forReceiver(to, onWorking)),
      },
      timers,
      now: wall,
      random: () => random.between(0, 999_999) / 1_000_000,
      newDeliveryId,
      isLastEvent: isLastEvent,
      giveUpMs: parts.giveUpMs,
    }
    watch.log(`${row.id}/${record.fence} opens on ${host.id} after ${record.deliveredThrough}`)
    const lane = openLane({ ...record, dueAt: wall() + random.between(0, 500) }, laneParts)
    lanes.set(held, lane)
    if (row.kind === 'meeting') {
      lane.setSequenceSource(watched(held, numbersOf.get(row.meetingId) ?? null))
    }
    const ending = close(held, lane)
      .catch(watch.recordFailure)
      .finally(() => endings.delete(ending))
    endings.add(ending)
  }
  const close = async (held: SimulatedLaneHold, lane: Lane) => {
    let end: LaneEnd = 'failed'
    try {
      end = await lane.ended
    } catch (error) {
      if (!(error instanceof StoreOutage)) throw error
    }
    watch.log(`${held.row.id}/${held.record.fence} ends: ${end}`)
    watch.count(`${end} lane`)
    lanes.delete(held)
    if (isAlreadyReleased(end)) return
    await agenda.callStore(host, () => {
      if (held.row.fence !== held.record.fence) return
      held.row.owner = null
      if (end === 'failed') held.row.dueAt = Math.max(held.row.dueAt ?? 0, wall() + PAUSE_MS)
    })
  }
  const stopLane = (held: SimulatedLaneHold, lane: Lane, graceMs: number) => {
    held.isStopped = true
    lane.stop(graceMs)
  }
  const isElsewhere = ({ kind, meetingId }: LaneRow) => {
    const { owner, endedAt } = tables.meetings.get(meetingId) as MeetingRow
    if (kind !== 'meeting' || endedAt !== null || owner === null) return false
    return owner !== host.id && parts.isLive(owner)
  }
  const botFor = (meeting: MeetingRow) => {
    const isOver = () => parts.isOver(meeting.id)
    const { recordFailure } = watch
    return startSimulatedBot(
      { ...parts, host, lane: botLane, wall, isOver, recordFailure },
      meeting,
    )
  }
  const round = async () => {
    const owned = await agenda.callStore(
      host,
      () => new Map([...tables.lanes].map(([id, { owner, fence }]) => [id, { owner, fence }])),
    )
    for (const [held, lane] of lanes) {
      const now = owned.get(held.row.id)
      if (now?.owner !== host.id || now.fence !== held.record.fence) stopLane(held, lane, 0)
      else if (isElsewhere(held.row)) stopLane(held, lane, GRACE_MS)
    }
    for (const [id, bot] of bots) {
      const meeting = tables.meetings.get(id)
      // It may take a while until a bot hears that its meeting has another one.
      if (random.isLucky(0.5)) continue
      if (meeting?.owner !== host.id || meeting.fence !== bot.hold.fence) bot.release()
      if (bot.hasLeft) bots.delete(id)
    }
    const meetings = await agenda.callStore(host, () =>
      isClosing ? [] : claimMeetings(parts, host),
    )
    for (const meeting of meetings) {
      bots.set(meeting.id, botFor(meeting))
    }
    const due = await agenda.callStore(host, () =>
      isClosing ? [] : claimLanes(parts, host, wall()),
    )
    for (const claimed of due) open(claimed)
  }
  const loop = async () => {
    for (;;) {
      await round()
      if (isClosing) return
      await new Promise<void>((resolve) => {
        agenda.after(host, parts.roundMs(), resolve)
      })
    }
  }
  const looping = loop().catch(watch.recordFailure)

  return {
    host,
    count: () => lanes.size,
    async stop() {
      isClosing = true
      await looping
      for (const bot of bots.values()) bot.release()
      for (const [held, lane] of lanes) stopLane(held, lane, GRACE_MS)
      await Promise.all(endings)
    },
    // Once, whoever asks: it takes all places for a moment.
    hasSlotLeak: () => (leak ??= hasSlotLeak(bare, parts.limits)),
  }
}

function createSimulatedLaneHold(
  row: LaneRow,
  record: LaneRecord,
  nodeId: string,
): SimulatedLaneHold {
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
    lastNumber: 0,
    lastPartialAt: -Infinity,
    eventPushedAt: null,
    isPartialInFlight: false,
    takenNumber: null,
  }
}
