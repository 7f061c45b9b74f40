import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { createManualTimers, type ManualTimers } from '../../../test/support/time/manual-timers.ts'
import {
  BREAKER_RULES,
  createCircuitBreaker,
  type PermitResult,
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

async function attempt(breaker: CircuitBreaker, result: PermitResult): Promise<BreakerPermit> {
  const permit = await breaker.acquire(0, never())
  assert.ok(permit)
  permit.release(result)
  return permit
}
async function openBreaker({ breaker }: Setting): Promise<void> {
  for (let i = 0; i < BREAKER_RULES.failuresToOpen; i += 1) await attempt(breaker, 'failure')
  assert.ok(breaker.isOpen())
}
/** Requests a permit for each head time, and records which requests were admitted. */
function requestPermits(breaker: CircuitBreaker, heads: readonly number[]) {
  const admitted: Array<{ head: number; permit: BreakerPermit }> = []
  for (const head of heads) {
    void breaker.acquire(head, never()).then((permit) => permit && admitted.push({ head, permit }))
  }
  return {
    admitted,
    async heads() {
      await new Promise(setImmediate)
      return admitted.map(({ head }) => head)
    },
  }
}

test('five failures in a row open the circuit breaker, and a success in between starts the count again', async () => {
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

test('an open circuit breaker admits one probe at a time, oldest head first, at growing intervals', async () => {
  const setting = createSetting()
  const { breaker, timers } = setting
  await openBreaker(setting)
  const { admitted, heads } = requestPermits(breaker, [30, 10, 20, 40, 50])
  const delays = [10_000, 30_000, 60_000, 60_000]
  const expected = [10, 20, 30, 40]
  for (const [i, delayMs] of delays.entries()) {
    timers.advance(delayMs - 1)
    assert.deepEqual(await heads(), expected.slice(0, i))
    timers.advance(1)
    assert.deepEqual(await heads(), expected.slice(0, i + 1))
    assert.equal(admitted.at(-1)?.permit.isProbe, true)
    admitted.at(-1)?.permit.release('failure')
  }
})

test('a circuit breaker that is open for ten minutes admits a probe every five minutes', async () => {
  const setting = createSetting()
  const { breaker, timers } = setting
  await openBreaker(setting)
  timers.advance(600_000)
  await attempt(breaker, 'failure')
  timers.advance(30_000)
  await attempt(breaker, 'failure')
  const { heads } = requestPermits(breaker, [1])
  timers.advance(299_999)
  assert.deepEqual(await heads(), [])
  timers.advance(1)
  assert.deepEqual(await heads(), [1])
})

test('failures of attempts in flight when the circuit breaker opens do not delay its first probe', async () => {
  const { breaker, timers } = createSetting()
  const { admitted, heads } = requestPermits(breaker, [1, 2, 3, 4, 5, 6, 7, 8])
  await heads()
  for (const { permit } of admitted.slice(0, 5)) permit.release('failure')
  timers.advance(2_000)
  for (const { permit } of admitted.slice(5)) permit.release('failure')
  const late = requestPermits(breaker, [9])
  timers.advance(8_000)
  assert.deepEqual(await late.heads(), [9])
})

test('a probe that is released unused goes to the next waiting lane immediately', async () => {
  const setting = createSetting()
  const { breaker, timers } = setting
  await openBreaker(setting)
  const { admitted, heads } = requestPermits(breaker, [1, 2])
  timers.advance(10_000)
  assert.deepEqual(await heads(), [1])
  admitted[0]?.permit.release('unused')
  assert.deepEqual(await heads(), [1, 2])
})

test('after the first success the circuit breaker admits four attempts and doubles the limit every second', async () => {
  const setting = createSetting()
  const { breaker, timers } = setting
  await openBreaker(setting)
  const headTimes = Array.from({ length: 101 }, (_, i) => i)
  const { admitted, heads } = requestPermits(breaker, headTimes)
  timers.advance(10_000)
  await heads()
  admitted[0]?.permit.release('success')
  assert.equal(setting.closings(), 1)
  for (const count of [4, 8, 16, 32, 100]) {
    assert.equal((await heads()).length - 1, count)
    timers.advance(1_000)
  }
  assert.equal(timers.count(), 0)
})

test('a circuit breaker that closes twice within a second still doubles its limit once a second', async () => {
  const { breaker, timers } = createSetting()
  const first = requestPermits(breaker, [1, 2, 3, 4, 5, 6, 7])
  await first.heads()
  const release = (i: number, result: 'success' | 'failure') =>
    first.admitted[i]?.permit.release(result)
  for (const i of [0, 1, 2, 3, 4]) release(i, 'failure')
  release(5, 'success')
  timers.advance(900)
  for (let i = 0; i < 5; i += 1) await attempt(breaker, 'failure')
  release(6, 'success')
  const { heads } = requestPermits(breaker, [1, 2, 3, 4, 5, 6, 7, 8, 9])
  timers.advance(900)
  assert.equal((await heads()).length, 4)
  timers.advance(100)
  assert.equal((await heads()).length, 8)
})

test('a lane that stops waiting for the circuit breaker does not become its next probe', async () => {
  const setting = createSetting()
  const { breaker, timers } = setting
  await openBreaker(setting)
  const aborted = new AbortController()
  const first = breaker.acquire(1, aborted.signal)
  const { heads } = requestPermits(breaker, [2])
  aborted.abort()
  assert.equal(await first, null)
  timers.advance(10_000)
  assert.deepEqual(await heads(), [2])
})

test('a disposed circuit breaker leaves no timer behind', async () => {
  const setting = createSetting()
  await openBreaker(setting)
  assert.equal(setting.timers.count(), 1)
  setting.breaker[Symbol.dispose]()
  assert.equal(setting.timers.count(), 0)
})
