import { createGate, type Entrance } from '../../../src/deliveries/gate.ts'
import {
  isGivenBack,
  openLane,
  type Lane,
  type LaneEnd,
  type LaneParts,
  type LaneRecord,
} from '../../../src/deliveries/lane.ts'
import type { Numbers } from '../../../src/deliveries/partials.ts'
import type { SlotLimits } from '../../../src/deliveries/slots.ts'
import type { Random } from '../caption-streams.ts'
import { Outage, type Agenda, type Fault, type Host } from './agenda.ts'
import { startBot, type Bot, type BotLane } from './bot.ts'
import { claimLanes, claimMeetings, type Claimed } from './claims.ts'
import { hasLeak } from './leaks.ts'
import type { createReceivers } from './receivers.ts'
import { storeFor } from './lane-store.ts'
import { isLastEvent, type LaneRow, type MeetingRow, type Tables } from './tables.ts'
import { watchGate } from './watch-gate.ts'
import type { Held, Watch } from './watch.ts'

export type NodeParts = {
  agenda: Agenda
  random: Random
  tables: Tables
  watch: Watch
  receivers: ReturnType<typeof createReceivers>
  limits: SlotLimits
  giveUpMs: number
  wall(host: Host): number
  fault(): Fault
  gapMs(): number
  roundMs(): number
  isOver(meetingId: string): boolean
  isLive(nodeId: string): boolean
}

export type Node = {
  host: Host
  /** Lanes that are served now. */
  count(): number
  /** As a node does when it is told to stop; resolves when all its lanes have ended. */
  stop(): Promise<void>
  hasLeak(): Promise<boolean>
}

const GRACE_MS = 5_000
const PAUSE_MS = 15_000

/** One process of the service: it claims meetings and lanes, and serves both. */
export function startNode(parts: NodeParts, host: Host): Node {
  const { agenda, random, tables, watch, receivers } = parts
  const timers = agenda.timersOf(host)
  const wall = () => parts.wall(host)
  const bare = createGate(timers, parts.limits)
  const gate = watchGate(bare, { now: agenda.now, must: watch.must, count: watch.count })
  const lanes = new Map<Held, Lane>()
  const bots = new Map<string, Bot>()
  const numbersOf = new Map<string, Numbers>()
  const endings = new Set<Promise<void>>()
  let isClosing = false
  let leak: Promise<boolean> | null = null
  let count = 0

  const entryOf = (meetingId: string) =>
    [...lanes].findLast(([{ row }]) => row.meetingId === meetingId && row.kind === 'meeting')
  const watched = (held: Held, numbers: Numbers | null): Numbers | null =>
    numbers && {
      reserveNumbers: () => numbers.reserveNumbers(),
      takeNumber() {
        watch.must(
          !held.isStopped,
          () => `${held.row.id} begins a partial after it was told to stop`,
        )
        const sequence = numbers.takeNumber()
        if (sequence !== null) held.taken = { sequence, at: agenda.now(), wallAt: wall() }
        return sequence
      },
    }
  const botLane: BotLane = {
    tell(meetingId, events) {
      const stored = events.map((event) => ({ ...event, at: event.at.getTime() }))
      const [held, lane] = entryOf(meetingId) ?? []
      if (held !== undefined) watch.onTold(held)
      lane?.tell(stored)
    },
    number(meetingId, numbers) {
      if (numbers === null) numbersOf.delete(meetingId)
      else numbersOf.set(meetingId, numbers)
      const [held, lane] = entryOf(meetingId) ?? []
      if (held !== undefined) lane?.number(watched(held, numbers))
    },
    show: (meetingId, partial) => entryOf(meetingId)?.[1].show(partial),
    clear: (meetingId, captionIds) => entryOf(meetingId)?.[1].clear(captionIds),
  }
  const entranceFor = (held: Held, entrance: Entrance): Entrance => ({
    ...entrance,
    async enter(lane, signal) {
      const pass = await entrance.enter(lane, signal)
      if (pass === null) return null
      watch.must(
        !held.isStopped,
        () => `${held.row.id} begins an attempt after it was told to stop`,
      )
      held.wasFault = null
      return {
        leave(outcome) {
          const right = held.wasFault === null ? 'unused' : held.wasFault ? 'fault' : 'worked'
          watch.must(outcome === right, () => `${held.row.id} says ${outcome}, not ${right}`)
          pass.leave(outcome)
        },
      }
    },
  })
  const newDeliveryId = () => {
    count += 1
    return `${host.id}.${count}`
  }
  const open = ({ row, record }: Claimed) => {
    const held = newHeld(row, record, host.id)
    const laneParts: LaneParts = {
      store: storeFor(parts, held, host),
      transport: receivers.transportFor(held, host),
      gate: { open: (to, onWorking) => entranceFor(held, gate.open(to, onWorking)) },
      timers,
      now: wall,
      random: () => random.between(0, 999_999) / 1_000_000,
      newDeliveryId,
      isLast: isLastEvent,
      giveUpMs: parts.giveUpMs,
    }
    watch.note(`${row.id}/${record.fence} opens on ${host.id} after ${record.deliveredThrough}`)
    const lane = openLane({ ...record, dueAt: wall() + random.between(0, 500) }, laneParts)
    lanes.set(held, lane)
    if (row.kind === 'meeting') {
      lane.number(watched(held, numbersOf.get(row.meetingId) ?? null))
    }
    const ending = close(held, lane)
      .catch(watch.blame)
      .finally(() => endings.delete(ending))
    endings.add(ending)
  }
  const close = async (held: Held, lane: Lane) => {
    let end: LaneEnd | 'failed' = 'failed'
    try {
      end = await lane.ended
    } catch (error) {
      if (!(error instanceof Outage)) throw error
    }
    watch.note(`${held.row.id}/${held.record.fence} ends: ${end}`)
    watch.count(`${end} lane`)
    lanes.delete(held)
    if (isGivenBack(end)) return
    await agenda.ask(host, () => {
      if (held.row.fence !== held.record.fence) return
      held.row.owner = null
      if (end === 'failed') held.row.dueAt = Math.max(held.row.dueAt ?? 0, wall() + PAUSE_MS)
    })
  }
  const stopLane = (held: Held, lane: Lane, graceMs: number) => {
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
    const { blame } = watch
    return startBot({ ...parts, host, lane: botLane, wall, isOver, blame }, meeting)
  }
  const round = async () => {
    const owned = await agenda.ask(
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
      if (bot.isGone) bots.delete(id)
    }
    const meetings = await agenda.ask(host, () => (isClosing ? [] : claimMeetings(parts, host)))
    for (const meeting of meetings) {
      bots.set(meeting.id, botFor(meeting))
    }
    const due = await agenda.ask(host, () => (isClosing ? [] : claimLanes(parts, host, wall())))
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
  const looping = loop().catch(watch.blame)

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
    hasLeak: () => (leak ??= hasLeak(bare, parts.limits)),
  }
}

function newHeld(row: LaneRow, record: LaneRecord, nodeId: string): Held {
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
    wasFault: null,
    lastNumber: 0,
    lastPartialAt: -Infinity,
    toldAt: null,
    isPartialUnderWay: false,
    taken: null,
  }
}
