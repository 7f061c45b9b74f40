import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { createManualTimers } from '../../../../test/support/time/manual-timers.ts'
import { createLog } from '../../../log.ts'
import type { RunningBrowser } from '../launch/launch-browser.ts'
import { DEFAULT_HEALTH_CHECK_TIMINGS, monitorBrowser } from './health-monitor.ts'

for (const [title, settle] of [
  ['answers', (check: PromiseWithResolvers<object>) => check.resolve({ processInfo: [] })],
  ['fails', (check: PromiseWithResolvers<object>) => check.reject(new Error('busy'))],
] as const) {
  test(`a disposed monitor starts no timer when its last check ${title}`, async () => {
    const timers = createManualTimers()
    const check = Promise.withResolvers<object>()
    const running = {
      cdpSession: { send: () => check.promise },
      browser: { isConnected: () => true },
      pid: null,
      isExternal: true,
    } as unknown as RunningBrowser
    const monitor = monitorBrowser({
      ...DEFAULT_HEALTH_CHECK_TIMINGS,
      running,
      slots: new Set(),
      timers,
      log: createLog('silent'),
      onGone: () => assert.fail('gone'),
    })
    monitor[Symbol.dispose]()
    settle(check)
    await setImmediate()
    assert.equal(timers.count(), 0)
  })
}
