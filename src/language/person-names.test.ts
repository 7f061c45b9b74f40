import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import {
  cleanParticipantName,
  createOwnBotNameCheck,
  preferSeenNameUnlessShorter,
} from './person-names.ts'

/** Combining sequences that are longer than the distance in which `findCutBetweenCharacters` looks for a cut. */
const LONG_SEQUENCES = ['\u{1f3fb}', '\u{1d165}', '\u{1f44d}\u{1f3fb}', '\u200d\u{1f469}'].map(
  (unit) => unit.repeat(1_000),
)

test('cleanName removes control characters, platform suffixes and placeholder names', () => {
  const cases: Array<[given: string, expected: string]> = [
    ['  Ann \u202e\n Lee ', 'Ann Lee'],
    ['Ann (Guest) (Unverified)', 'Ann'],
    ['Bob (External)', 'Bob'],
    ['Bob (Unfamiliar)', 'Bob'],
    ['Bob (External, Unfamiliar)', 'Bob'],
    ['Bob (External unfamiliar) (Guest)', 'Bob'],
    ['Bob (Familiar)', 'Bob (Familiar)'],
    ['spaces/abc/devices/12', ''],
    ['Google Participant (spaces/x)', ''],
    ['Unknown user', ''],
    ['x'.repeat(64_000), 'x'.repeat(200)],
    [`${'x'.repeat(199)}👍`, 'x'.repeat(199)],
  ]
  for (const [given, expected] of cases) assert.equal(cleanParticipantName(given), expected)
})

test('a long name is not cut inside a character, even with many combining marks', () => {
  for (const marks of LONG_SEQUENCES) {
    for (const lead of ['', 'a', 'ab', 'abc']) {
      const name = cleanParticipantName(`${lead}${marks}`)
      assert.ok(name.isWellFormed(), JSON.stringify(name.slice(-2)))
      assert.ok(name.length > 150 && name.length <= 200, String(name.length))
    }
  }
})

test('preferSeenNameUnlessShorter replaces a name only by a fuller one', () => {
  assert.equal(preferSeenNameUnlessShorter('', 'Ann'), 'Ann')
  assert.equal(preferSeenNameUnlessShorter('Ann', ''), 'Ann')
  assert.equal(preferSeenNameUnlessShorter('Ann', 'Ann Lee'), 'Ann Lee')
  assert.equal(preferSeenNameUnlessShorter('Ann Lee', 'Ann'), 'Ann Lee')
})

test('createSelfCheck recognises the bot under each of its names', () => {
  const isSelf = createOwnBotNameCheck(['Hansard (Guest)', ''])
  for (const name of ['You', 'hansard', 'Zoe (You)']) assert.equal(isSelf(name), true)
  for (const name of ['', 'Young', 'Hans']) assert.equal(isSelf(name), false)
})
