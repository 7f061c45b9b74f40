import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { NEW_LANE } from '../../../test/support/callbacks/new-lane.ts'
import { createManualTimers } from '../../../test/support/time/manual-timers.ts'
import {
  createAttemptLimiter,
  type LaneAttemptLimiter,
  type RequestSlotLimits,
} from '../attempt-limiter.ts'
import type { PostRequest } from '../transport.ts'
import type { LaneChange, LaneEvent, LaneRecord } from './lane-record.ts'
import { openLane } from './lane.ts'

const NOW = 1_800_000_000_000
const RECORD: LaneRecord = { ...NEW_LANE, url: 'http://a.test/hook?meeting=1' }
const event = (sequence: number): LaneEvent => {
  return { sequence, type: 'segment_finalized', at: NOW, body: `{"sequence":${sequence}}` }
}
const partial = (captionId: string, at = NOW) => {
  return { captionId, at, body: (sequence: number) => `{"sequence":${sequence}}` }
}
/** Resolves when everything that does not wait for a timer has run. */
const settled = () => new Promise(setImmediate)

/** A lane with manual timers, a store in memory and a receiver that the test controls. */
function createSetting(stored: LaneEvent[], limits?: RequestSlotLimits) {
  const timers = createManualTimers()
  const limiter = createAttemptLimiter(timers, limits)
  const setting = {
    status: 200 as number | null,
    /** True if the next request on a reused connection finds it stale. */
    isConnectionStale: false,
    wallClockOffsetMs: 0,
    posts: [] as PostRequest[],
    changes: [] as LaneChange[],
    onWrite: () => {},
    /** True if the receiver never answers. A request then ends only when it is aborted. */
    isHanging: false,
    /** True if the body of a response never ends. */
    isTrickling: false,
    isDatabaseDown: false,
    isTokenRemoved: false,
    droppedErrors: [] as unknown[],
  }
  const lane = openLane(RECORD, {
    messages: { post: async () => null },
    store: {
      readEvents: async (_, after) => ({
        events: stored.filter(({ sequence }) => sequence > after),
        endedAt: null,
      }),
      async writeChange(change) {
        setting.changes.push(change)
        setting.onWrite()
        return true
      },
      async secretsOf() {
        if (setting.isDatabaseDown) throw new Error('the database is down')
        return setting.isTokenRemoved ? null : { signing: 'ss_1', alsoValid: [] }
      },
    },
    transport: {
      async post(request, signal) {
        setting.posts.push(request)
        if (setting.isTrickling) request.onStatus?.(200)
        if (setting.isHanging || setting.isTrickling) {
          await new Promise((_, reject) => {
            signal.addEventListener('abort', () => reject(new Error('aborted')))
          })
        }
        if (setting.isConnectionStale && request.connection === 'any') {
          const reset = {
            status: null,
            error: 'connection_reset',
            wasStaleConnection: true,
          } as const
          return { ...reset, answer: '', retryAfterMs: null, durationMs: 1 }
        }
        const { status } = setting
        return { status, error: null, answer: '', retryAfterMs: null, durationMs: 1 }
      },
      [Symbol.asyncDispose]: async () => undefined,
    },
    limiter,
    timers,
    now: () => NOW + timers.now() + setting.wallClockOffsetMs,
    random: () => 1,
    newDeliveryId: () => `dlv_${setting.posts.length}`,
    isLastEvent: () => false,
    giveUpMs: 86_400_000,
    onPartialDropped: (error) => setting.droppedErrors.push(error),
  })
  const advance = async (ms: number) => {
    timers.advance(ms)
    await settled()
  }
  const sentIds = () => setting.posts.map(({ headers }) => headers['webhook-id'])
  return { setting, lane, limiter, timers, advance, sentIds }
}

/** Lanes that worked fail until the breaker is open (unless it already is). Then a probe succeeds and closes it. */
async function openAndCloseBreaker(world: ReturnType<typeof createSetting>): Promise<void> {
  const to = { url: 'http://a.test/hook?meeting=2', tokenId: 'token_1' }
  using stack = new DisposableStack()
  const lanes = Array.from({ length: 5 }, () =>
    stack.use(world.limiter.forReceiver(to, () => undefined)),
  )
  const receiver = lanes[0] as LaneAttemptLimiter
  const lane = { isFailing: false, headAt: 0 }
  const { signal } = new AbortController()
  const isOpen = () => {
    const free = receiver.tryAcquire()
    free?.release('unused')
    return free === null
  }
  for (const result of isOpen() ? [] : (['success', 'failure'] as const)) {
    for (const one of lanes) (await one.acquire(lane, signal))?.release(result)
  }
  assert.ok(isOpen())
  const probe = receiver.acquire(lane, signal)
  world.timers.advance(10_000)
  const permit = await probe
  permit?.release('success')
  await settled()
}

