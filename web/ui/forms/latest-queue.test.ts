import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { createLatestQueue } from './latest-queue.ts'

test('what was wanted last runs after the first, and what was wanted in between does not run', async () => {
  const queue = createLatestQueue()
  const first = Promise.withResolvers<void>()
  const ran: string[] = []
  const add = (name: string, until?: Promise<void>) =>
    queue.run(async () => {
      ran.push(name)
      await until
    })
  const running = add('first', first.promise)
  assert.equal(await add('second'), false)
  assert.equal(await add('third'), false)
  assert.deepEqual(ran, ['first'])
  first.resolve()
  assert.equal(await running, true)
  assert.deepEqual(ran, ['first', 'third'])
  assert.equal(await add('fourth'), true)
  assert.deepEqual(ran, ['first', 'third', 'fourth'])
})

test('the queue goes on after work that throws', async () => {
  const queue = createLatestQueue()
  await assert.rejects(queue.run(() => Promise.reject(new Error('refused'))))
  assert.equal(await queue.run(() => Promise.resolve()), true)
})
