import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { coalesceReadsInSameTick } from './coalesce-reads.ts'

test('calls with the same key in one turn share one read, and a later call reads again', async () => {
  const share = coalesceReadsInSameTick<number>()
  let reads = 0
  const read = async () => (reads += 1)
  const together = await Promise.all([share('a', read), share('a', read), share('b', read)])
  assert.deepEqual(together, [1, 1, 2])
  let finish = () => {}
  const slow = share('a', () => new Promise<number>((resolve) => (finish = () => resolve(0))))
  await new Promise((resolve) => setImmediate(resolve))
  // The slow read has already started, so its result may be older than this call.
  assert.equal(await share('a', read), 3)
  finish()
  assert.equal(await slow, 0)
})

test('a failed read rejects all callers that share it and is not cached', async () => {
  const share = coalesceReadsInSameTick<number>()
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