test('a failing lane retries as soon as the circuit breaker of its URL closes', async () => {
  const world = createSetting([event(1)])
  world.setting.status = 500
  for (const ms of [0, 1_000, 2_000, 5_000, 10_000]) await world.advance(ms)
  assert.equal(world.setting.changes.at(-1)?.next.failures, 5)
  world.setting.status = 200
  await openAndCloseBreaker(world)
  assert.equal(world.setting.changes.at(-1)?.next.deliveredThrough, 1)
})

test('a lane whose event was rejected waits its full back-off when the circuit breaker closes', async () => {
  const world = createSetting([event(1)])
  world.setting.status = 400
  for (const ms of [0, 5_000, 10_000]) await world.advance(ms)
  assert.equal(world.setting.posts.length, 3)
  await openAndCloseBreaker(world)
  await world.advance(9_999)
  assert.equal(world.setting.posts.length, 3)
  await world.advance(1)
  assert.equal(world.setting.posts.length, 4)
})

test('after a stale connection the event is sent in a new attempt on a fresh one, and no failure is counted', async () => {
  const world = createSetting([event(1), event(2)])
  world.setting.isConnectionStale = true
  await world.advance(0)
  assert.deepEqual(
    world.setting.posts.map(({ headers, connection, pool }) => [
      headers['webhook-id'],
      headers['x-service-delivery-id'],
      connection,
      pool,
    ]),
    [
      ['meeting_1_1', 'dlv_0', 'any', 'healthy'],
      ['meeting_1_1', 'dlv_1', 'fresh', 'healthy'],
      ['meeting_1_2', 'dlv_2', 'any', 'healthy'],
      ['meeting_1_2', 'dlv_3', 'fresh', 'healthy'],
    ],
  )
  assert.deepEqual(
    world.setting.changes.map(({ attempt, next }) => [
      attempt?.id,
      attempt?.outcome,
      next.deliveredThrough,
      next.failures,
    ]),
    [
      ['dlv_0', 'failed', 0, 0],
      ['dlv_1', 'delivered', 1, 0],
      ['dlv_2', 'failed', 1, 0],
      ['dlv_3', 'delivered', 2, 0],
    ],
  )
})

test('stale connections do not open the circuit breaker, and a failing lane stays failing', async () => {
  const world = createSetting([event(1)])
  world.setting.status = 500
  await world.advance(0)
  world.setting.isConnectionStale = true
  world.setting.status = null
  for (const ms of [1_000, 2_000, 5_000]) await world.advance(ms)
  // Four failures so far, all but the first after a stale connection. One more opens the breaker.
  assert.equal(world.setting.changes.at(-1)?.next.failures, 4)
  assert.deepEqual(
    new Set(world.setting.posts.slice(1).map(({ pool }) => pool)),
    new Set(['failing']),
  )
  const to = { url: 'http://a.test/hook?meeting=2', tokenId: 'token_1' }
  using receiver = world.limiter.forReceiver(to, () => undefined)
  const permit = receiver.tryAcquire()
  assert.ok(permit)
  permit.release('unused')
})

test('a wall clock that is set back does not lengthen the back-off of a lane', async () => {
  const world = createSetting([event(1)])
  world.setting.status = 500
  world.setting.onWrite = () => {
    world.setting.wallClockOffsetMs -= 3_600_000
  }
  await world.advance(0)
  await world.advance(1_000)
  assert.equal(world.setting.posts.length, 2)
})

test('a partial caption is sent between events, and never with a sequence that is already used', async () => {
  const world = createSetting([event(1)])
  await world.advance(0)
  let next = 2
  const nextPartialSequence = () => {
    next += 1
    return next - 1
  }
  world.lane.setSequenceSource({
    nextPartialSequence,
    reservePartialSequences: async () => undefined,
  })
  world.lane.showPartial(partial('c1'))
  await settled()
  world.lane.push([event(3)])
  await settled()
  assert.deepEqual(world.sentIds(), ['meeting_1_1', 'meeting_1_2', 'meeting_1_3'])
  next = 3
  world.lane.showPartial(partial('c2', NOW + 250))
  await world.advance(250)
  assert.equal(world.setting.posts.length, 3)
  world.lane.showPartial(partial('c2', NOW + 500))
  await world.advance(250)
  assert.equal(world.sentIds().at(-1), 'meeting_1_4')
})

