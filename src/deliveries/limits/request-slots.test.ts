import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import {
  createRequestSlots,
  SLOT_LIMITS,
  type RequestSlot,
  type SlotQueue,
} from './request-slots.ts'

const never = () => new AbortController().signal

/** Takes as many places as there are, at most so many. */
function fill(queue: SlotQueue, most = 1_000): RequestSlot[] {
  return Array.from({ length: most }, queue.tryAcquire).filter((slot) => slot !== null)
}

test('a token gets so many places at a receiver, and another token its own', () => {
  const slots = createRequestSlots()
  assert.equal(fill(slots.openQueue('healthy')).length, SLOT_LIMITS.healthy)
  assert.equal(fill(slots.openQueue('healthy')).length, SLOT_LIMITS.healthy)
})

test('receivers in trouble share few places, and never one that a healthy lane needs', () => {
  const slots = createRequestSlots()
  assert.equal(fill(slots.openQueue('failing')).length, SLOT_LIMITS.failing)
  const others = Array.from({ length: 100 }, () => fill(slots.openQueue('failing'), 1)).flat()
  assert.equal(others.length, SLOT_LIMITS.allFailing - SLOT_LIMITS.failing)
  assert.equal(fill(slots.openQueue('healthy')).length, SLOT_LIMITS.healthy)
})

test('all places together are bounded too', () => {
  const slots = createRequestSlots()
  const taken = Array.from({ length: 600 }, () => fill(slots.openQueue('healthy'), 1)).flat()
  assert.equal(taken.length, SLOT_LIMITS.total)
  assert.equal(slots.openQueue('failing').tryAcquire(), null)
})

test('a place that is left goes to who waits for it, first come first', async () => {
  const queue = createRequestSlots({ ...SLOT_LIMITS, healthy: 1 }).openQueue('healthy')
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

test('when all places are taken the receivers are served in turn, however many wait for one of them', async () => {
  const slots = createRequestSlots({ ...SLOT_LIMITS, total: 1 })
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

test('who stops waiting for a place takes none, and is in nobody’s way', async () => {
  const queue = createRequestSlots({ ...SLOT_LIMITS, healthy: 1 }).openQueue('healthy')
  const [slot] = fill(queue)
  const hurried = new AbortController()
  const first = queue.acquire(hurried.signal)
  const second = queue.acquire(never())
  hurried.abort()
  assert.equal(await first, null)
  slot?.release()
  assert.notEqual(await second, null)
})

test('who stops waiting in the moment in which a place is left does not take it', async () => {
  const queue = createRequestSlots({ ...SLOT_LIMITS, healthy: 1 }).openQueue('healthy')
  const [slot] = fill(queue)
  const hurried = new AbortController()
  const first = queue.acquire(hurried.signal)
  hurried.abort()
  slot?.release()
  assert.equal(fill(queue).length, 1)
  assert.equal(await first, null)
  assert.equal(queue.tryAcquire(), null)
})

test('a place that is left twice is free once', () => {
  const queue = createRequestSlots({ ...SLOT_LIMITS, healthy: 2 }).openQueue('healthy')
  const [slot] = fill(queue)
  slot?.release()
  slot?.release()
  assert.equal(fill(queue).length, 1)
})
