import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { createWaitQueue, createPushQueue, mergeWithQueue } from './queues.ts'

const never = () => new AbortController().signal

test('a wait queue admits in order of arrival unless an order is given', async () => {
  const queue = createWaitQueue<number, string>()
  const waiting = [5, 3, 4].map((rank) => queue.wait(rank, never()))
  queue.admitNext(() => 'first')
  assert.equal(await waiting[0], 'first')
  queue.admitNext(
    () => 'greatest',
    (a, b) => b - a,
  )
  assert.equal(await waiting[2], 'greatest')
  assert.equal(queue.size(), 1)
})

test('waiters of the same rank are admitted in order of arrival', async () => {
  const queue = createWaitQueue<number, number>()
  const waiting = [1, 1, 1].map((rank) => queue.wait(rank, never()))
  for (const ticket of [1, 2, 3]) {
    queue.admitNext(
      () => ticket,
      (a, b) => a - b,
    )
  }
  assert.deepEqual(await Promise.all(waiting), [1, 2, 3])
})

test('an aborted waiter leaves the wait queue and the others keep their order', async () => {
  const queue = createWaitQueue<null, string>()
  const controller = new AbortController()
  const first = queue.wait(null, controller.signal)
  const second = queue.wait(null, never())
  controller.abort()
  assert.equal(await first, null)
  assert.equal(queue.size(), 1)
  queue.admitNext(() => 'ticket')
  assert.equal(await second, 'ticket')
})

test('a waiter whose signal has already aborted is not queued', async () => {
  const queue = createWaitQueue<null, string>()
  assert.equal(await queue.wait(null, AbortSignal.abort()), null)
  assert.equal(queue.size(), 0)
})

test('an admitted waiter keeps its ticket when its signal aborts afterwards', async () => {
  const queue = createWaitQueue<null, string>()
  const late = new AbortController()
  const waiting = queue.wait(null, late.signal)
  const other = queue.wait(null, never())
  queue.admitNext(() => 'mine')
  late.abort()
  assert.equal(await waiting, 'mine')
  assert.equal(queue.size(), 1)
  queue.admitNext(() => 'other')
  assert.equal(await other, 'other')
})

test('an empty wait queue creates no ticket', () => {
  createWaitQueue<null, never>().admitNext(() => assert.fail('made'))
})

test('pushed items are yielded immediately, even while the source is silent', async () => {
  const queue = createPushQueue<string>()
  const gate = Promise.withResolvers<void>()
  async function* source() {
    await gate.promise
    yield 'late'
  }
  const merged = mergeWithQueue(source(), queue)
  queue.push('one')
  assert.equal((await merged.next()).value, 'one')
  const waiting = merged.next()
  queue.push('two')
  queue.push('three')
  assert.equal((await waiting).value, 'two')
  assert.equal((await merged.next()).value, 'three')
  gate.resolve()
  assert.equal((await merged.next()).value, 'late')
  assert.equal((await merged.next()).done, true)
})

test('a failing source fails the merged stream, even when no read is pending', async () => {
  const queue = createPushQueue<string>()
  async function* source() {
    yield 'one'
    throw new Error('broken')
  }
  const merged = mergeWithQueue(source(), queue)
  queue.push('first')
  assert.equal((await merged.next()).value, 'first')
  assert.equal((await merged.next()).value, 'one')
  await assert.rejects(merged.next(), /broken/)
})

test('leaving the merged stream early ends the source', async () => {
  const ended = Promise.withResolvers<void>()
  async function* source() {
    try {
      for (let i = 0; ; i += 1) yield i
    } finally {
      ended.resolve()
    }
  }
  for await (const item of mergeWithQueue(source(), createPushQueue<number>()))
    if (item === 3) break
  await ended.promise
})