test('a partial caption that cannot be sent is dropped, and the lane continues', async () => {
  const world = createSetting([])
  await world.advance(0)
  let next = 0
  const nextPartialSequence = () => (next += 1)
  world.lane.setSequenceSource({
    nextPartialSequence,
    reservePartialSequences: async () => undefined,
  })
  world.setting.isDatabaseDown = true
  world.lane.showPartial(partial('c1'))
  await settled()
  assert.deepEqual(world.setting.droppedErrors.map(String), ['Error: the database is down'])
  world.setting.isDatabaseDown = false
  world.lane.showPartial(partial('c1', NOW + 250))
  await world.advance(250)
  world.lane.push([event(3)])
  await settled()
  assert.deepEqual(world.sentIds(), ['meeting_1_2', 'meeting_1_3'])
})

test('partial captions whose sequences cannot be reserved are dropped without another try', async () => {
  const world = createSetting([])
  await world.advance(0)
  let reservations = 0
  let next: number | null = null
  world.lane.setSequenceSource({
    nextPartialSequence: () => next,
    async reservePartialSequences() {
      reservations += 1
      throw new Error('another node owns the meeting')
    },
  })
  world.lane.showPartial(partial('c1'))
  await settled()
  await world.advance(1_000)
  assert.equal(reservations, 1)
  assert.deepEqual(world.setting.droppedErrors.map(String), [
    'Error: another node owns the meeting',
  ])
  next = 1
  world.lane.showPartial(partial('c2', NOW + 1_000))
  await settled()
  assert.deepEqual(world.sentIds(), ['meeting_1_1'])
})

test('a response whose body does not end occupies no slot, for an event and for a partial caption', async () => {
  const single = { total: 1, healthy: 1, failing: 1, allFailing: 1 }
  const isSlotFree = ({ limiter }: ReturnType<typeof createSetting>) => {
    using other = limiter.forReceiver({ url: 'http://b.test/', tokenId: 't' }, () => undefined)
    const permit = other.tryAcquire()
    permit?.release('unused')
    return permit !== null
  }
  const world = createSetting([event(1)], single)
  world.setting.isTrickling = true
  await world.advance(0)
  assert.equal(world.setting.posts.length, 1)
  assert.equal(isSlotFree(world), true)

  const quiet = createSetting([], single)
  await quiet.advance(0)
  quiet.setting.isTrickling = true
  quiet.lane.setSequenceSource({
    nextPartialSequence: () => 1,
    reservePartialSequences: async () => undefined,
  })
  quiet.lane.showPartial(partial('c1'))
  await settled()
  assert.equal(quiet.setting.posts.length, 1)
  assert.equal(isSlotFree(quiet), true)
  const hanging = createSetting([event(1)], single)
  hanging.setting.isHanging = true
  await hanging.advance(0)
  assert.equal(isSlotFree(hanging), false)
  for (const { lane } of [world, quiet, hanging]) lane.stop(0)
})

test('a lane whose token was removed closes and stores the reason', async () => {
  const world = createSetting([event(1)])
  world.setting.isTokenRemoved = true
  assert.equal(await world.lane.ended, 'unsigned')
  assert.partialDeepStrictEqual(world.setting.changes.at(-1)?.next, {
    state: 'closed',
    dueAt: null,
    lastError: 'token_removed',
  })
})

test('a lane that is stopped ends and leaves no timer behind', async () => {
  const world = createSetting([])
  await world.advance(0)
  world.lane.stop(5_000)
  assert.equal(await world.lane.ended, 'stopped')
  assert.equal(world.timers.count(), 0)
})

test('a lane that has ended sets no timer when it is stopped', async () => {
  const world = createSetting([event(1)])
  world.setting.isTokenRemoved = true
  await world.lane.ended
  world.lane.stop(5_000)
  assert.equal(world.timers.count(), 0)
})

test('a second stop never extends the grace period, and stop(0) aborts immediately', async () => {
  const [patient, impatient] = [createSetting([event(1)]), createSetting([event(1)])]
  for (const { setting, lane, advance } of [patient, impatient]) {
    setting.isHanging = true
    await advance(0)
    lane.stop(5_000)
    await advance(4_999)
  }
  patient.lane.stop(5_000)
  impatient.lane.stop(0)
  assert.equal(await impatient.lane.ended, 'stopped')
  const first = await Promise.race([patient.lane.ended, settled().then(() => 'still running')])
  assert.equal(first, 'still running')
  await patient.advance(1)
  assert.equal(await patient.lane.ended, 'stopped')
  assert.deepEqual([patient.timers.count(), impatient.timers.count()], [0, 0])
})
