import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { createBatcher } from './batcher.ts'

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
