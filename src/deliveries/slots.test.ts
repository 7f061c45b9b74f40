import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { createSlots, SLOT_LIMITS, type Slot, type SlotKey } from './slots.ts'

const never = () => new AbortController().signal
const healthy = (token: string, receiver = 'http://a.test/'): SlotKey => {
  return { token, receiver, isTroubled: false }
}
const troubled = (receiver: string): SlotKey => {
  return { token: 'any', receiver, isTroubled: true }
}

function fill(slots: ReturnType<typeof createSlots>, keys: readonly SlotKey[]): Slot[] {
  return keys.map((key) => slots.tryTake(key)).filter((slot) => slot !== null)
}
const many = (count: number, key: (i: number) => SlotKey) =>
  Array.from({ length: count }, (_, i) => key(i))

test('a token gets so many places at a receiver, and another token its own', () => {
  const slots = createSlots()
  assert.equal(
    fill(
      slots,
      many(100, () => healthy('one')),
    ).length,
    SLOT_LIMITS.healthy,
  )
  assert.equal(
    fill(
      slots,
      many(100, () => healthy('two')),
    ).length,
    SLOT_LIMITS.healthy,
  )
  assert.equal(fill(slots, [healthy('one', 'http://b.test')]).length, 1)
})

test('receivers in trouble share few places, and never one that a healthy lane needs', () => {
  const slots = createSlots()
  assert.equal(
    fill(
      slots,
      many(100, () => troubled('http://a.test')),
    ).length,
    SLOT_LIMITS.troubled,
  )
  const others = fill(
    slots,
    many(100, (i) => troubled(`http://o${i}.test`)),
  )
  assert.equal(others.length, SLOT_LIMITS.allTroubled - SLOT_LIMITS.troubled)
  assert.equal(
    fill(
      slots,
      many(64, () => healthy('one')),
    ).length,
    64,
  )
})

test('all places together are bounded too', () => {
  const slots = createSlots()
  assert.equal(
    fill(
      slots,
      many(600, (i) => healthy(`token ${i}`)),
    ).length,
    SLOT_LIMITS.total,
  )
})

test('a place that is left goes to who waits for it, first come first', async () => {
  const slots = createSlots({ ...SLOT_LIMITS, healthy: 1 })
  const [slot] = fill(slots, [healthy('one')])
  const order: number[] = []
  const waiting = [1, 2].map(async (i) => {
    const taken = await slots.take(healthy('one'), never())
    order.push(i)
    taken?.leave()
  })
  assert.equal(slots.tryTake(healthy('one')), null)
  slot?.leave()
  await Promise.all(waiting)
  assert.deepEqual(order, [1, 2])
  assert.equal(fill(slots, [healthy('one')]).length, 1)
})

test('when all places are taken the receivers are served in turn, however many wait for one of them', async () => {
  const slots = createSlots({ ...SLOT_LIMITS, total: 1 })
  const [slot] = fill(slots, [healthy('busy')])
  const order: string[] = []
  const names = ['busy', 'busy', 'busy', 'quiet', 'rare']
  const waiting = names.map(async (name) => {
    const taken = await slots.take(healthy(name), never())
    order.push(name)
    taken?.leave()
  })
  slot?.leave()
  await Promise.all(waiting)
  assert.deepEqual(order, ['busy', 'quiet', 'rare', 'busy', 'busy'])
})

test('who stops waiting for a place takes none, and is in nobody’s way', async () => {
  const slots = createSlots({ ...SLOT_LIMITS, healthy: 1 })
  const [slot] = fill(slots, [healthy('one')])
  const hurried = new AbortController()
  const first = slots.take(healthy('one'), hurried.signal)
  const second = slots.take(healthy('one'), never())
  hurried.abort()
  assert.equal(await first, null)
  slot?.leave()
  assert.notEqual(await second, null)
})

test('who stops waiting late does not make a place forgotten that was given since', async () => {
  const slots = createSlots({ ...SLOT_LIMITS, healthy: 1 })
  const [slot] = fill(slots, [healthy('one')])
  const hurried = new AbortController()
  const first = slots.take(healthy('one'), hurried.signal)
  hurried.abort()
  slot?.leave()
  assert.equal(fill(slots, [healthy('one')]).length, 1)
  assert.equal(await first, null)
  assert.equal(slots.tryTake(healthy('one')), null)
})

test('a place that is left twice is free once', () => {
  const slots = createSlots({ ...SLOT_LIMITS, healthy: 2 })
  const [slot] = fill(
    slots,
    many(2, () => healthy('one')),
  )
  slot?.leave()
  slot?.leave()
  assert.equal(
    fill(
      slots,
      many(2, () => healthy('one')),
    ).length,
    1,
  )
})
