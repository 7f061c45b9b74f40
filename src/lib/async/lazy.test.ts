import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { createLazy } from './lazy.ts'

test('what is wanted is made once, whoever asks meanwhile', async () => {
  let count = 0
  const thing = createLazy(async () => (count += 1))
  assert.equal(thing.peek(), null)
  assert.deepEqual(await Promise.all([thing.get(), thing.get()]), [1, 1])
  assert.equal(await thing.get(), 1)
  assert.equal(await thing.peek(), 1)
})

test('a failure is everybody’s who asked, and is not kept', async () => {
  let count = 0
  const thing = createLazy(async () => {
    count += 1
    if (count === 1) throw new Error('not yet')
    return count
  })
  const asked = await Promise.allSettled([thing.get(), thing.get()])
  assert.deepEqual(
    asked.map(({ status }) => status),
    ['rejected', 'rejected'],
  )
  assert.equal(thing.peek(), null)
  assert.equal(await thing.get(), 2)
})
