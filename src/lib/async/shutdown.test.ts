import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { createShutdown, stopOnShutdown } from './shutdown.ts'

test('the grace period starts with the stop and ends once', async () => {
  using shutdown = createShutdown(0)
  assert.deepEqual([shutdown.begun.aborted, shutdown.elapsedMs()], [false, 0])
  const over = new Promise<void>((resolve) =>
    shutdown.graceOver.addEventListener('abort', () => resolve()),
  )
  shutdown.begin()
  shutdown.begin()
  assert.deepEqual([shutdown.begun.aborted, shutdown.graceOver.aborted], [true, false])
  await over
})

test('a part stops when the shutdown begins, and disposing waits for that stop', async () => {
  using shutdown = createShutdown(60_000)
  const stopped = Promise.withResolvers<void>()
  let stops = 0
  const part = stopOnShutdown(shutdown, {
    [Symbol.asyncDispose]() {
      stops += 1
      return stopped.promise
    },
  })
  shutdown.begin()
  assert.equal(stops, 1)
  let isDisposed = false
  const disposing = Promise.resolve(part[Symbol.asyncDispose]()).then(() => (isDisposed = true))
  await Promise.resolve()
  assert.equal(isDisposed, false)
  stopped.resolve()
  await disposing
  assert.equal(stops, 1)
})
