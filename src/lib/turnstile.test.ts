import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { createTurnstile } from './turnstile.ts'

const never = () => new AbortController().signal

test('who came first to a turnstile is let in first, unless an order is given', async () => {
  const turnstile = createTurnstile<number, string>()
  const waiting = [5, 3, 4].map((rank) => turnstile.wait(rank, never()))
  turnstile.letIn(() => 'first')
  assert.equal(await waiting[0], 'first')
  turnstile.letIn(
    () => 'greatest',
    (a, b) => b - a,
  )
  assert.equal(await waiting[2], 'greatest')
  assert.equal(turnstile.size(), 1)
})

test('those of the same rank keep the order in which they came', async () => {
  const turnstile = createTurnstile<number, number>()
  const waiting = [1, 1, 1].map((rank) => turnstile.wait(rank, never()))
  for (const ticket of [1, 2, 3]) {
    turnstile.letIn(
      () => ticket,
      (a, b) => a - b,
    )
  }
  assert.deepEqual(await Promise.all(waiting), [1, 2, 3])
})

test('who loses patience leaves the turnstile, and the others keep their places', async () => {
  const turnstile = createTurnstile<null, string>()
  const hurried = new AbortController()
  const first = turnstile.wait(null, hurried.signal)
  const second = turnstile.wait(null, never())
  hurried.abort()
  assert.equal(await first, null)
  assert.equal(turnstile.size(), 1)
  turnstile.letIn(() => 'ticket')
  assert.equal(await second, 'ticket')
})

test('who has no patience to begin with does not wait at a turnstile', async () => {
  const turnstile = createTurnstile<null, string>()
  assert.equal(await turnstile.wait(null, AbortSignal.abort()), null)
  assert.equal(turnstile.size(), 0)
})

test('who was let in keeps the ticket, whatever comes after', async () => {
  const turnstile = createTurnstile<null, string>()
  const late = new AbortController()
  const waiting = turnstile.wait(null, late.signal)
  const other = turnstile.wait(null, never())
  turnstile.letIn(() => 'mine')
  late.abort()
  assert.equal(await waiting, 'mine')
  assert.equal(turnstile.size(), 1)
  turnstile.letIn(() => 'other')
  assert.equal(await other, 'other')
})

test('no ticket is made for an empty turnstile', () => {
  createTurnstile<null, never>().letIn(() => assert.fail('made'))
})
