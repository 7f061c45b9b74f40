import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { NEW_LANE } from '../../../test/support/callbacks/new-lane.ts'
import { createManualTimers } from '../../../test/support/time/manual-timers.ts'
import { createAttemptLimiter } from '../attempt-limiter.ts'
import type { LaneChange, LaneEvent, LaneRecord } from './lane-record.ts'
import { openLane } from './lane.ts'

const NOW = 1_800_000_000_000
/** Resolves when everything that does not wait for a timer has run. */
const settled = () => new Promise(setImmediate)

type TestLane = { name: string; tokenId: string; changes: LaneChange[]; push(count: number): void }

/** Lanes of several meetings that send to the same receiver. `statusFor` returns the receiver's answer. */
function createSharedReceiver(statusFor: (meetingId: string, tokenId: string) => number) {
  const timers = createManualTimers()
  const limiter = createAttemptLimiter(timers)
  const now = () => NOW + timers.now()
  let deliveries = 0
  const open = (name: string, tokenId = 'token_1'): TestLane => {
    const changes: LaneChange[] = []
    const stored: LaneEvent[] = []
    const record: LaneRecord = {
      ...NEW_LANE,
      id: `lane_${name}`,
      meetingId: name,
      url: `http://a.test/hook?meeting=${name}`,
      tokenId,
    }
    const lane = openLane(record, {
      messages: { post: async () => null },
      store: {
        readEvents: async (_, after) => {
          return { events: stored.filter(({ sequence }) => sequence > after), endedAt: null }
        },
        async writeChange(change) {
          changes.push(change)
          return true
        },
        secretsOf: async () => ({ signing: 'ss_1', alsoValid: [] }),
      },
      transport: {
        async post() {
          const status = statusFor(name, tokenId)
          return { status, error: null, answer: '', retryAfterMs: null, durationMs: 1 }
        },
        [Symbol.asyncDispose]: async () => undefined,
      },
      limiter,
      timers,
      now,
      random: () => 1,
      newDeliveryId: () => `dlv_${(deliveries += 1)}`,
      isLastEvent: () => false,
      giveUpMs: 86_400_000,
    })
    const push = (count: number) => {
      const events = Array.from({ length: count }, () => {
        const sequence = stored.length + 1
        const event = { sequence, type: 'segment_finalized', at: now(), body: '{}' }
        stored.push(event)
        return event
      })
      lane.push(events)
    }
    return { name, tokenId, changes, push }
  }
  const advance = async (ms: number) => {
    timers.advance(ms)
    for (let i = 0; i < 20; i += 1) await settled()
  }
  return { open, advance }
}

const deliveredThrough = ({ changes }: TestLane) => changes.at(-1)?.next.deliveredThrough ?? 0

test('meetings that a receiver refuses do not stop the other meetings at the same address', async () => {
  const { open, advance } = createSharedReceiver((name) => (name.startsWith('bad') ? 500 : 200))
  const bad = Array.from({ length: 10 }, (_, i) => open(`bad${i}`))
  await advance(0)
  // The refused meetings come first and open the circuit breaker before any other meeting has sent an event.
  for (const lane of bad) lane.push(3)
  await advance(0)
  const good = Array.from({ length: 5 }, (_, i) => open(`good${i}`))
  await advance(0)
  for (const lane of good) lane.push(2)
  await advance(0)
  assert.deepEqual(good.map(deliveredThrough), [0, 0, 0, 0, 0])
  assert.deepEqual(
    good.map(({ changes }) => changes.map(({ next, attempt }) => [next.lastError, attempt])),
    good.map(() => [['held_back', null]]),
  )
  await advance(10_000)
  assert.deepEqual(good.map(deliveredThrough), [2, 2, 2, 2, 2])
  assert.deepEqual(
    good.map(({ changes }) => changes.at(-1)?.next.lastError),
    [null, null, null, null, null],
  )
  // From now on, the refused meetings fail on their own and hold back no other meeting.
  for (let minute = 1; minute <= 10; minute += 1) {
    for (const lane of good) lane.push(1)
    await advance(0)
    assert.deepEqual(
      good.map(deliveredThrough),
      good.map(() => 2 + minute),
    )
    await advance(50_000)
  }
  assert.deepEqual(
    bad.map(deliveredThrough),
    bad.map(() => 0),
  )
})

test('a token that a receiver refuses does not stop another token', async () => {
  const { open, advance } = createSharedReceiver((_, tokenId) => (tokenId === 'wrong' ? 401 : 200))
  const refused = Array.from({ length: 8 }, (_, i) => open(`refused${i}`, 'wrong'))
  const accepted = open('accepted', 'right')
  await advance(0)
  for (const lane of refused) lane.push(1)
  await advance(0)
  accepted.push(3)
  await advance(0)
  assert.equal(deliveredThrough(accepted), 3)
})

test('a receiver that fails for every meeting gets one probe at a time', async () => {
  let requests = 0
  const { open, advance } = createSharedReceiver(() => {
    requests += 1
    return 500
  })
  const lanes = Array.from({ length: 50 }, (_, i) => open(`m${i}`))
  await advance(0)
  for (const lane of lanes) lane.push(1)
  await advance(0)
  const first = requests
  assert.ok(first <= 50)
  // Only a lane that has not failed itself is probed every ten seconds.
  await advance(10_000)
  assert.ok(requests - first <= 1, `${requests - first} probes`)
})
