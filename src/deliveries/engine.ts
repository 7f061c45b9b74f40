import type { Db } from '../db/open.ts'
import type { Presence } from '../db/presence.ts'
import type { Timers } from '../lib/timers.ts'
import { createWakeUp } from '../lib/wake-up.ts'
import type { Log } from '../log.ts'
import {
  isGivenBack,
  openLane,
  type Lane,
  type LaneEnd,
  type LaneParts,
  type LaneRecord,
} from './lane.ts'
import type { StoredEvent } from './lane-state.ts'
import { listenerName, NobodyListensError } from './listeners.ts'
import type { Numbers, Partial } from './partials.ts'
import { claimLanes, heldLanes, releaseLane, type DueChange } from './store.ts'

/** Serves the lanes of this node: claims those that are due, gives back those that are done. */
export interface DeliveryEngine extends AsyncDisposable {
  /** Something is due now. */
  wake(): void
  /** There is somebody new behind a URL: what waits for it begins anew, however long it meant to wait. */
  recall(url: string): void
  /** Events of a meeting that have just been stored. */
  tell(meetingId: string, events: readonly StoredEvent[]): void
  /** Another node has stored events of it. */
  look(meetingId: string): void
  /** The way of a meeting's evolving captions; ends with the bot. */
  laneFor(meetingId: string, numbers: Numbers): EvolvingCaptions & Disposable
  /** Lanes served here. */
  count(): number
}

export interface EvolvingCaptions {
  show(partial: Partial): void
  clear(captionIds: readonly string[]): void
}

type Parts = Omit<LaneParts, 'timers'> & {
  db: Db
  presence: Presence
  timers: Timers
  log: Log
  /** Addresses of listeners that are connected to this node. */
  listeners(): readonly string[]
}

const ROUND_MS = 1_000
/** A lane that failed inside is left alone for that long. */
const PAUSE_MS = 15_000
/** Attempts under way get that long when the node stops. */
const GRACE_MS = 5_000
/** At the start of a node the lanes that others had before do not all begin in the same moment. */
const SPREAD_MS = 2_000
/** What an operator should know of the end of a lane. */
const LAST_WORDS: { readonly [End in LaneEnd | 'failed']?: string } = {
  closed: 'receiver wants no more',
  unsigned: 'token is gone, nothing can be signed',
}

export function startDeliveryEngine(parts: Parts): DeliveryEngine {
  const { db, presence, timers, log, now } = parts
  const { nodeId } = presence
  const lanes = new Map<string, Lane>()
  const ofMeeting = new Map<string, Lane>()
  const numbersOf = new Map<string, Numbers>()
  const endings = new Set<Promise<void>>()
  const wakeUp = createWakeUp(timers)
  const beganAt = timers.now()
  const closing = new AbortController()

  const open = (record: LaneRecord) => {
    const lane = openLane(record, parts)
    lanes.set(record.id, lane)
    if (record.kind === 'meeting') {
      ofMeeting.set(record.meetingId, lane)
      lane.number(numbersOf.get(record.meetingId) ?? null)
    }
    const ending = close(lane).finally(() => endings.delete(ending))
    endings.add(ending)
  }
  const close = async (lane: Lane) => {
    const { record } = lane
    let end: LaneEnd | 'failed' = 'failed'
    try {
      end = await lane.ended
    } catch (error) {
      if (error instanceof NobodyListensError) end = 'stopped'
      else log.error({ err: error, meetingId: record.meetingId, lane: record.id }, 'lane failed')
    }
    // It may have been lost and taken again in the meantime.
    if (lanes.get(record.id) === lane) lanes.delete(record.id)
    if (ofMeeting.get(record.meetingId) === lane) ofMeeting.delete(record.meetingId)
    const word = LAST_WORDS[end]
    if (word !== undefined) log.warn({ meetingId: record.meetingId }, word)
    if (isGivenBack(end)) return
    try {
      await releaseLane(db, record, dueAfter(end, record, now()))
    } catch (error) {
      log.error({ err: error, lane: record.id }, 'lane not given back')
    }
  }
  /** Rows and lanes are compared both ways: what has only one of them is put right. */
  const compare = async () => {
    const held = new Map((await heldLanes(db, nodeId)).map((row) => [row.id, row]))
    const listeners = parts.listeners()
    for (const [id, lane] of lanes) {
      const { url, fence } = lane.record
      const row = held.get(id)
      if (row?.fence !== fence) lane.stop(0)
      else if (row.isElsewhere) lane.stop(GRACE_MS)
      else if (listenerName(url) !== null && !listeners.includes(url)) lane.stop(GRACE_MS)
    }
    for (const row of held.values()) if (!lanes.has(row.id)) await releaseLane(db, row)
  }
  const round = async () => {
    await compare()
    const due = await claimLanes(db, nodeId, new Date(now()), parts.listeners())
    for (const record of due) {
      const isResumed = record.fence > 1 && timers.now() - beganAt < SPREAD_MS
      open({ ...record, dueAt: now() + (isResumed ? parts.random() * SPREAD_MS : 0) })
    }
  }
  const loop = async () => {
    while (!closing.signal.aborted) {
      try {
        await round()
      } catch (error) {
        log.error({ err: error }, 'lanes not looked after')
      }
      await wakeUp.sleep(ROUND_MS)
    }
  }
  presence.onGone(wakeUp.wake)
  const looping = loop()

  return {
    wake: wakeUp.wake,
    recall(url) {
      for (const lane of lanes.values()) if (lane.record.url === url) lane.stop(GRACE_MS)
      wakeUp.wake()
    },
    tell: (meetingId, events) => ofMeeting.get(meetingId)?.tell(events),
    look: (meetingId) => ofMeeting.get(meetingId)?.look(),
    laneFor(meetingId, numbers) {
      numbersOf.set(meetingId, numbers)
      ofMeeting.get(meetingId)?.number(numbers)
      return {
        show: (partial) => ofMeeting.get(meetingId)?.show(partial),
        clear: (captionIds) => ofMeeting.get(meetingId)?.clear(captionIds),
        [Symbol.dispose]() {
          if (numbersOf.get(meetingId) !== numbers) return
          numbersOf.delete(meetingId)
          ofMeeting.get(meetingId)?.number(null)
        },
      }
    },
    count: () => lanes.size,
    async [Symbol.asyncDispose]() {
      closing.abort()
      wakeUp.wake()
      await looping
      for (const lane of lanes.values()) lane.stop(GRACE_MS)
      await Promise.all(endings)
    },
  }
}

/** When a lane that is given back may be taken again, where that is another time than it has. */
function dueAfter(end: LaneEnd | 'failed', { url }: LaneRecord, now: number): DueChange {
  if (end === 'failed') return { notBefore: new Date(now + PAUSE_MS) }
  // Nobody takes it before somebody listens, and then it need not wait.
  const isUnheard = end === 'stopped' && listenerName(url) !== null
  return isUnheard ? { notAfter: new Date(now) } : {}
}
