import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { createApiKeyCache } from './api-keys.ts'

function countingCache() {
  const state = { time: 0, reads: 0, stored: 'first' as string | null }
  const cache = createApiKeyCache(
    async () => {
      state.reads += 1
      return state.stored
    },
    () => state.time,
  )
  return { state, cache }
}

test('the key cache does not read again within one second', async () => {
  const { state, cache } = countingCache()
  await cache.get('k')
  state.time = 999
  for (let i = 0; i < 100; i += 1) assert.equal(await cache.get('k'), 'first')
  assert.equal(state.reads, 1)
})

test('the key cache returns the cached value while it refreshes it', async () => {
  const { state, cache } = countingCache()
  await cache.get('k')
  state.stored = 'second'
  state.time = 1_100
  assert.equal(await cache.get('k'), 'first')
  assert.equal(state.reads, 2)
  assert.equal(await cache.get('k'), 'second')
})

test('the key cache does not return a value older than its limit', async () => {
  const { state, cache } = countingCache()
  await cache.get('k')
  state.stored = null
  state.time = 1_801
  assert.equal(await cache.get('k'), null)
})

test('the key cache reads again for a caller who needs a newer value', async () => {
  const { state, cache } = countingCache()
  await cache.get('k')
  state.stored = null
  state.time = 500
  assert.equal(await cache.get('k', 500), 'first')
  state.time = 501
  assert.equal(await cache.get('k', 500), null)
})

test('a read that began before its value was invalidated is not cached', async () => {
  const answers = [Promise.withResolvers<string>(), Promise.withResolvers<string>()]
  let reads = 0
  const cache = createApiKeyCache<string>(
    async () => answers[reads++]?.promise ?? null,
    () => 0,
  )
  const before = cache.get('k')
  cache.invalidate(() => true)
  const after = cache.get('k')
  answers[1]?.resolve('new')
  answers[0]?.resolve('old')
  assert.deepEqual(await Promise.all([before, after]), ['old', 'new'])
  assert.equal(await cache.get('k'), 'new')
})

test('concurrent lookups of a key share one read', async () => {
  const { state, cache } = countingCache()
  await Promise.all(Array.from({ length: 50 }, () => cache.get('k')))
  assert.equal(state.reads, 1)
})

test('the key cache does not cache unknown keys', async () => {
  const { state, cache } = countingCache()
  state.stored = null
  assert.equal(await cache.get('k'), null)
  state.stored = 'created later'
  assert.equal(await cache.get('k'), 'created later')
})

test('a failed refresh keeps the cached value until it is stale, then the caller gets the error', async () => {
  let isBroken = false
  let time = 0
  const cache = createApiKeyCache<string>(
    async () => {
      if (isBroken) throw new Error('no database')
      return 'value'
    },
    () => time,
  )
  await cache.get('k')
  isBroken = true
  time = 1_500
  assert.equal(await cache.get('k'), 'value')
  time = 1_900
  await assert.rejects(cache.get('k'), /no database/)
})
