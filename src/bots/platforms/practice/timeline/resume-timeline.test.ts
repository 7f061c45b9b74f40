import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { readScript, type ScriptName } from '../script-reading/script-library.ts'
import { buildLateJoinTimeline } from './resume-timeline.ts'
import { buildTimeline } from './timeline.ts'

const seenFrom = (name: ScriptName, fromMs: number) =>
  buildLateJoinTimeline(buildTimeline(readScript(name)), fromMs).map(({ event }) => event.kind)

test('the first bot gets a practice meeting from its beginning', () => {
  const moments = buildTimeline(readScript('standup'))
  assert.deepEqual(buildLateJoinTimeline(moments, 0), moments)
})

test('a bot that rejoins a practice meeting gets the current situation and the remaining events', () => {
  const moments = buildTimeline(readScript('captions-lost'))
  const lostAt = moments.find(({ event }) => event.kind === 'captions lost')?.atMs ?? 0
  const seen = buildLateJoinTimeline(moments, lostAt + 1)
  assert.deepEqual(
    seen.slice(0, 4).map(({ event }) => event.kind),
    ['admitted', 'people', 'captions lost', 'captions back'],
  )
  assert.deepEqual(seen.slice(3), moments.slice(-(seen.length - 3)))
  assert.ok(seen.slice(0, 3).every(({ atMs }) => atMs === lostAt + 1))
  const later = seenFrom('captions-lost', 37_000)
  assert.deepEqual(later.slice(0, 4), ['admitted', 'people', 'captions back', 'caption'])
  const neverLost = seenFrom('standup', 20_000)
  assert.deepEqual(neverLost.slice(0, 3), ['admitted', 'people', 'captions back'])
})

test('a bot that rejoins a practice meeting during the lobby waits in the lobby again', () => {
  assert.deepEqual(seenFrom('lobby-timeout', 3_600_000), ['lobby'])
  assert.deepEqual(seenFrom('denied', 3_000), ['lobby', 'over'])
})

test('a bot that rejoins an ended practice meeting gets only the end', () => {
  const moments = buildTimeline(readScript('removed'))
  const [only, ...others] = buildLateJoinTimeline(moments, 3_600_000)
  assert.deepEqual(only?.event, moments.at(-1)?.event)
  assert.deepEqual(others, [])
})

test('a bot that rejoins a practice meeting late gets the participants who are still present', () => {
  const moments = buildLateJoinTimeline(buildTimeline(readScript('everyone-leaves')), 3_600_000)
  assert.deepEqual(
    moments.map(({ event }) => event),
    [{ kind: 'admitted' }, { kind: 'people', people: [] }, { kind: 'captions back' }],
  )
})
