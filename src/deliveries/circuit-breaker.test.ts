import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { createManualTimers, type ManualTimers } from '../../test/support/time/manual-timers.ts'
import {
  BREAKER_RULES,
  createCircuitBreaker,
  type LaneCircuitBreaker,
  type BreakerPermit,
  type CircuitBreaker,
  type PermitResult,
} from './circuit-breaker.ts'

const never = () => new AbortController().signal

/** `lane` has already failed. */
type Setting = {
  breaker: CircuitBreaker
  lane: LaneCircuitBreaker
  timers: ManualTimers
  closings(): number
}

function createSetting(): Setting {
  const timers = createManualTimers()
  let closings = 0
  const onClose = () => {
    closings += 1
  }
  const breaker = createCircuitBreaker({ timers, onClose })
  return { timers, breaker, lane: breaker.join(), closings: () => closings }
}

async function attempt(lane: LaneCircuitBreaker, result: PermitResult): Promise<BreakerPermit> {
  const permit = await lane.acquire({ at: 0, isFailing: true }, never())
  assert.ok(permit)
  permit.release(result)
  return permit
}
async function openBreaker({ breaker, lane }: Setting): Promise<void> {
  for (let i = 0; i < BREAKER_RULES.failuresToOpen; i += 1) await attempt(lane, 'failure')
  assert.ok(breaker.isOpen())
}
/** Opens the breaker for more than ten minutes, after which it admits a probe every five minutes. */
async function openBreakerForLong(setting: Setting): Promise<void> {
  await openBreaker(setting)
  for (const waitMs of [600_000, 30_000]) {
    setting.timers.advance(waitMs)
    await attempt(setting.lane, 'failure')
  }
}
/** Requests a permit for each head time, each in its own lane, and records which requests were admitted. */
function requestPermits(breaker: CircuitBreaker, heads: readonly number[], isFailing = true) {
  const admitted: Array<{ head: number; lane: LaneCircuitBreaker; permit: BreakerPermit }> = []
  for (const head of heads) {
    const lane = breaker.join()
    void lane
      .acquire({ at: head, isFailing }, never())
      .then((permit) => permit && admitted.push({ head, lane, permit }))
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
  const { breaker, lane } = createSetting()
  for (let round = 0; round < 3; round += 1) {
    for (let i = 0; i < 4; i += 1) await attempt(lane, 'failure')
    assert.equal(breaker.isOpen(), false)
    await attempt(lane, 'success')
  }
  for (let i = 0; i < 4; i += 1) await attempt(lane, 'failure')
  await attempt(lane, 'unused')
  await attempt(lane, 'failure')
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
  await openBreakerForLong(setting)
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
  // The working lane fails from now on.
  const lane = first.admitted[5]?.lane as LaneCircuitBreaker
  for (let i = 0; i < 5; i += 1) await attempt(lane, 'failure')
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
  const first = breaker.join().acquire({ at: 1, isFailing: true }, aborted.signal)
  const { heads } = requestPermits(breaker, [2])
  aborted.abort()
  assert.equal(await first, null)
  timers.advance(10_000)
  assert.deepEqual(await heads(), [2])
})

test('lanes that have failed are probed in turn, not always the one with the oldest head', async () => {
  const setting = createSetting()
  const { breaker, timers } = setting
  await openBreaker(setting)
  const lanes = [breaker.join(), breaker.join(), breaker.join()]
  const probed: number[] = []
  const wait = (i: number) => {
    void lanes[i]?.acquire({ at: i, isFailing: true }, never()).then((permit) => {
      probed.push(i)
      wait(i)
      permit?.release('failure')
    })
  }
  for (const i of lanes.keys()) wait(i)
  for (let round = 0; round < 6; round += 1) {
    timers.advance(60_000)
    await new Promise(setImmediate)
  }
  assert.deepEqual(probed, [0, 1, 2, 0, 1, 2])
})

test('a lane that has not failed itself is probed first, ten seconds after the last probe', async () => {
  const setting = createSetting()
  const { breaker, timers } = setting
  await openBreakerForLong(setting)
  const failing = requestPermits(breaker, [1])
  timers.advance(4_000)
  const heldBack = requestPermits(breaker, [7, 5], false)
  timers.advance(5_999)
  assert.deepEqual(await heldBack.heads(), [])
  timers.advance(1)
  assert.deepEqual(await heldBack.heads(), [5])
  heldBack.admitted[0]?.permit.release('success')
  assert.equal(setting.closings(), 1)
  assert.deepEqual(await heldBack.heads(), [5, 7])
  assert.deepEqual(await failing.heads(), [1])
})

test('while a lane works, failures of lanes that never worked do not open the circuit breaker', async () => {
  const { breaker, timers } = createSetting()
  const [good, bad] = [breaker.join(), breaker.join()]
  await attempt(good, 'success')
  for (let i = 0; i < 20; i += 1) await attempt(bad, 'failure')
  assert.equal(breaker.isOpen(), false)
  // The good lane's last success is too old to say anything about the receiver.
  timers.advance(BREAKER_RULES.workingMs + 1)
  for (let i = 0; i < 5; i += 1) await attempt(bad, 'failure')
  assert.equal(breaker.isOpen(), true)
})

test('failures of lanes that worked open the circuit breaker, also while a quiet lane counts as working', async () => {
  const { breaker } = createSetting()
  const lanes = Array.from({ length: 6 }, () => breaker.join())
  for (const lane of lanes) await attempt(lane, 'success')
  for (const lane of lanes.slice(1)) await attempt(lane, 'failure')
  assert.equal(breaker.isOpen(), true)
})

test('a lane that ended no longer counts as working', async () => {
  const { breaker, lane } = createSetting()
  const ended = breaker.join()
  await attempt(ended, 'success')
  ended[Symbol.dispose]()
  for (let i = 0; i < 5; i += 1) await attempt(lane, 'failure')
  assert.equal(breaker.isOpen(), true)
})

test('a disposed circuit breaker leaves no timer behind', async () => {
  const setting = createSetting()
  await openBreaker(setting)
  assert.equal(setting.timers.count(), 1)
  setting.breaker[Symbol.dispose]()
  assert.equal(setting.timers.count(), 0)
})
