import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { createPushQueue, mergeWithQueue } from './merge-streams.ts'

test('what is pushed comes at once, also while the source has nothing to say', async () => {
  const outbox = createPushQueue<string>()
  const gate = Promise.withResolvers<void>()
  async function* source() {
    await gate.promise
    yield 'late'
  }
  const merged = mergeWithQueue(source(), outbox)
  outbox.push('one')
  assert.equal((await merged.next()).value, 'one')
  const waiting = merged.next()
  outbox.push('two')
  outbox.push('three')
  assert.equal((await waiting).value, 'two')
  assert.equal((await merged.next()).value, 'three')
  gate.resolve()
  assert.equal((await merged.next()).value, 'late')
  assert.equal((await merged.next()).done, true)
})

test('a source that fails fails the whole, even when nobody was asking just then', async () => {
  const outbox = createPushQueue<string>()
  async function* source() {
    yield 'one'
    throw new Error('broken')
  }
  const merged = mergeWithQueue(source(), outbox)
  outbox.push('first')
  assert.equal((await merged.next()).value, 'first')
  assert.equal((await merged.next()).value, 'one')
  await assert.rejects(merged.next(), /broken/)
})

test('whoever stops early ends the source', async () => {
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
