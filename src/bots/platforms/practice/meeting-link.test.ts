import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { SCRIPT_NAMES } from './script-reading/script-library.ts'
import { parsePracticeScriptAndSpeed, parsePracticeLink } from './meeting-link.ts'

const GOOD: ReadonlyArray<[given: string, url: string]> = [
  ['practice://standup', 'practice://standup'],
  ['practice://standup/', 'practice://standup'],
  ['practice://STANDUP', 'practice://standup'],
  ['PRACTICE://Standup?SPEED=10', 'practice://standup?speed=10'],
  ['practice://standup?speed=1', 'practice://standup'],
  ['practice://standup?speed=1.000', 'practice://standup'],
  ['practice://standup?speed=0.1', 'practice://standup?speed=0.1'],
  ['practice://standup?speed=02.50', 'practice://standup?speed=2.5'],
  ['practice://standup/?speed=1000', 'practice://standup?speed=1000'],
  [' <practice://lobby-timeout>.\n', 'practice://lobby-timeout'],
]

const BAD: readonly string[] = [
  '',
  'standup',
  'practice:standup',
  'practice:/standup',
  'practice:///standup',
  'practice://',
  'practice://unknown',
  'practice://../x',
  'practice://../standup',
  'practice://standup/../x',
  'practice://standup.json',
  'practice://stand%75p',
  'practice://constructor',
  'practice://__proto__',
  'practice://standup?',
  'practice://standup?speed',
  'practice://standup?speed=',
  'practice://standup?speed=0',
  'practice://standup?speed=0.09',
  'practice://standup?speed=1000.1',
  'practice://standup?speed=1001',
  'practice://standup?speed=99999',
  'practice://standup?speed=-1',
  'practice://standup?speed=1e2',
  'practice://standup?speed=fast',
  'practice://standup?speed=NaN',
  'practice://standup?speed=1&speed=2',
  'practice://standup?pace=2',
  'practice://standup#speed=2',
  'practice://user@standup',
  'practice://standup:80',
  'practice://standup practice://denied',
  'https://practice/standup',
  'https://meet.google.com/abc-defg-hij',
  `practice://standup?speed=${'1'.repeat(10_000)}`,
]

test('every spelling of a practice link gives one canonical link', () => {
  for (const [given, url] of GOOD) {
    const label = `Practice ${parsePracticeScriptAndSpeed(given)?.script}`
    assert.deepEqual(parsePracticeLink(given), { url, room: url, label }, given)
    assert.deepEqual(parsePracticeLink(url), parsePracticeLink(given), given)
  }
})

test('a practice link with an unknown script or an invalid speed is rejected', () => {
  for (const given of BAD) assert.equal(parsePracticeLink(given), null, JSON.stringify(given))
})

test('every practice script has a link and a label', () => {
  for (const name of SCRIPT_NAMES) {
    assert.deepEqual(parsePracticeLink(`practice://${name}?speed=2`), {
      url: `practice://${name}?speed=2`,
      room: `practice://${name}?speed=2`,
      label: `Practice ${name}`,
    })
  }
})
