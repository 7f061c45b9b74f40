import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { createManualTimers } from '../../../test/support/time/manual-timers.ts'
import { createAttemptLimiter } from '../limits/attempt-limiter.ts'
import { openLane, type LaneChange, type LaneRecord } from './lane.ts'
import type { LaneEvent } from './lane-transition.ts'
import type { PostRequest } from '../network/transport.ts'

const NOW = 1_800_000_000_000
const RECORD: LaneRecord = {
  id: 'lane_1',
  fence: 1,
  meetingId: 'meeting_1',
  kind: 'meeting',
  url: 'http://a.test/hook?meeting=1',
  tokenId: 'token_1',
  events: null,
  lastSequence: null,
  meetingEndedAt: null,
  replayRequestedAt: null,
  usesMeetingUrl: true,
  state: 'open',
  deliveredThrough: 0,
  previousSequence: 0,
  failures: 0,
  rejections: 0,
  rejectedSince: null,
  dueAt: 0,
  lastError: null,
}
const event = (sequence: number): LaneEvent => {
  return { sequence, type: 'segment_finalized', at: NOW, body: `{"sequence":${sequence}}` }
}
const partial = (captionId: string, at = NOW) => {
  return { captionId, at, body: (sequence: number) => `{"sequence":${sequence}}` }
}
/** All that follows without waiting for a timer has happened. */
const settled = () => new Promise(setImmediate)

/** A lane whose time, store and receiver do as the test says. */
function createSetting(stored: LaneEvent[]) {
  const timers = createManualTimers()
  const gate = createAttemptLimiter(timers)
  const setting = {
    status: 200,
    clockMs: 0,
    posts: [] as PostRequest[],
    changes: [] as LaneChange[],
    onRecord: () => {},
    isAway: false,
    isTokenGone: false,
    dropped: [] as unknown[],
  }
  const lane = openLane(RECORD, {
    store: {
      readEvents: async (_, after) => ({
        events: stored.filter(({ sequence }) => sequence > after),
        endedAt: null,
      }),
      async writeChange(change) {
        setting.changes.push(change)
        setting.onRecord()
        return true
      },
      async secretsOf() {
        if (setting.isAway) throw new Error('the database is away')
        return setting.isTokenGone ? null : { signing: 'ss_1', others: [] }
      },
    },
    transport: {
      async post(request) {
        setting.posts.push(request)
        const { status } = setting
        return { status, error: null, answer: '', retryAfterMs: null, durationMs: 1 }
      },
      [Symbol.asyncDispose]: async () => undefined,
    },
    limiter: gate,
    timers,
    now: () => NOW + timers.now() + setting.clockMs,
    random: () => 1,
    newDeliveryId: () => `dlv_${setting.posts.length}`,
    isLastEvent: () => false,
    giveUpMs: 86_400_000,
    onPartialDropped: (error) => setting.dropped.push(error),
  })
  const pass = async (ms: number) => {
    timers.advance(ms)
    await settled()
  }
  const sent = () => setting.posts.map(({ headers }) => headers['webhook-id'])
  return { setting, lane, gate, timers, pass, sent }
}

/** The URL is found not to work, and to work again. */
async function stumble({ gate, timers }: ReturnType<typeof createSetting>): Promise<void> {
  const to = { url: 'http://a.test/hook?meeting=2', tokenId: 'token_1' }
  using entrance = gate.forReceiver(to, () => undefined)
  const asking = { isFailing: false, headAt: 0 }
  const { signal } = new AbortController()
  for (let free = entrance.tryAcquire(); free !== null; free = entrance.tryAcquire()) {
    free.release('unused')
    const pass = await entrance.acquire(asking, signal)
    pass?.release('failure')
  }
  const probe = entrance.acquire(asking, signal)
  timers.advance(10_000)
  const pass = await probe
  pass?.release('success')
  await settled()
}

test('a lane that failed tries again as soon as its URL is known to work', async () => {
  const world = createSetting([event(1)])
  world.setting.status = 500
  for (const ms of [0, 1_000, 2_000, 5_000, 10_000]) await world.pass(ms)
  assert.equal(world.setting.changes.at(-1)?.next.failures, 5)
  world.setting.status = 200
  await stumble(world)
  assert.equal(world.setting.changes.at(-1)?.next.deliveredThrough, 1)
})

test('a lane whose event was refused keeps its pause, whatever becomes of its URL', async () => {
  const world = createSetting([event(1)])
  world.setting.status = 400
  for (const ms of [0, 5_000, 10_000]) await world.pass(ms)
  assert.equal(world.setting.posts.length, 3)
  await stumble(world)
  await world.pass(9_999)
  assert.equal(world.setting.posts.length, 3)
  await world.pass(1)
  assert.equal(world.setting.posts.length, 4)
})

test('a wall clock that is set back does not make a lane wait longer', async () => {
  const world = createSetting([event(1)])
  world.setting.status = 500
  world.setting.onRecord = () => {
    world.setting.clockMs -= 3_600_000
  }
  await world.pass(0)
  await world.pass(1_000)
  assert.equal(world.setting.posts.length, 2)
})

test('a partial is sent in the pauses between events, and none with a number that is behind them', async () => {
  const world = createSetting([event(1)])
  await world.pass(0)
  let next = 2
  const takeNumber = () => {
    next += 1
    return next - 1
  }
  world.lane.setSequenceSource({
    nextPartialSequence: takeNumber,
    reservePartialSequences: async () => undefined,
  })
  world.lane.showPartial(partial('c1'))
  await settled()
  world.lane.push([event(3)])
  await settled()
  assert.deepEqual(world.sent(), ['meeting_1_1', 'meeting_1_2', 'meeting_1_3'])
  next = 3
  world.lane.showPartial(partial('c2', NOW + 250))
  await world.pass(250)
  assert.equal(world.setting.posts.length, 3)
  world.lane.showPartial(partial('c2', NOW + 500))
  await world.pass(250)
  assert.equal(world.sent().at(-1), 'meeting_1_4')
})

test('a partial that cannot be sent is dropped, and the lane goes on', async () => {
  const world = createSetting([])
  await world.pass(0)
  let next = 0
  const takeNumber = () => (next += 1)
  world.lane.setSequenceSource({
    nextPartialSequence: takeNumber,
    reservePartialSequences: async () => undefined,
  })
  world.setting.isAway = true
  world.lane.showPartial(partial('c1'))
  await settled()
  assert.deepEqual(world.setting.dropped.map(String), ['Error: the database is away'])
  world.setting.isAway = false
  world.lane.showPartial(partial('c1', NOW + 250))
  await world.pass(250)
  world.lane.push([event(3)])
  await settled()
  assert.deepEqual(world.sent(), ['meeting_1_2', 'meeting_1_3'])
})

test('a lane whose token is gone says so: its receiver did not close it', async () => {
  const world = createSetting([event(1)])
  world.setting.isTokenGone = true
  assert.equal(await world.lane.ended, 'unsigned')
  assert.partialDeepStrictEqual(world.setting.changes.at(-1)?.next, {
    state: 'closed',
    dueAt: null,
    lastError: 'token_removed',
  })
})

test('a lane that is told to stop ends, and leaves no timer behind', async () => {
  const world = createSetting([])
  await world.pass(0)
  world.lane.stop(5_000)
  assert.equal(await world.lane.ended, 'stopped')
  assert.equal(world.timers.count(), 0)
})
