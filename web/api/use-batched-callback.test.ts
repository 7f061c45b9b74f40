import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createBatch } from './use-batched-callback.ts'

test('of several requests within one interval, the work of the latest runs once', async () => {
  const calls: string[] = []
  const batch = createBatch(0)
  batch.request(() => calls.push('the meeting that the page showed'))
  batch.request(() => calls.push('the meeting that it shows now'))
  // Timers of the same duration end in their order.
  await sleep(0)
  assert.deepEqual(calls, ['the meeting that it shows now'])
})
