import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { createWaitQueue } from './wait-queue.ts'

const never = () => new AbortController().signal

test('who came first to a turnstile is let in first, unless an order is given', async () => {
  const turnstile = createWaitQueue<number, string>()
  const waiting = [5, 3, 4].map((rank) => turnstile.wait(rank, never()))
  turnstile.admitNext(() => 'first')
  assert.equal(await waiting[0], 'first')
  turnstile.admitNext(
    () => 'greatest',
    (a, b) => b - a,
  )
  assert.equal(await waiting[2], 'greatest')
  assert.equal(turnstile.size(), 1)
})

test('those of the same rank keep the order in which they came', async () => {
  const turnstile = createWaitQueue<number, number>()
  const waiting = [1, 1, 1].map((rank) => turnstile.wait(rank, never()))
  for (const ticket of [1, 2, 3]) {
    turnstile.admitNext(
      () => ticket,
      (a, b) => a - b,
    )
  }
  assert.deepEqual(await Promise.all(waiting), [1, 2, 3])
})

test('who loses patience leaves the turnstile, and the others keep their places', async () => {
  const turnstile = createWaitQueue<null, string>()
  const hurried = new AbortController()
  const first = turnstile.wait(null, hurried.signal)
  const second = turnstile.wait(null, never())
  hurried.abort()
  assert.equal(await first, null)
  assert.equal(turnstile.size(), 1)
  turnstile.admitNext(() => 'ticket')
  assert.equal(await second, 'ticket')
})

test('who has no patience to begin with does not wait at a turnstile', async () => {
  const turnstile = createWaitQueue<null, string>()
  assert.equal(await turnstile.wait(null, AbortSignal.abort()), null)
  assert.equal(turnstile.size(), 0)
})

test('who was let in keeps the ticket, whatever comes after', async () => {
  const turnstile = createWaitQueue<null, string>()
  const late = new AbortController()
  const waiting = turnstile.wait(null, late.signal)
  const other = turnstile.wait(null, never())
  turnstile.admitNext(() => 'mine')
  late.abort()
  assert.equal(await waiting, 'mine')
  assert.equal(turnstile.size(), 1)
  turnstile.admitNext(() => 'other')
  assert.equal(await other, 'other')
})

test('no ticket is made for an empty turnstile', () => {
  createWaitQueue<null, never>().admitNext(() => assert.fail('made'))
})
