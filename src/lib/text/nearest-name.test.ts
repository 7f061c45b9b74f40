import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { findNearestName } from './nearest-name.ts'

test('the most similar name is suggested, and none for a name of more than 64 characters', () => {
  assert.equal(findNearestName('titel', ['name', 'title']), 'title')
  assert.equal(findNearestName('other', ['name', 'title']), null)
  const longest = 'x'.repeat(64)
  assert.equal(findNearestName(longest, [`${longest}y`]), `${longest}y`)
  assert.equal(findNearestName(`${longest}x`, [longest]), null)
})

test('a long text is refused without being compared', () => {
  // Comparing these two would take hours.
  assert.equal(findNearestName('x'.repeat(5_000_000), ['y'.repeat(5_000_000)]), null)
  assert.equal(findNearestName('xxxx', ['y'.repeat(5_000_000)]), null)
})
