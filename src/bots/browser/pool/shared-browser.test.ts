import { strict as assert } from 'node:assert'
import { EventEmitter } from 'node:events'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { createManualTimers } from '../../../../test/support/time/manual-timers.ts'
import { createLog } from '../../../log.ts'
import type { RunningBrowser } from '../launch/launch-browser.ts'
import { DEFAULT_HEALTH_CHECK_TIMINGS } from './health-monitor.ts'
import { launchSharedBrowser } from './shared-browser.ts'

const SLOT = { locale: 'en-US', mediaOrigins: [] }
const never = () => new Promise<never>(() => undefined)

/** A shared browser without a program. The test decides when it has started and when it has closed. */
function openShared({ newContext = never }: { newContext?: () => Promise<unknown> } = {}) {
  const timers = createManualTimers()
  const started = Promise.withResolvers<void>()
  const closed = Promise.withResolvers<void>()
  const calls: string[] = []
  const browser = Object.assign(new EventEmitter(), {
    isConnected: () => true,
    version: () => '1',
    contexts: () => [],
    newContext,
  })
  const running = {
    browser,
    cdpSession: {
      send(method: string) {
        calls.push(method)
        return never()
      },
    },
    isExternal: false,
    pid: null,
    isolation: null,
    [Symbol.asyncDispose]() {
      calls.push('close')
      return closed.promise
    },
  } as unknown as RunningBrowser
  const shared = launchSharedBrowser({
    launch: async () => {
      await started.promise
      return running
    },
    log: createLog('silent'),
    timers,
    healthCheck: DEFAULT_HEALTH_CHECK_TIMINGS,
    sharingLimits: { maxSlots: 1 },
    onClosed: () => calls.push('closed'),
  })
  return { shared, timers, browser, calls, start: started.resolve, finishClose: closed.resolve }
}

test('a browser that is closed while it starts is not watched, and closes when it has started', async () => {
  const { shared, timers, browser, calls, start, finishClose } = openShared()
  const closing = shared[Symbol.asyncDispose]()
  start()
  finishClose()
  await closing
  assert.deepEqual(calls, ['close', 'closed'])
  assert.equal(timers.count(), 0)
  assert.equal(browser.listenerCount('disconnected'), 0)
})

test('a second close of a browser waits for the first', async () => {
  const { shared, browser, calls, start, finishClose } = openShared()
  start()
  await setImmediate()
  // The browser ends by itself, which is the first close.
  browser.emit('disconnected')
  const second = shared[Symbol.asyncDispose]().then(() => calls.push('second'))
  await setImmediate()
  assert.deepEqual(calls, ['SystemInfo.getProcessInfo', 'close'])
  finishClose()
  await second
  assert.deepEqual(calls, ['SystemInfo.getProcessInfo', 'close', 'closed', 'second'])
})

test('a bot that stops does not wait for a slot that does not open, and the slot closes when it opens', async () => {
  const opened = Promise.withResolvers<unknown>()
  const asked = Promise.withResolvers<void>()
  const { shared, start } = openShared({
    newContext: () => {
      asked.resolve()
      return opened.promise
    },
  })
  start()
  const stop = new AbortController()
  const waiting = shared.acquire(SLOT, stop.signal)
  await asked.promise
  stop.abort(new Error('stopped'))
  await assert.rejects(waiting, /stopped/)
  assert.equal(shared.hasFreeSlot(), false)
  const closed = Promise.withResolvers<void>()
  opened.resolve({
    grantPermissions: () => Promise.reject(new Error('too late')),
    close: async () => closed.resolve(),
  })
  await closed.promise
  await setImmediate()
  assert.equal(shared.hasFreeSlot(), true)
})

test('a second release of a slot waits for the first', async () => {
  const closed = Promise.withResolvers<void>()
  const page = Object.assign(new EventEmitter(), {})
  const context = Object.assign(new EventEmitter(), {
    grantPermissions: () => Promise.resolve(),
    newPage: () => Promise.resolve(page),
    newCDPSession: () => Promise.resolve({}),
    close: () => closed.promise,
  })
  const { shared, start } = openShared({ newContext: () => Promise.resolve(context) })
  start()
  const slot = await shared.acquire(SLOT, new AbortController().signal)
  let released = 0
  const releases = [1, 2].map(() => slot[Symbol.asyncDispose]().then(() => (released += 1)))
  await setImmediate()
  assert.equal(released, 0)
  closed.resolve()
  await Promise.all(releases)
  assert.equal(shared.hasFreeSlot(), true)
})
