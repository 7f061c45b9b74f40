import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { readScript, type ScriptName } from './library.ts'
import { momentsFrom } from './resume.ts'
import { timelineOf } from './timeline.ts'

const seenFrom = (name: ScriptName, fromMs: number) =>
  momentsFrom(timelineOf(readScript(name)), fromMs).map(({ sighting }) => sighting.seen)

test('the first bot sees a practice meeting from its beginning', () => {
  const moments = timelineOf(readScript('standup'))
  assert.deepEqual(momentsFrom(moments, 0), moments)
})

test('a bot that comes back to a practice meeting sees how things stand, and then the rest', () => {
  const moments = timelineOf(readScript('captions-lost'))
  const lostAt = moments.find(({ sighting }) => sighting.seen === 'captions lost')?.atMs ?? 0
  const seen = momentsFrom(moments, lostAt + 1)
  assert.deepEqual(
    seen.slice(0, 4).map(({ sighting }) => sighting.seen),
    ['admitted', 'people', 'captions lost', 'captions back'],
  )
  assert.deepEqual(seen.slice(3), moments.slice(-(seen.length - 3)))
  assert.ok(seen.slice(0, 3).every(({ atMs }) => atMs === lostAt + 1))
  const later = seenFrom('captions-lost', 37_000)
  assert.deepEqual(later.slice(0, 3), ['admitted', 'people', 'caption'])
})

test('a bot that comes back to the lobby of a practice meeting waits there again', () => {
  assert.deepEqual(seenFrom('lobby-timeout', 3_600_000), ['lobby'])
  assert.deepEqual(seenFrom('denied', 3_000), ['lobby', 'over'])
})

test('a bot that comes back to a practice meeting that is over learns only that', () => {
  const moments = timelineOf(readScript('removed'))
  const [only, ...others] = momentsFrom(moments, 3_600_000)
  assert.deepEqual(only?.sighting, moments.at(-1)?.sighting)
  assert.deepEqual(others, [])
})

test('a bot that comes back late to a practice meeting finds whoever is left', () => {
  const moments = momentsFrom(timelineOf(readScript('everyone-leaves')), 3_600_000)
  assert.deepEqual(
    moments.map(({ sighting }) => sighting),
    [{ seen: 'admitted' }, { seen: 'people', people: [] }],
  )
})
