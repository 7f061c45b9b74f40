import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { createLazyValue } from './lazy.ts'

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
