import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { createLostNodes } from './heartbeats.ts'

const SUSPECT_FOR_MS = 750
const node = (isLocked: boolean, beatMs = 0, id = 'node_a') => ({
  id,
  beatAt: new Date(beatMs),
  isLocked,
})

test('a node is unlocked when its lock was free for long enough without a heartbeat', () => {
  const lost = createLostNodes(SUSPECT_FOR_MS)
  assert.deepEqual(lost.update([node(true)], 0).unlocked, [])
  assert.deepEqual(lost.update([node(false)], 250).unlocked, [])
  assert.deepEqual(lost.update([node(false)], 999).unlocked, [])
  assert.deepEqual(lost.update([node(false)], 1_000).unlocked, [node(false)])
})

test('a heartbeat, or a lock that is held again, starts the time anew', () => {
  const lost = createLostNodes(SUSPECT_FOR_MS)
  lost.update([node(false)], 0)
  assert.deepEqual(lost.update([node(false, 500)], 750).unlocked, [])
  lost.update([node(true, 500)], 1_000)
  assert.deepEqual(lost.update([node(false, 500)], 1_500).unlocked, [])
  assert.deepEqual(lost.update([node(false, 500)], 2_250).unlocked, [node(false, 500)])
})

test('a node that is not listed any more is gone, once', () => {
  const lost = createLostNodes(SUSPECT_FOR_MS)
  lost.update([node(true), node(true, 0, 'node_b')], 0)
  assert.deepEqual(lost.update([node(true)], 250).gone, ['node_b'])
  assert.deepEqual(lost.update([node(true)], 500).gone, [])
})
