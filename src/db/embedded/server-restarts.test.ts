import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { createLog } from '../../log.ts'
import type { PostgresServer } from './postgres-server.ts'
import { startRestarting } from './server-restarts.ts'

test('closing during a restart stops the server that the restart produces, before it returns', async () => {
  const first = createServer()
  const second = createServer()
  const restart = Promise.withResolvers<void>()
  const isRestarting = Promise.withResolvers<AbortSignal>()
  const restarting = startRestarting({
    server: first,
    log: createLog('silent'),
    async start(signal) {
      isRestarting.resolve(signal)
      await restart.promise
      return second
    },
  })
  first.crash()
  const signal = await isRestarting.promise
  let isClosed = false
  const closed = [restarting.close(), restarting.close()].map(async (closing) => {
    await closing
    isClosed = true
  })
  assert.equal(signal.aborted, true)
  await new Promise(setImmediate)
  assert.equal(isClosed, false)
  restart.resolve()
  await Promise.all(closed)
  assert.equal(second.isRunning(), false)
})

test('closing between two attempts to restart the server ends the attempts', async () => {
  const server = createServer()
  const failed = Promise.withResolvers<void>()
  let attempts = 0
  const restarting = startRestarting({
    server,
    log: createLog('silent'),
    async start() {
      attempts += 1
      if (attempts === 2) failed.resolve()
      throw new Error('no space left')
    },
  })
  server.crash()
  await failed.promise
  await restarting.close()
  assert.equal(attempts, 2)
})

function createServer(): PostgresServer & { crash(): void; isRunning(): boolean } {
  const { promise: ended, resolve } = Promise.withResolvers<void>()
  let isRunning = true
  const crash = () => {
    isRunning = false
    resolve()
  }
  return { ended, crash, isRunning: () => isRunning, stop: async () => crash() }
}
