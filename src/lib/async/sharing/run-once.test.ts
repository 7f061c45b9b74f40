import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { runOnce } from './run-once.ts'

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
