import { strict as assert } from 'node:assert'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { createManualTimers } from '../../../test/support/time/manual-timers.ts'
import { createLog } from '../../log.ts'
import { lockInstallation } from './install-lock.ts'

const log = createLog('silent')

function openFolder() {
  const path = mkdtempSync(join(tmpdir(), 'install-lock-'))
  const lock = join(path, 'install.lock')
  return { path, lock, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) }
}

test('a lock that another process has taken over is lost, and stays with that process', () => {
  using folder = openFolder()
  const timers = createManualTimers()
  using lock = lockInstallation(folder.path, { log, timers })
  timers.advance(10_000)
  lock.throwIfLost()
  assert.equal(lock.lost.aborted, false)
  writeFileSync(folder.lock, '{"pid":1}')
  timers.advance(10_000)
  assert.equal(lock.lost.aborted, true)
  assert.throws(() => lock.throwIfLost(), /is being installed/)
  assert.equal(timers.count(), 0)
})

test('a lock that cannot be read for a while does not end the process and is touched again', () => {
  using folder = openFolder()
  const timers = createManualTimers()
  const lock = lockInstallation(folder.path, { log, timers })
  rmSync(folder.lock)
  mkdirSync(folder.lock)
  timers.advance(10_000)
  assert.equal(lock.lost.aborted, false)
  assert.equal(timers.count(), 1)
  rmSync(folder.lock, { recursive: true })
  lock[Symbol.dispose]()
  assert.equal(timers.count(), 0)
})
