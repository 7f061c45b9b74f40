import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { readScript, type ScriptName } from './script-reading/script-library.ts'
import { parseScript } from './script-reading/script.ts'
import { expectedTranscript, buildTimeline, buildLateJoinTimeline } from './timeline.ts'

const PEOPLE = [
  { id: 'ana', name: 'Ana Lima' },
  { id: 'ben', name: 'Ben' },
]
const INSIDE = [
  { at: 1, do: 'admitted' },
  { at: 1, do: 'join', who: ['ana', 'ben'] },
]
const scriptOf = (steps: unknown[]) =>
  parseScript({ about: 'A test.', people: PEOPLE, steps: [...INSIDE, ...steps] })
const captionsOf = (steps: unknown[]) =>
  buildTimeline(scriptOf(steps)).flatMap(({ atMs, event }) =>
    event.kind === 'caption' ? [{ atMs, ...event }] : [],
  )
const say = { do: 'say', captionId: 'c1', speaker: 'ana' }

test('a scripted turn grows word by word through its drafts', () => {
  const shown = captionsOf([{ ...say, at: 4, via: ['so two plus two'], text: 'So 2 + 2 is 4.' }])
  assert.deepEqual(
    shown.map(({ atMs, text }) => [atMs, text]),
    [
      [4_000, 'so'],
      [4_330, 'so two'],
      [4_660, 'so two plus'],
      [4_990, 'so two plus two'],
      [5_320, 'So 2 + 2 is'],
      [5_650, 'So 2 + 2 is 4.'],
    ],
  )
  assert.ok(shown.every(({ captionId, speaker }) => captionId === 'c1' && speaker === 'Ana Lima'))
})

test('a scripted draft may be longer than what replaces it', () => {
  const shown = captionsOf([{ ...say, at: 2, via: ['a b c', 'a'], text: 'A!' }])
  assert.deepEqual(
    shown.map(({ text }) => text),
    ['a', 'a b', 'a b c', 'a', 'A!'],
  )
})

test('a scripted turn with versions numbers them and marks the last as final', () => {
  const shown = captionsOf([{ ...say, at: 2, text: 'one two three', isVersioned: true }])
  assert.deepEqual(
    shown.map(({ version, isFinal }) => [version, isFinal]),
    [
      [1, undefined],
      [2, undefined],
      [3, true],
    ],
  )
})

test('scripted turns overlap in the order of time', () => {
  const shown = captionsOf([
    { ...say, at: 2, text: 'one two three' },
    { ...say, at: 2.4, captionId: 'c2', speaker: 'ben', text: 'yes no' },
  ])
  assert.deepEqual(
    shown.map(({ text }) => text),
    ['one', 'one two', 'yes', 'one two three', 'yes no'],
  )
})

test('a scripted repetition fills in its placeholders for each round', () => {
  const steps = [{ ...say, at: 0.5, captionId: 'c{n}', speaker: '{who}', text: '{what}{n}' }]
  const words = { who: ['ana', 'ben'], what: ['x', 'y', 'z'] }
  const shown = captionsOf([{ at: 3, do: 'repeat', times: 3, first: 2, every: 10, words, steps }])
  assert.deepEqual(
    shown.map(({ atMs, captionId, speaker, text }) => [atMs, captionId, speaker, text]),
    [
      [3_500, 'c2', 'Ben', 'y2'],
      [13_500, 'c3', 'Ana Lima', 'z3'],
      [23_500, 'c4', 'Ben', 'x4'],
    ],
  )
})

test('a scripted meeting emits its participants whenever one joins or leaves', () => {
  const script = scriptOf([
    { at: 2, do: 'leave', who: ['ana'] },
    { at: 3, do: 'join', who: ['ana'] },
    { at: 4, do: 'leave', who: ['ana', 'ben'] },
  ])
  const seen = buildTimeline(script).flatMap(({ event }) =>
    event.kind === 'people' ? [event.people.map(({ id }) => id)] : [],
  )
  assert.deepEqual(seen, [['ana', 'ben'], ['ben'], ['ben', 'ana'], []])
})

test('the expected transcript has the last text of each caption once, in order of the first words', () => {
  const row = { do: 'caption', captionId: 'c2', speaker: 'ben' }
  const script = scriptOf([
    { ...say, at: 2, via: ['hello'], text: 'Hello there, Ben. How are you?' },
    { ...row, at: 2.1, text: 'hi' },
    { ...row, at: 2.5, captionId: 'twin', speaker: 'ana', text: 'Hello there,', twinOf: 'c1' },
    { ...row, at: 2.6, text: 'Hi.' },
    { ...row, at: 4, text: '', isGone: true },
  ])
  assert.deepEqual(expectedTranscript(script), [
    { speaker: 'Ana Lima', text: 'Hello there, Ben. How are you?' },
    { speaker: 'Ben', text: 'Hi.' },
  ])
})

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
