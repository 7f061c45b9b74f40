import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { coalesceReads } from './coalesce-reads.ts'

test('those who ask the same in one turn share one look, and whoever asks later gets another', async () => {
  const share = coalesceReads<number>()
  let looks = 0
  const look = async () => (looks += 1)
  const together = await Promise.all([share('a', look), share('a', look), share('b', look)])
  assert.deepEqual(together, [1, 1, 2])
  let finish = () => {}
  const slow = share('a', () => new Promise<number>((resolve) => (finish = () => resolve(0))))
  await new Promise((resolve) => setImmediate(resolve))
  // The slow look has begun: it may be older than this question.
  assert.equal(await share('a', look), 3)
  finish()
  assert.equal(await slow, 0)
})

test('a look that fails fails for all who shared it, and is not remembered', async () => {
  const share = coalesceReads<number>()
  const fail = async (): Promise<number> => {
    throw new Error('no database')
  }
  const outcomes = await Promise.allSettled([share('a', fail), share('a', fail)])
  assert.deepEqual(
    outcomes.map(({ status }) => status),
    ['rejected', 'rejected'],
  )
  assert.equal(await share('a', async () => 7), 7)
})
