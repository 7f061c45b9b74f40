import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { createRefusedLanes } from './refused-lanes.ts'

test('a refused lane is left alone until its time is over or another listener connects under its name', () => {
  let now = 0
  const refused = createRefusedLanes(() => now)
  refused.add({ id: 'one', url: 'listen:a' })
  now = 10_000
  refused.add({ id: 'two', url: 'listen:b' })
  refused.add({ id: 'three', url: 'listen:b' })
  assert.deepEqual(refused.listIds(), ['one', 'two', 'three'])
  now = 15_000
  assert.deepEqual(refused.listIds(), ['two', 'three'])
  refused.clear('listen:a')
  assert.deepEqual(refused.listIds(), ['two', 'three'])
  refused.clear('listen:b')
  assert.deepEqual(refused.listIds(), [])
})
