import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { findNextAttempt, isTooOld } from './retry-policy.ts'

const createdAt = new Date('2026-11-18T09:00:00Z')

test('a mail is tried again after a minute, then less often, and given up after a day', () => {
  const minutes: number[] = []
  let now = createdAt
  for (let attempts = 0; ; attempts += 1) {
    const next = findNextAttempt({ attempts, createdAt }, now)
    if (next === null) break
    minutes.push((next.getTime() - now.getTime()) / 60_000)
    now = next
  }
  assert.deepEqual(minutes.slice(0, 4), [1, 2, 4, 8])
  assert.equal(Math.max(...minutes), 240)
  assert.equal(now.getTime() - createdAt.getTime(), 24 * 3_600_000)
})

test('a mail that waited for more than a week is too old', () => {
  assert.equal(isTooOld({ createdAt }, new Date('2026-11-25T09:00:00Z')), false)
  assert.equal(isTooOld({ createdAt }, new Date('2026-11-25T09:00:01Z')), true)
})
