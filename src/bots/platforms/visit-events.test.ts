import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import type { PlatformEvent } from './platform.ts'
import { createEventBuffer } from './visit-events.ts'

function caption(n: number): PlatformEvent {
  return { kind: 'caption', captionId: `c${n % 3}`, speaker: 'Ana', text: `text ${n}`, version: n }
}

test('a slow reader gets all events except outdated caption texts', async () => {
  const events = createEventBuffer()
  for (let n = 0; n < 5_000; n += 1) events.push(caption(n))
  events.push({ kind: 'captions back' })
  await events.whenNotEmpty()
  const taken = [...events.drain()]
  assert.ok(taken.length < 300)
  assert.deepEqual(taken.at(-1), { kind: 'captions back' })
  for (const newest of [4_997, 4_998, 4_999]) {
    assert.ok(taken.some((event) => event.kind === 'caption' && event.version === newest))
  }
  assert.deepEqual([...events.drain()], [])
})
