import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { findSentenceEnds, splitLongText } from './segment-rules.ts'

test('sentenceEnds finds full stops but not those of abbreviations and numbers', () => {
  const text = 'Dr. No paid 3.50 today. "Really?" Yes! 好。再见。'
  const ends = findSentenceEnds(text)
  assert.deepEqual(
    ends.map((end, i) => text.slice(ends[i - 1] ?? 0, end).trim()),
    ['Dr. No paid 3.50 today.', '"Really?"', 'Yes!', '好。', '再见。'],
  )
})

test('splitLongText loses no character of a long text', () => {
  const text = `${'One two three. '.repeat(100)}${'x'.repeat(3_000)}`
  const pieces = splitLongText(text, { sentenceCapChars: 400, wordCapChars: 800 })
  assert.equal(pieces.join(''), text)
  assert.ok(pieces.every((piece) => piece.length <= 800))
})

/** Combining sequences that are longer than the distance in which `findCutBetweenCharacters` looks for a cut. */
const LONG_SEQUENCES = ['\u{1f3fb}', '\u{1d165}', '\u{1f44d}\u{1f3fb}', '\u200d\u{1f469}'].map(
  (unit) => unit.repeat(1_000),
)

test('splitLongText does not cut inside a character', () => {
  for (const marks of LONG_SEQUENCES) {
    const text = `a${marks}`
    const pieces = splitLongText(text, { sentenceCapChars: 400, wordCapChars: 800 })
    assert.equal(pieces.join(''), text)
    assert.ok(pieces.every((piece) => piece.length <= 800 && piece.isWellFormed()))
  }
})
