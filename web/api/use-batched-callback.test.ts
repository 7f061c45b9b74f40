import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { createBatch } from './use-batched-callback.ts'

test('of several requests within one interval, the work of the latest runs once', async () => {
  const calls: string[] = []
  const { promise, resolve } = Promise.withResolvers<void>()
  const batch = createBatch(0)
  batch.request(() => calls.push('the meeting that the page showed'))
  batch.request(() => {
    calls.push('the meeting that it shows now')
    resolve()
  })
  await promise
  assert.deepEqual(calls, ['the meeting that it shows now'])
})
