import { sign, verifyCallback } from '../../../receiver/index.js'
import type { RequestSlotLimits } from '../../../src/deliveries/attempt-limiter.ts'
import type { LaneChange, LaneRecord } from '../../../src/deliveries/lane/lane-record.ts'
import type { PostRequest } from '../../../src/deliveries/transport.ts'
import type { CallbackSecrets } from '../../../src/deliveries/signature.ts'
import { checkLaneChange } from './check-lane-change.ts'
import { createRequestLimitCheck } from './request-limit-check.ts'
import { MAX_TIMER_DELAY_MS } from './simulated-time.ts'
import {
  nextEventForLane,
  previousSequenceFor,
  type LaneRow,
  type MeetingRow,
  type Tables,
} from './tables.ts'

/** A lane broke an invariant. */
export class InvariantViolation extends Error {
  override readonly name = 'InvariantViolation'
}

/** One claim of a lane by one node, with everything that the simulation knows about it. */
export type SimulatedLaneClaim = {
  record: LaneRecord
  row: LaneRow
  nodeId: string
  /** The progress that the store confirmed to the lane. */
  settledThrough: number
  failures: number
  /** The secrets that the lane read last. */
  secrets: CallbackSecrets | null
  inFlight: number
  isStopped: boolean
  /** The newest event that the receiver accepted. */
  accepted: number
  /** True if the last response was a failure of the receiver; null if none came since the attempt began. */
  lastResponseWasFault: boolean | null
  /** True if the last attempt found a stale connection. The next one must use a new connection. */
  mustReconnect: boolean
  lastPartialSequence: number
  lastPartialAt: number
  /** When an event was pushed during a request with a partial caption. */
  eventPushedAt: number | null
  isPartialInFlight: boolean
  reservedSequence: { sequence: number; at: number; wallAt: number } | null
}

/** How many log lines are reported with a violation. */
const MAX_LOG_LINES = 60

type Parts = { tables: Tables; now(): number; limits: RequestSlotLimits; giveUpMs: number }

export type InvariantChecker = ReturnType<typeof createInvariantChecker>

