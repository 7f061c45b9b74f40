import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { createManualTimers, type ManualTimers } from '../../../test/support/time/manual-timers.ts'
import {
  BREAKER_RULES,
  createCircuitBreaker,
  type AttemptResult,
  type CircuitBreaker,
  type BreakerPermit,
} from './circuit-breaker.ts'

const never = () => new AbortController().signal

type Setting = { breaker: CircuitBreaker; timers: ManualTimers; closings(): number }

function createSetting(): Setting {
  const timers = createManualTimers()
  let closings = 0
  const onClose = () => {
    closings += 1
  }
  return { timers, breaker: createCircuitBreaker({ timers, onClose }), closings: () => closings }
}

async function attempt(breaker: CircuitBreaker, outcome: AttemptResult): Promise<BreakerPermit> {
  const ticket = await breaker.acquire(0, never())
  assert.ok(ticket)
  ticket.release(outcome)
  return ticket
}
async function openIt({ breaker }: Setting): Promise<void> {
  for (let i = 0; i < BREAKER_RULES.failuresToOpen; i += 1) await attempt(breaker, 'failure')
  assert.ok(breaker.isOpen())
}
/** Those who come to the breaker, and which of them have been let in. */
function createCrowd(breaker: CircuitBreaker, heads: readonly number[]) {
  const inside: Array<{ head: number; ticket: BreakerPermit }> = []
  for (const head of heads) {
    void breaker.acquire(head, never()).then((ticket) => ticket && inside.push({ head, ticket }))
  }
  return {
    inside,
    async heads() {
      await new Promise(setImmediate)
      return inside.map(({ head }) => head)
    },
  }
}

test('five faults in a row open a breaker; one answer that works between them does not let it', async () => {
  const { breaker } = createSetting()
  for (let round = 0; round < 3; round += 1) {
    for (let i = 0; i < 4; i += 1) await attempt(breaker, 'failure')
    assert.equal(breaker.isOpen(), false)
    await attempt(breaker, 'success')
  }
  for (let i = 0; i < 4; i += 1) await attempt(breaker, 'failure')
  await attempt(breaker, 'unused')
  await attempt(breaker, 'failure')
  assert.equal(breaker.isOpen(), true)
})

test('while a breaker is open one probe goes at a time, the oldest head first, at growing pauses', async () => {
  const setting = createSetting()
  const { breaker, timers } = setting
  await openIt(setting)
  const { inside, heads } = createCrowd(breaker, [30, 10, 20, 40, 50])
  const pauses = [10_000, 30_000, 60_000, 60_000]
  const expected = [10, 20, 30, 40]
  for (const [i, pause] of pauses.entries()) {
    timers.advance(pause - 1)
    assert.deepEqual(await heads(), expected.slice(0, i))
    timers.advance(1)
    assert.deepEqual(await heads(), expected.slice(0, i + 1))
    assert.equal(inside.at(-1)?.ticket.isProbe, true)
    inside.at(-1)?.ticket.release('failure')
  }
})

test('after ten minutes a breaker lets a probe go every five minutes', async () => {
  const setting = createSetting()
  const { breaker, timers } = setting
  await openIt(setting)
  timers.advance(600_000)
  await attempt(breaker, 'failure')
  timers.advance(30_000)
  await attempt(breaker, 'failure')
  const { heads } = createCrowd(breaker, [1])
  timers.advance(299_999)
  assert.deepEqual(await heads(), [])
  timers.advance(1)
  assert.deepEqual(await heads(), [1])
})

test('faults of attempts that were under way when a breaker opened do not put off its first probe', async () => {
  const { breaker, timers } = createSetting()
  const { inside, heads } = createCrowd(breaker, [1, 2, 3, 4, 5, 6, 7, 8])
  await heads()
  for (const { ticket } of inside.slice(0, 5)) ticket.release('failure')
  timers.advance(2_000)
  for (const { ticket } of inside.slice(5)) ticket.release('failure')
  const late = createCrowd(breaker, [9])
  timers.advance(8_000)
  assert.deepEqual(await late.heads(), [9])
})

test('a probe that was not used is passed on at once', async () => {
  const setting = createSetting()
  const { breaker, timers } = setting
  await openIt(setting)
  const { inside, heads } = createCrowd(breaker, [1, 2])
  timers.advance(10_000)
  assert.deepEqual(await heads(), [1])
  inside[0]?.ticket.release('unused')
  assert.deepEqual(await heads(), [1, 2])
})

test('the first success lets four in at once, and twice as many each second until it does not matter', async () => {
  const setting = createSetting()
  const { breaker, timers } = setting
  await openIt(setting)
  const crowd = Array.from({ length: 101 }, (_, i) => i)
  const { inside, heads } = createCrowd(breaker, crowd)
  timers.advance(10_000)
  await heads()
  inside[0]?.ticket.release('success')
  assert.equal(setting.closings(), 1)
  for (const count of [4, 8, 16, 32, 100]) {
    assert.equal((await heads()).length - 1, count)
    timers.advance(1_000)
  }
  assert.equal(timers.count(), 0)
})

test('a breaker that closes twice in a second still doubles once a second', async () => {
  const { breaker, timers } = createSetting()
  const first = createCrowd(breaker, [1, 2, 3, 4, 5, 6, 7])
  await first.heads()
  const leave = (i: number, outcome: 'success' | 'failure') =>
    first.inside[i]?.ticket.release(outcome)
  for (const i of [0, 1, 2, 3, 4]) leave(i, 'failure')
  leave(5, 'success')
  timers.advance(900)
  for (let i = 0; i < 5; i += 1) await attempt(breaker, 'failure')
  leave(6, 'success')
  const { heads } = createCrowd(breaker, [1, 2, 3, 4, 5, 6, 7, 8, 9])
  timers.advance(900)
  assert.equal((await heads()).length, 4)
  timers.advance(100)
  assert.equal((await heads()).length, 8)
})

test('who stops waiting at an open breaker is not its next probe', async () => {
  const setting = createSetting()
  const { breaker, timers } = setting
  await openIt(setting)
  const hurried = new AbortController()
  const first = breaker.acquire(1, hurried.signal)
  const { heads } = createCrowd(breaker, [2])
  hurried.abort()
  assert.equal(await first, null)
  timers.advance(10_000)
  assert.deepEqual(await heads(), [2])
})

test('a breaker that nobody needs any more leaves no timer behind', async () => {
  const setting = createSetting()
  await openIt(setting)
  assert.equal(setting.timers.count(), 1)
  setting.breaker[Symbol.dispose]()
  assert.equal(setting.timers.count(), 0)
})
