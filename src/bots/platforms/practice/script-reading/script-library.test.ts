import { strict as assert } from 'node:assert'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { expectedTranscript, buildTimeline } from '../timeline.ts'
import { readScript, SCRIPT_NAMES, type ScriptName } from './script-library.ts'

const FOLDER = join(import.meta.dirname, '../scripts')

const sightingsOf = (name: ScriptName) => buildTimeline(readScript(name)).map(({ event }) => event)
const captionsOf = (name: ScriptName) =>
  sightingsOf(name).filter((event) => event.kind === 'caption')
const secondsOf = (name: ScriptName) => (buildTimeline(readScript(name)).at(-1)?.atMs ?? 0) / 1_000

test('every practice script file is registered, valid and documented', () => {
  const files = readdirSync(FOLDER).filter((file) => file.endsWith('.json'))
  assert.deepEqual(files, SCRIPT_NAMES.map((name) => `${name}.json`).toSorted())
  const readme = readFileSync(join(FOLDER, 'README.md'), 'utf8')
  for (const name of SCRIPT_NAMES) {
    assert.ok(readScript(name).steps.length > 0, name)
    assert.ok(readme.includes(`\n| \`${name}\` | `), name)
  }
})

test('every practice script ends as its name says', () => {
  const ends: Record<ScriptName, string> = {
    standup: 'host_ended',
    denied: 'denied',
    'lobby-timeout': 'lobby',
    removed: 'removed',
    'host-ends': 'host_ended',
    'captions-lost': 'host_ended',
    'everyone-leaves': 'people',
    long: 'host_ended',
  }
  for (const name of SCRIPT_NAMES) {
    const last = sightingsOf(name).at(-1)
    assert.equal(last?.kind === 'over' ? last.because : last?.kind, ends[name], name)
  }
  assert.deepEqual(sightingsOf('everyone-leaves').at(-1), { kind: 'people', people: [] })
})

test('the practice standup takes about two minutes and contains every kind of caption change', () => {
  assert.ok(secondsOf('standup') > 90 && secondsOf('standup') < 150)
  const captions = captionsOf('standup')
  const texts = captions.map(({ text }) => text).join('\n')
  for (const shown of ['2 plus 2', '2 + 2', 'two minutes', '2 minutes', "it's decided"]) {
    assert.ok(texts.includes(shown), shown)
  }
  assert.ok(captions.some(({ isGone }) => isGone === true))
  const deepest = Math.max(...captions.map((_, i) => depthOf(captions, i)))
  assert.ok(deepest >= 80 && deepest <= 104, `${deepest}`)
  const questions = expectedTranscript(readScript('standup')).filter(({ text }) =>
    text.includes('?'),
  )
  assert.ok(questions.length >= 3)
})

/** How many characters before its end a caption was corrected. A change from an uncorrected draft is ignored. */
function depthOf(captions: Array<{ captionId: string; text: string }>, i: number): number {
  const { captionId = '', text = '' } = captions[i] ?? {}
  const before = captions.slice(0, i).findLast((one) => one.captionId === captionId)?.text ?? ''
  if (!/^\p{Lu}/u.test(before)) return 0
  const same = Array.from(before).findIndex((character, at) => character !== text.charAt(at))
  return same < 0 ? 0 : before.length - same
}

test('the long practice meeting lasts half an hour and has a turn of over 6,000 characters', () => {
  assert.ok(secondsOf('long') > 1_700 && secondsOf('long') < 1_900)
  const speech = captionsOf('long').filter(({ captionId }) => captionId === 'speech')
  assert.ok((speech.at(-1)?.text.length ?? 0) > 6_000)
  assert.ok(speech.every(({ text }, i) => text.startsWith(speech[i - 1]?.text ?? '')))
  assert.ok(expectedTranscript(readScript('long')).length > 300)
})

test('the captions-lost practice script loses its captions and gets them back', () => {
  const seen = sightingsOf('captions-lost').map((event) => event.kind)
  const [lost, back] = [seen.indexOf('captions lost'), seen.indexOf('captions back')]
  assert.ok(seen.indexOf('caption') < lost && lost + 1 === back)
  assert.ok(seen.lastIndexOf('caption') > back)
})
