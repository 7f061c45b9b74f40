import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { createPushQueue, mergeWithQueue } from './merge-streams.ts'

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
