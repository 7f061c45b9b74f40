import type { Db } from '../../db/database.ts'
import type { NodeMembership } from '../../db/nodes/node-membership.ts'
import type { Timers } from '../../lib/time/timers.ts'
import { createWakeUp } from '../../lib/async/wake-up.ts'
import type { Log } from '../../log.ts'
import { isAlreadyReleased, openLane, type Lane, type LaneEnd, type LaneParts } from './lane.ts'
import type { LaneEvent, LaneRecord } from './lane-record.ts'
import { listenerName, NoListenerError } from '../listeners/listeners.ts'
import type { SequenceSource, PartialCaption } from './partial-captions.ts'
import { claimDueLanes, listHeldLanes, releaseLane, type DueChange } from './lane-rows.ts'

/** Serves the lanes of this node: claims those that are due, gives back those that are done. */
export interface DeliveryEngine extends AsyncDisposable {
  /** Something is due now. */
  wake(): void
  /** There is somebody new behind a URL: what waits for it begins anew, however long it meant to wait. */
  restartLanes(url: string): void
  /** Events of a meeting that have just been stored. */
  push(meetingId: string, events: readonly LaneEvent[]): void
  /** Another node has stored events of it. */
  invalidate(meetingId: string): void
  /** The way of a meeting's evolving captions; ends with the bot. */
  openPartialSink(meetingId: string, numbers: SequenceSource): PartialCaptionSink & Disposable
  /** Lanes served here. */
  laneCount(): number
}

export interface PartialCaptionSink {
  show(partial: PartialCaption): void
  clear(captionIds: readonly string[]): void
}

type Parts = Omit<LaneParts, 'timers'> & {
  db: Db
  presence: NodeMembership
  timers: Timers
  log: Log
  /** Addresses of listeners that are connected to this node. */
  listeners(): readonly string[]
}

const CLAIM_INTERVAL_MS = 1_000
/** A lane that failed inside is left alone for that long. */
const RETRY_AFTER_ERROR_MS = 15_000
/** Attempts under way get that long when the node stops. */
const GRACE_MS = 5_000
/** At the start of a node the lanes that others had before do not all begin in the same moment. */
const STARTUP_JITTER_MS = 2_000
/** What an operator should know of the end of a lane. */
const END_WARNINGS: { readonly [End in LaneEnd | 'failed']?: string } = {
  closed: 'receiver wants no more',
  unsigned: 'token is gone, nothing can be signed',
}

export function startDeliveryEngine(parts: Parts): DeliveryEngine {
  const { db, presence, timers, log, now } = parts
  const { nodeId } = presence
  const lanes = new Map<string, Lane>()
  const ofMeeting = new Map<string, Lane>()
  const numbersOf = new Map<string, SequenceSource>()
  const endings = new Set<Promise<void>>()
  const wakeUp = createWakeUp(timers)
  const beganAt = timers.now()
  const closing = new AbortController()

  const open = (record: LaneRecord) => {
    const lane = openLane(record, parts)
    lanes.set(record.id, lane)
    if (record.kind === 'meeting') {
      ofMeeting.set(record.meetingId, lane)
      lane.setSequenceSource(numbersOf.get(record.meetingId) ?? null)
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
      if (error instanceof NoListenerError) end = 'stopped'
      else log.error({ err: error, meetingId: record.meetingId, lane: record.id }, 'lane failed')
    }
    // It may have been lost and taken again in the meantime.
    if (lanes.get(record.id) === lane) lanes.delete(record.id)
    if (ofMeeting.get(record.meetingId) === lane) ofMeeting.delete(record.meetingId)
    const word = END_WARNINGS[end]
    if (word !== undefined) log.warn({ meetingId: record.meetingId }, word)
    if (isAlreadyReleased(end)) return
    try {
      await releaseLane(db, record, dueChangeAfter(end, record, now()))
    } catch (error) {
      log.error({ err: error, lane: record.id }, 'lane not given back')
    }
  }
  /** Rows and lanes are compared both ways: what has only one of them is put right. */
  const compare = async () => {
    const held = new Map((await listHeldLanes(db, nodeId)).map((row) => [row.id, row]))
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
    const due = await claimDueLanes(db, nodeId, new Date(now()), parts.listeners())
    for (const record of due) {
      const isResumed = record.fence > 1 && timers.now() - beganAt < STARTUP_JITTER_MS
      open({ ...record, dueAt: now() + (isResumed ? parts.random() * STARTUP_JITTER_MS : 0) })
    }
  }
  const loop = async () => {
    while (!closing.signal.aborted) {
      try {
        await round()
      } catch (error) {
        log.error({ err: error }, 'lanes not looked after')
      }
      await wakeUp.sleep(CLAIM_INTERVAL_MS)
    }
  }
  presence.onNodeLost(wakeUp.wake)
  const looping = loop()

  return {
    wake: wakeUp.wake,
    restartLanes(url) {
      for (const lane of lanes.values()) if (lane.record.url === url) lane.stop(GRACE_MS)
      wakeUp.wake()
    },
    push: (meetingId, events) => ofMeeting.get(meetingId)?.push(events),
    invalidate: (meetingId) => ofMeeting.get(meetingId)?.invalidate(),
    openPartialSink(meetingId, numbers) {
      numbersOf.set(meetingId, numbers)
      ofMeeting.get(meetingId)?.setSequenceSource(numbers)
      return {
        show: (partial) => ofMeeting.get(meetingId)?.showPartial(partial),
        clear: (captionIds) => ofMeeting.get(meetingId)?.clearPartials(captionIds),
        [Symbol.dispose]() {
          if (numbersOf.get(meetingId) !== numbers) return
          numbersOf.delete(meetingId)
          ofMeeting.get(meetingId)?.setSequenceSource(null)
        },
      }
    },
    laneCount: () => lanes.size,
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
function dueChangeAfter(end: LaneEnd | 'failed', { url }: LaneRecord, now: number): DueChange {
  if (end === 'failed') return { notBefore: new Date(now + RETRY_AFTER_ERROR_MS) }
  // Nobody takes it before somebody listens, and then it need not wait.
  const isUnheard = end === 'stopped' && listenerName(url) !== null
  return isUnheard ? { notAfter: new Date(now) } : {}
}
