import type { LaneChange, LaneRecord } from '../../../src/deliveries/lane/lane-record.ts'
import type { SlotLimits } from '../../../src/deliveries/limits/request-slots.ts'
import type { CallbackSecrets } from '../../../src/deliveries/signature.ts'
import type { PostRequest } from '../../../src/deliveries/network/transport.ts'
import { sign, verifyCallback } from '../../../receiver/index.js'
import { MAX_TIMER_DELAY_MS } from './simulated-time.ts'
import { checkLaneChange } from './check-lane-change.ts'
import { createRequestLimitCheck } from './request-limit-check.ts'
import {
  nextEventForLane,
  previousSequenceFor,
  type LaneRow,
  type MeetingRow,
  type Tables,
} from './tables.ts'

/** A promise of the lanes was broken. */
export class InvariantViolation extends Error {
  override readonly name = 'InvariantViolation'
}

/** One node's hold of one lane, and what the world knows about it. */
export type SimulatedLaneHold = {
  record: LaneRecord
  row: LaneRow
  nodeId: string
  /** What the lane was told to be stored. */
  settledThrough: number
  failures: number
  /** What it was last told to sign with. */
  secrets: CallbackSecrets | null
  inFlight: number
  isStopped: boolean
  /** The newest event that it saw the receiver accept. */
  accepted: number
  /** Whether the last answer was a fault of the receiver; null: there was none since the attempt began. */
  lastResponseWasFault: boolean | null
  lastNumber: number
  lastPartialAt: number
  /** When an event was told while a partial is under way. */
  eventPushedAt: number | null
  isPartialInFlight: boolean
  takenNumber: { sequence: number; at: number; wallAt: number } | null
}

/** How much of what happened before is told with a failure. */
const MAX_LOG_LINES = 60

type Parts = { tables: Tables; now(): number; limits: SlotLimits; giveUpMs: number }

export type InvariantChecker = ReturnType<typeof createInvariantChecker>