/** Checks every request and every write of every lane. */
export function createInvariantChecker({ tables, now, limits, giveUpMs }: Parts) {
  const deliveryIds = new Set<string>()
  const shown = new Set<string>()
  /** Events that have arrived at the receiver, as keys of lane and sequence. */
  const arrived = new Set<string>()
  const logLines: string[] = []
  const counts = new Map<string, number>()
  let violation: InvariantViolation | null = null

  const fail = (text: string): never => {
    violation ??= new InvariantViolation(text)
    throw violation
  }
  const assert = (isTrue: boolean, text: () => string) => {
    if (!isTrue) fail(text())
  }
  const requestLimits = createRequestLimitCheck(limits, assert)
  /** The requests in flight whose response headers have arrived. */
  const freed = new WeakSet<PostRequest>()

  function checkHeaders(claim: SimulatedLaneClaim, { headers, body }: PostRequest, at: number) {
    const { secrets, row } = claim
    if (secrets === null) return fail(`${row.id} sends without a secret`)
    const tolerance = { toleranceSeconds: 2, now: at }
    const event = verifyCallback(body, headers, [secrets.signing, ...secrets.alsoValid], tolerance)
    for (const other of secrets.alsoValid) verifyCallback(body, headers, other, tolerance)
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
  function checkStoredEvent(
    claim: SimulatedLaneClaim,
    { body, pool, connection }: PostRequest,
    sequence: number,
  ) {
    const { row, record } = claim
    const head = nextEventForLane(tables, row, claim.settledThrough)
    const text = `${row.id} sends ${sequence}`
    assert(head?.sequence === sequence, () => `${text} instead of ${head?.sequence}`)
    assert(body.equals(Buffer.from(head?.body ?? '')), () => `${text} with different bytes`)
    assert(claim.accepted < sequence, () => `${text} again, though it was accepted`)
    assert((pool === 'failing') === claim.failures > 0, () => `${text} in the pool ${pool}`)
    assert((connection === 'fresh') === claim.mustReconnect, () => `${text}: ${connection}`)
    const isClosed = row.state === 'closed' && row.fence === record.fence
    assert(!isClosed, () => `${text} though it is closed`)
  }
  function checkPartial(
    claim: SimulatedLaneClaim,
    pool: string,
    sequence: number,
    captionId: string,
    textKey: string,
  ) {
    const { row, reservedSequence } = claim
    const meeting = tables.meetings.get(row.meetingId) as MeetingRow
    const text = `${row.id} sends partial caption ${sequence} of ${captionId}`
    assert(row.kind === 'meeting', () => `${text} in a replay`)
    assert(
      row.events?.includes('caption_partial') ?? true,
      () => `${text}, which the receiver does not want`,
    )
    assert(pool === 'healthy' && claim.failures === 0, () => `${text} while failing`)
    const waiting = nextEventForLane(tables, row, claim.settledThrough)
    assert(waiting === null || waiting.sequence > sequence, () => `${text} before an event`)
    assert(sequence > claim.lastPartialSequence, () => `${text} after ${claim.lastPartialSequence}`)
    assert(sequence <= meeting.reservedSequence, () => `${text}, which is not reserved`)
    assert(!meeting.partials.has(sequence), () => `${text} with a used sequence`)
    const isEvent = meeting.events.some((event) => event.sequence === sequence)
    assert(!isEvent, () => `${text} with the sequence of an event`)
    const final = meeting.finals.get(captionId) ?? Infinity
    assert(
      final > sequence && final > claim.settledThrough,
      () => `${text} after its final ${final}`,
    )
    assert(
      reservedSequence?.sequence === sequence,
      () => `${text}, not ${reservedSequence?.sequence}`,
    )
    const sinceMs = (reservedSequence?.at ?? 0) - claim.lastPartialAt
    assert(sinceMs > 249.99, () => `${text} ${sinceMs} ms after the one before`)
    assert(!shown.has(`${row.id} ${textKey}`), () => `${text} twice`)
    shown.add(`${row.id} ${textKey}`)
    meeting.partials.add(sequence)
    Object.assign(claim, { lastPartialSequence: sequence, lastPartialAt: reservedSequence?.at })
  }

  return {
    arrived,
    fail,
    assert,
    log: (text: string) => {
      logLines.push(`${now().toFixed(1)} ${text}`)
      if (logLines.length > 2 * MAX_LOG_LINES) logLines.splice(0, MAX_LOG_LINES)
    },
    /** Counts what happens, to prove that the simulation is hard enough. */
    count(name: string) {
      counts.set(name, (counts.get(name) ?? 0) + 1)
    },
    counts,
    /** For errors in callbacks whose rejections are not awaited. */
    recordFailure(error: unknown) {
      violation ??=
        error instanceof InvariantViolation
          ? error
          : new InvariantViolation(String(error), { cause: error })
    },
    lastLogLines: () => logLines.slice(-MAX_LOG_LINES),
    /** Throws a violation that was recorded inside a lane, because an error there would only end the lane. */
    check() {
      if (violation !== null) throw violation
    },
    onRequest(claim: SimulatedLaneClaim, request: PostRequest, wallAt: number) {
      assert(claim.inFlight === 0, () => `${claim.row.id} has two requests in flight`)
      claim.inFlight += 1
      requestLimits.enter(claim, request)
      const event = checkHeaders(claim, request, wallAt)
      if (event.type === 'caption_partial') {
        const { captionId, text, timestamp } = event.payload
        claim.isPartialInFlight = true
        const ageMs = (claim.reservedSequence?.wallAt ?? 0) - Date.parse(timestamp)
        assert(ageMs <= 2_000, () => `${claim.row.id} sends a partial of ${ageMs} ms ago`)
        checkPartial(claim, request.pool, event.sequence, captionId, `${captionId} ${text}`)
      } else checkStoredEvent(claim, request, event.sequence)
    },
    onEventPushed(claim: SimulatedLaneClaim) {
      if (claim.isPartialInFlight) claim.eventPushedAt ??= now()
    },
    /** The response headers have arrived, so the limits no longer count the request. */
    onStatus(claim: SimulatedLaneClaim, request: PostRequest) {
      counts.set('early status', (counts.get('early status') ?? 0) + 1)
      freed.add(request)
      requestLimits.leave(claim, request)
    },
    onEnd(claim: SimulatedLaneClaim, request: PostRequest, pausedUntil: number) {
      // A process that was paused in the meantime could not react.
      const { eventPushedAt } = claim
      const isSlow =
        eventPushedAt !== null &&
        pausedUntil < eventPushedAt &&
        now() - eventPushedAt > 250.01 + MAX_TIMER_DELAY_MS
      assert(
        !isSlow,
        () =>
          `${claim.row.id} delays an event for a partial caption: ${now() - (eventPushedAt ?? 0)} ms`,
      )
      Object.assign(claim, { eventPushedAt: null, isPartialInFlight: false })
      claim.inFlight -= 1
      if (!freed.has(request)) requestLimits.leave(claim, request)
    },
    /** Called before an accepted change is written. */
    onChange: (change: LaneChange, wallAt: number) =>
      checkLaneChange({ tables, assert, arrived, giveUpMs }, change, wallAt),
  }
}
