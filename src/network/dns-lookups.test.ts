import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { createFairDnsLookup, type ResolveHost } from './dns-lookups.ts'

/** A name server that answers when the test tells it to, behind a fair lookup. */
function createNameServer(threads: number) {
  const open = new Map<string, () => void>()
  const asked: string[] = []
  const answered: string[] = []
  let time = 0
  const server: ResolveHost = (name, _options, callback) => {
    asked.push(name)
    open.set(name, () => callback(null, [{ address: '192.0.2.1', family: 4 }]))
  }
  const lookup = createFairDnsLookup(server, { threads, now: () => time })
  return {
    asked,
    answered,
    ask: (...names: string[]) => {
      for (const name of names) lookup(name, { all: true }, () => answered.push(name))
    },
    answer(name: string, afterMs = 0) {
      time += afterMs
      const answer = open.get(name)
      assert.ok(answer, `${name} was asked for`)
      open.delete(name)
      answer()
    },
  }
}

test('names whose lookup hangs leave a thread free for names that were fast before', () => {
  const names = createNameServer(2)
  names.ask('good.example')
  names.answer('good.example')
  names.ask('dead1.example', 'dead2.example', 'dead3.example', 'good.example')
  assert.deepEqual(names.asked, ['good.example', 'dead1.example', 'good.example'])
  names.answer('good.example')
  names.answer('dead1.example')
  assert.deepEqual(names.asked.slice(3), ['dead2.example'])
})

test('a name that was slow before waits behind new names', () => {
  const names = createNameServer(2)
  names.ask('slow.example')
  names.answer('slow.example', 5_000)
  names.ask('first.example', 'slow.example', 'second.example')
  names.answer('first.example')
  names.answer('second.example')
  names.answer('slow.example')
  assert.deepEqual(names.asked, ['slow.example', 'first.example', 'second.example', 'slow.example'])
  assert.deepEqual(names.answered, names.asked)
})

test('concurrent lookups of the same name share one query', () => {
  const names = createNameServer(4)
  names.ask('a.example', 'a.example', 'b.example', 'a.example')
  assert.deepEqual(names.asked, ['a.example', 'b.example'])
  names.answer('a.example')
  assert.deepEqual(names.answered, ['a.example', 'a.example', 'a.example'])
  names.ask('a.example')
  assert.deepEqual(names.asked, ['a.example', 'b.example', 'a.example'])
})

test('new names leave one thread free and are all looked up in the end', () => {
  const names = createNameServer(4)
  const all = Array.from({ length: 20 }, (_, i) => `n${i}.example`)
  names.ask(...all)
  for (let i = 0; i < all.length; i += 1) {
    assert.equal(names.asked.length, Math.min(i + 3, all.length))
    names.answer(all[i] ?? '')
  }
  assert.deepEqual(names.answered, all)
})