/** Looks at every request and every write of every lane, and knows what it must be like. */
export function createInvariantChecker({ tables, now, limits, giveUpMs }: Parts) {
  const deliveryIds = new Set<string>()
  const shown = new Set<string>()
  /** By lane and sequence: what has reached the receiver. */
  const arrived = new Set<string>()
  const notes: string[] = []
  const counts = new Map<string, number>()
  let broken: InvariantViolation | null = null

  const fail = (text: string): never => {
    broken ??= new InvariantViolation(text)
    throw broken
  }
  const assert = (isTrue: boolean, text: () => string) => {
    if (!isTrue) fail(text())
  }
  const loads = createRequestLimitCheck(limits, assert)

  function checkHeaders(held: SimulatedLaneHold, { headers, body }: PostRequest, at: number) {
    const { secrets, row } = held
    if (secrets === null) return fail(`${row.id} sends without a secret`)
    const tolerance = { toleranceSeconds: 2, now: at }
    const event = verifyCallback(body, headers, [secrets.signing, ...secrets.others], tolerance)
    for (const other of secrets.others) verifyCallback(body, headers, other, tolerance)
    const id = `${event.meetingId}_${event.sequence}`
    const deliveryId = headers['x-service-delivery-id'] ?? ''
    assert(!deliveryIds.has(deliveryId), () => `${deliveryId} was sent before`)
    deliveryIds.add(deliveryId)
    const expected = {
      'x-service-signature': sign(body, secrets.signing),
      'x-service-event': event.type,
      'x-service-meeting-id': row.meetingId,
      'x-service-previous-sequence': String(previousSequenceFor(tables, row, event.sequence)),
      'webhook-id': id,
    }
    for (const [name, value] of Object.entries(expected)) {
      assert(
        headers[name] === value,
        () => `${row.id} ${id}: ${name} ${headers[name]}, not ${value}`,
      )
    }
    return event
  }
  function checkKept(held: SimulatedLaneHold, { body, pool }: PostRequest, sequence: number) {
    const { row, record } = held
    const head = nextEventForLane(tables, row, held.settledThrough)
    const text = `${row.id} sends ${sequence}`
    assert(head?.sequence === sequence, () => `${text} instead of ${head?.sequence}`)
    assert(body.equals(Buffer.from(head?.body ?? '')), () => `${text} with other bytes`)
    assert(held.accepted < sequence, () => `${text} again, though it was accepted`)
    assert((pool === 'failing') === held.failures > 0, () => `${text} in the pool ${pool}`)
    const isClosed = row.state === 'closed' && row.fence === record.fence
    assert(!isClosed, () => `${text} though it is closed`)
  }
  function checkPartial(
    held: SimulatedLaneHold,
    pool: string,
    sequence: number,
    captionId: string,
    said: string,
  ) {
    const { row, takenNumber } = held
    const meeting = tables.meetings.get(row.meetingId) as MeetingRow
    const text = `${row.id} sends partial ${sequence} of ${captionId}`
    assert(row.kind === 'meeting', () => `${text} in a replay`)
    assert(row.events?.includes('caption_partial') ?? true, () => `${text} to who wants none`)
    assert(pool === 'healthy' && held.failures === 0, () => `${text} in trouble`)
    const waiting = nextEventForLane(tables, row, held.settledThrough)
    assert(waiting === null || waiting.sequence > sequence, () => `${text} before an event`)
    assert(sequence > held.lastNumber, () => `${text} after ${held.lastNumber}`)
    assert(sequence <= meeting.reservedSequence, () => `${text}, which is not reserved`)
    assert(!meeting.partials.has(sequence), () => `${text} with a number that was used`)
    const isEvent = meeting.events.some((event) => event.sequence === sequence)
    assert(!isEvent, () => `${text} with the number of an event`)
    const final = meeting.finals.get(captionId) ?? Infinity
    assert(
      final > sequence && final > held.settledThrough,
      () => `${text} after its final ${final}`,
    )
    assert(takenNumber?.sequence === sequence, () => `${text}, not ${takenNumber?.sequence}`)
    const sinceMs = (takenNumber?.at ?? 0) - held.lastPartialAt
    assert(sinceMs > 249.99, () => `${text} ${sinceMs} ms after the one before`)
    assert(!shown.has(`${row.id} ${said}`), () => `${text} twice`)
    shown.add(`${row.id} ${said}`)
    meeting.partials.add(sequence)
    Object.assign(held, { lastNumber: sequence, lastPartialAt: takenNumber?.at })
  }

  return {
    arrived,
    fail,
    assert,
    log: (text: string) => {
      notes.push(`${now().toFixed(1)} ${text}`)
      if (notes.length > 2 * MAX_LOG_LINES) notes.splice(0, MAX_LOG_LINES)
    },
    /** Counts what happened, so that nobody takes a world for hard in which nothing did. */
    count(what: string) {
      counts.set(what, (counts.get(what) ?? 0) + 1)
    },
    counts,
    /** For what fails where nobody would hear of it. */
    recordFailure(error: unknown) {
      broken ??=
        error instanceof InvariantViolation
          ? error
          : new InvariantViolation(String(error), { cause: error })
    },
    lastLogLines: () => notes.slice(-MAX_LOG_LINES),
    /** Throws what was broken inside of a lane too, where an error would only end the lane. */
    check() {
      if (broken !== null) throw broken
    },
    onRequest(held: SimulatedLaneHold, request: PostRequest, wallAt: number) {
      assert(held.inFlight === 0, () => `${held.row.id} has two requests under way`)
      held.inFlight += 1
      loads.enter(held, request)
      const event = checkHeaders(held, request, wallAt)
      if (event.type === 'caption_partial') {
        const { captionId, text, timestamp } = event.payload
        held.isPartialInFlight = true
        const ageMs = (held.takenNumber?.wallAt ?? 0) - Date.parse(timestamp)
        assert(ageMs <= 2_000, () => `${held.row.id} sends a partial of ${ageMs} ms ago`)
        checkPartial(held, request.pool, event.sequence, captionId, `${captionId} ${text}`)
      } else checkKept(held, request, event.sequence)
    },
    onEventPushed(held: SimulatedLaneHold) {
      if (held.isPartialInFlight) held.eventPushedAt ??= now()
    },
    onEnd(held: SimulatedLaneHold, request: PostRequest, pausedUntil: number) {
      // Who was paused meanwhile could not do anything.
      const { eventPushedAt } = held
      const isSlow =
        eventPushedAt !== null &&
        pausedUntil < eventPushedAt &&
        now() - eventPushedAt > 250.01 + MAX_TIMER_DELAY_MS
      assert(
        !isSlow,
        () => `${held.row.id} lets an event wait for a partial: ${now() - (eventPushedAt ?? 0)} ms`,
      )
      Object.assign(held, { eventPushedAt: null, isPartialInFlight: false })
      held.inFlight -= 1
      loads.leave(held, request)
    },
    /** Before it is written, and only if it will be. */
    onChange: (change: LaneChange, wallAt: number) =>
      checkLaneChange({ tables, assert, arrived, giveUpMs }, change, wallAt),
  }
}
