import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { createManualTimers } from '../../../test/support/time/manual-timers.ts'
import { createLog } from '../../log.ts'
import { createWorkerPool } from './worker-pool.ts'
import { createWorkerSlot, WORKER_TIME_LIMITS, type WorkerClient } from './worker-slot.ts'

const createParts = (entry: string) => {
  const timers = createManualTimers()
  const program = { entry, args: [] }
  return { timers, program, limits: WORKER_TIME_LIMITS, log: createLog('silent') }
}

const createClient = (changed: Partial<WorkerClient> = {}): WorkerClient => ({
  onReady: () => undefined,
  onHeard: () => undefined,
  onLost: () => undefined,
  onUnusable: () => undefined,
  onClosed: () => undefined,
  isWaiting: () => true,
  ...changed,
})

test('a closed slot tells its sessions once, and starts neither a process nor a timer', () => {
  const parts = createParts('missing.js')
  const slot = createWorkerSlot(parts)
  let closings = 0
  slot.add(1, createClient({ onClosed: () => (closings += 1) }))
  slot.close()
  slot.close()
  slot.remove(1)
  slot.send({ type: 'close', session: 1 })
  assert.equal(slot.wake(), false)
  assert.equal(closings, 1)
  assert.equal(slot.pid(), undefined)
  assert.equal(parts.timers.count(), 0)
})

test('a slot that a session closes when its process has ended starts no further process', async () => {
  const parts = createParts('missing.js')
  const slot = createWorkerSlot(parts)
  await new Promise<void>((resolve) => {
    const onLost = () => {
      slot.close()
      resolve()
    }
    slot.add(1, createClient({ onLost }))
    slot.wake()
  })
  assert.equal(parts.timers.count(), 0)
})

test('a disposed pool accepts no session', () => {
  const pool = createWorkerPool({ ...createParts('missing.js'), mostWorkers: 1 })
  pool[Symbol.dispose]()
  const connection = pool.connect(createClient())
  connection?.wake()
  assert.equal(connection, null)
  assert.deepEqual(pool.pids(), [])
})
