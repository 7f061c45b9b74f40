import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import type { Sighting } from '../platform.ts'
import { createSightings } from './sightings.ts'

function caption(n: number): Sighting {
  return { seen: 'caption', captionId: `c${n % 3}`, speaker: 'Ana', text: `text ${n}`, version: n }
}

test('a reader who is slow gets everything but old texts of captions', async () => {
  const sightings = createSightings()
  for (let n = 0; n < 5_000; n += 1) sightings.push(caption(n))
  sightings.push({ seen: 'captions back' })
  await sightings.news()
  const taken = [...sightings.take()]
  assert.ok(taken.length < 300)
  assert.deepEqual(taken.at(-1), { seen: 'captions back' })
  for (const newest of [4_997, 4_998, 4_999]) {
    assert.ok(taken.some((sighting) => sighting.seen === 'caption' && sighting.version === newest))
  }
  assert.deepEqual([...sightings.take()], [])
})
