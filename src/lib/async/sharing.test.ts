import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { createBatcher, createLazyValue, runOnce, coalesceReadsInSameTick } from './sharing.ts'

/** A `run` function whose calls the test ends. */
function createRuns() {
  const runs: Array<{ items: number[]; end: PromiseWithResolvers<number[]> }> = []
  const started: Array<() => void> = []
  const run = (items: number[]) => {
    const end = Promise.withResolvers<number[]>()
    runs.push({ items, end })
    started.shift()?.()
    return end.promise
  }
  const nextStarted = () => new Promise<void>((resolve) => started.push(resolve))
  return { runs, run, nextStarted }
}

test('items added in the same turn of the event loop run as one group and each gets its result', async () => {
  const groups: number[][] = []
  const batches = createBatcher(
    async (items: number[]) => {
      groups.push(items)
      return items.map((item) => item * 10)
    },
    { maxItems: 100 },
  )
  assert.deepEqual(await Promise.all([1, 2, 3].map(batches.add)), [10, 20, 30])
  assert.deepEqual(groups, [[1, 2, 3]])
})

test('items added while a group runs form the next group, and only one group runs at a time', async () => {
  const { runs, run, nextStarted } = createRuns()
  const batches = createBatcher(run, { maxItems: 100 })
  let started = nextStarted()
  const first = batches.add(1)
  await started
  started = nextStarted()
  const others = [batches.add(2), batches.add(3)]
  await Promise.resolve()
  assert.equal(runs.length, 1)
  runs[0]?.end.resolve([10])
  assert.equal(await first, 10)
  await started
  assert.deepEqual(runs[1]?.items, [2, 3])
  runs[1]?.end.resolve([20, 30])
  assert.deepEqual(await Promise.all(others), [20, 30])
})

test('a group has at most maxItems items, in the order in which they were added', async () => {
  const groups: number[][] = []
  const batches = createBatcher(
    async (items: number[]) => {
      groups.push(items)
      return items
    },
    { maxItems: 2 },
  )
  assert.deepEqual(await Promise.all([1, 2, 3, 4, 5].map(batches.add)), [1, 2, 3, 4, 5])
  assert.deepEqual(groups, [[1, 2], [3, 4], [5]])
})

test('a failed group rejects each of its items and no others', async () => {
  const batches = createBatcher(
    async (items: number[]) => {
      if (items.includes(1)) throw new Error('no')
      return items
    },
    { maxItems: 2 },
  )
  const results = await Promise.allSettled([1, 2, 3].map(batches.add))
  assert.deepEqual(
    results.map(({ status }) => status),
    ['rejected', 'rejected', 'fulfilled'],
  )
  assert.equal(await batches.add(4), 4)
})

test('a lazy value is created once for concurrent callers', async () => {
  let count = 0
  const lazy = createLazyValue(async () => (count += 1))
  assert.equal(lazy.peek(), null)
  assert.deepEqual(await Promise.all([lazy.get(), lazy.get()]), [1, 1])
  assert.equal(await lazy.get(), 1)
  assert.equal(await lazy.peek(), 1)
})

test('a failed creation of a lazy value rejects all waiting callers and is tried again later', async () => {
  let count = 0
  const lazy = createLazyValue(async () => {
    count += 1
    if (count === 1) throw new Error('not yet')
    return count
  })
  const results = await Promise.allSettled([lazy.get(), lazy.get()])
  assert.deepEqual(
    results.map(({ status }) => status),
    ['rejected', 'rejected'],
  )
  assert.equal(lazy.peek(), null)
  assert.equal(await lazy.get(), 2)
})

test('a second call waits for the work of the first and does not repeat it', async () => {
  const end = Promise.withResolvers<number>()
  let runs = 0
  const close = runOnce(() => {
    runs += 1
    return end.promise
  })
  const calls = [close(), close()]
  end.resolve(7)
  assert.deepEqual(await Promise.all(calls), [7, 7])
  assert.equal(await close(), 7)
  assert.equal(runs, 1)
})

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
