import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { createRoundRobin } from './round-robin.ts'

const BACKENDS = ['a', 'b', 'c']

test('requests go to the backends in turn', () => {
  const roundRobin = createRoundRobin()
  const first = Array.from({ length: 4 }, () => roundRobin.next(BACKENDS, 0)[0])
  assert.deepEqual(first, ['a', 'b', 'c', 'a'])
})

test('a backend that failed comes last until its time is over', () => {
  const roundRobin = createRoundRobin(1_000)
  roundRobin.failed('a', 0)
  assert.deepEqual(roundRobin.next(BACKENDS, 500), ['b', 'c', 'a'])
  roundRobin.next(BACKENDS, 500)
  roundRobin.next(BACKENDS, 500)
  assert.deepEqual(roundRobin.next(BACKENDS, 1_000), ['a', 'b', 'c'])
})

test('backends that all failed are still tried', () => {
  const roundRobin = createRoundRobin(1_000)
  for (const backend of BACKENDS) roundRobin.failed(backend, 0)
  assert.deepEqual(roundRobin.next(BACKENDS, 1), BACKENDS)
})
