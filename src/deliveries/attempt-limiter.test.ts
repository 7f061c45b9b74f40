import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import {
  createRequestSlotLimiter,
  DEFAULT_REQUEST_SLOT_LIMITS,
  type RequestSlot,
  type RequestSlotQueue,
} from './attempt-limiter.ts'

const never = () => new AbortController().signal

/** Acquires every free slot, up to a maximum. */
function fill(queue: RequestSlotQueue, max = 1_000): RequestSlot[] {
  return Array.from({ length: max }, queue.tryAcquire).filter((slot) => slot !== null)
}

test('each token has a separate limit of slots at a receiver', () => {
  const slots = createRequestSlotLimiter()
  assert.equal(fill(slots.openQueue('healthy')).length, DEFAULT_REQUEST_SLOT_LIMITS.healthy)
  assert.equal(fill(slots.openQueue('healthy')).length, DEFAULT_REQUEST_SLOT_LIMITS.healthy)
})

test('failing receivers share a few slots and never take one from a healthy lane', () => {
  const slots = createRequestSlotLimiter()
  assert.equal(fill(slots.openQueue('failing')).length, DEFAULT_REQUEST_SLOT_LIMITS.failing)
  const others = Array.from({ length: 100 }, () => fill(slots.openQueue('failing'), 1)).flat()
  assert.equal(
    others.length,
    DEFAULT_REQUEST_SLOT_LIMITS.allFailing - DEFAULT_REQUEST_SLOT_LIMITS.failing,
  )
  assert.equal(fill(slots.openQueue('healthy')).length, DEFAULT_REQUEST_SLOT_LIMITS.healthy)
})

test('the total number of slots is limited', () => {
  const slots = createRequestSlotLimiter()
  const taken = Array.from({ length: 600 }, () => fill(slots.openQueue('healthy'), 1)).flat()
  assert.equal(taken.length, DEFAULT_REQUEST_SLOT_LIMITS.total)
  assert.equal(slots.openQueue('failing').tryAcquire(), null)
})

test('a released slot goes to the longest-waiting request', async () => {
  const queue = createRequestSlotLimiter({ ...DEFAULT_REQUEST_SLOT_LIMITS, healthy: 1 }).openQueue(
    'healthy',
  )
  const [slot] = fill(queue)
  const order: number[] = []
  const waiting = [1, 2].map(async (i) => {
    const taken = await queue.acquire(never())
    order.push(i)
    taken?.release()
  })
  assert.equal(queue.tryAcquire(), null)
  slot?.release()
  await Promise.all(waiting)
  assert.deepEqual(order, [1, 2])
  assert.equal(fill(queue).length, 1)
})

test('when all slots are taken, receivers are served round-robin, however many requests wait for one of them', async () => {
  const slots = createRequestSlotLimiter({ ...DEFAULT_REQUEST_SLOT_LIMITS, total: 1 })
  const [busy, quiet, rare] = [
    slots.openQueue('healthy'),
    slots.openQueue('healthy'),
    slots.openQueue('healthy'),
  ]
  const [slot] = fill(busy)
  const order: string[] = []
  const names = { busy, quiet, rare }
  const asking = ['busy', 'busy', 'busy', 'quiet', 'rare'] as const
  const waiting = asking.map(async (name) => {
    const taken = await names[name].acquire(never())
    order.push(name)
    taken?.release()
  })
  slot?.release()
  await Promise.all(waiting)
  assert.deepEqual(order, ['busy', 'quiet', 'rare', 'busy', 'busy'])
})

test('a request that stops waiting takes no slot and does not block the next one', async () => {
  const queue = createRequestSlotLimiter({ ...DEFAULT_REQUEST_SLOT_LIMITS, healthy: 1 }).openQueue(
    'healthy',
  )
  const [slot] = fill(queue)
  const aborted = new AbortController()
  const first = queue.acquire(aborted.signal)
  const second = queue.acquire(never())
  aborted.abort()
  assert.equal(await first, null)
  slot?.release()
  assert.notEqual(await second, null)
})

test('a request that aborts before a slot is released does not take the slot', async () => {
  const queue = createRequestSlotLimiter({ ...DEFAULT_REQUEST_SLOT_LIMITS, healthy: 1 }).openQueue(
    'healthy',
  )
  const [slot] = fill(queue)
  const aborted = new AbortController()
  const first = queue.acquire(aborted.signal)
  aborted.abort()
  slot?.release()
  assert.equal(fill(queue).length, 1)
  assert.equal(await first, null)
  assert.equal(queue.tryAcquire(), null)
})

test('a slot that is released twice is free once', () => {
  const queue = createRequestSlotLimiter({ ...DEFAULT_REQUEST_SLOT_LIMITS, healthy: 2 }).openQueue(
    'healthy',
  )
  const [slot] = fill(queue)
  slot?.release()
  slot?.release()
  assert.equal(fill(queue).length, 1)
})
