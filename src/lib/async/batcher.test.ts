import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { createBatcher } from './batcher.ts'

/** Runs that end when the test says so. */
function createRuns() {
  const runs: Array<{ items: number[]; end: PromiseWithResolvers<number[]> }> = []
  const begun: Array<() => void> = []
  const run = (items: number[]) => {
    const end = Promise.withResolvers<number[]>()
    runs.push({ items, end })
    begun.shift()?.()
    return end.promise
  }
  const nextBegun = () => new Promise<void>((resolve) => begun.push(resolve))
  return { runs, run, nextBegun }
}

test('what is added in the same turn of the loop runs as one group, each with its own result', async () => {
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

test('what arrives while a group is under way forms the next one, and never two run at once', async () => {
  const { runs, run, nextBegun } = createRuns()
  const batches = createBatcher(run, { maxItems: 100 })
  let begun = nextBegun()
  const first = batches.add(1)
  await begun
  begun = nextBegun()
  const others = [batches.add(2), batches.add(3)]
  await Promise.resolve()
  assert.equal(runs.length, 1)
  runs[0]?.end.resolve([10])
  assert.equal(await first, 10)
  await begun
  assert.deepEqual(runs[1]?.items, [2, 3])
  runs[1]?.end.resolve([20, 30])
  assert.deepEqual(await Promise.all(others), [20, 30])
})

test('a group has no more items than allowed, and all come in order', async () => {
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

test('a group that fails, fails for each of its items and for no other', async () => {
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
