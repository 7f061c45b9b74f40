import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import {
  assert as assertProperty,
  array,
  boolean,
  constantFrom,
  integer,
  option,
  property,
  record,
  string,
} from 'fast-check'
import { createSegmenter } from './segmenter.ts'
import type { SegmenterOutput } from './turns/segments.ts'
import { scaleRuns } from '../../../test/support/test-size.ts'

const KIB = 1024

/** Returns how many characters are compared per update of a turn that already has `length` characters. */
function charactersPerUpdate(length: number): number {
  let compared = 0
  const segmenter = createSegmenter({
    selfNames: [],
    countCharacters: (characters) => (compared += characters),
  })
  let text = ''
  let at = 0
  const grow = (): void => {
    text += text.length % 70 < 6 ? 'ended. ' : 'words '
    segmenter.addCaption({ captionId: 'r', speaker: 'Ann', text: text.trim() }, (at += 330))
  }
  while (text.length < length) grow()
  compared = 0
  for (let i = 0; i < 200; i += 1) grow()
  return compared / 200
}

test('an update of a long turn compares no more characters than one of a short turn', () => {
  const short = charactersPerUpdate(600)
  assert.ok(charactersPerUpdate(60_000) <= 1.2 * short)
  assert.ok(short < 3_000, `${short} characters`)
})

test('a caption that makes nothing final looks at the pending text once to find when it is due', () => {
  let compared = 0
  const segmenter = createSegmenter({
    selfNames: [],
    countCharacters: (characters) => (compared += characters),
  })
  const text = 'We talk on and on about the plan.'
  segmenter.addCaption({ captionId: 'r', speaker: 'Ann', text }, 0)
  compared = 0
  segmenter.addCaption({ captionId: 'r', speaker: 'Ann', text }, 100)
  segmenter.nextTickAt()
  // In addition to the text itself, a fixed number of characters is compared to find the turn of the row.
  assert.ok(compared <= 64 + text.length, `${compared} characters`)
})

test('a rewrite of a long turn compares only characters near its end', () => {
  let compared = 0
  const segmenter = createSegmenter({
    selfNames: [],
    countCharacters: (characters) => (compared += characters),
  })
  const text = 'We talk on and on. '.repeat(3_000)
  segmenter.addCaption({ captionId: 'r', speaker: 'Ann', text }, 0)
  segmenter.tick(5_000)
  compared = 0
  segmenter.addCaption(
    { captionId: 'r', speaker: 'Ann', text: `${text.trim().slice(0, -3)}, or so.` },
    6_000,
  )
  assert.ok(compared < 5_000, `${compared} characters`)
})

test('huge, empty and unprintable captions produce only valid segments within the limits', () => {
  const strange = [
    '',
    ' \t\n ',
    '\u0000\u0007',
    '\u202e\u2066abc\u2069',
    'a'.repeat(64 * KIB),
    '\u200b'.repeat(64 * KIB),
    '👩\u200d👩\u200d👧 '.repeat(6_000),
    '漢字'.repeat(32 * KIB),
    '.'.repeat(64 * KIB),
    '\ud800',
  ]
  const segmenter = createSegmenter({ selfNames: ['', '\u202e'] })
  const outputs: SegmenterOutput[] = []
  for (const [i, text] of strange.entries()) {
    for (const [j, speaker] of strange.entries()) {
      outputs.push(segmenter.addCaption({ captionId: `${text}${j}`, speaker, text }, i * 100 + j))
    }
  }
  outputs.push(segmenter.flush(5_000))
  for (const { text, speaker } of outputs.flatMap(({ segments, partials }) => [
    ...segments,
    ...partials,
  ])) {
    assert.ok(Buffer.byteLength(text) <= 16 * KIB && text !== '' && text.isWellFormed())
    assert.ok(speaker.length <= 200 && speaker !== '')
    assert.doesNotMatch(
      `${text}${speaker}`,
      /[\p{Cc}\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069]/u,
    )
  }
})

test('a long text without spaces is cut without losing characters', () => {
  for (const letter of ['a', '漢', '𝒳', 'é']) {
    const segmenter = createSegmenter({ selfNames: [] })
    const all: string[] = []
    const record = ({ segments }: SegmenterOutput): void =>
      void all.push(...segments.map(({ text }) => text))
    for (const length of [3_000, 3_010, 3_500]) {
      record(
        segmenter.addCaption({ captionId: 'r', speaker: 'A', text: letter.repeat(length) }, length),
      )
    }
    record(segmenter.flush(9_000))
    assert.equal(all.join('').normalize(), letter.repeat(3_500).normalize())
  }
})

test('a clock that is set back does not delay segments', () => {
  const segmenter = createSegmenter({ selfNames: [] })
  segmenter.addCaption({ captionId: 'r', speaker: 'Ann', text: 'Good morning' }, 3_600_000)
  segmenter.addCaption({ captionId: 'r', speaker: 'Ann', text: 'Good morning all.' }, 1_000)
  assert.equal(segmenter.nextTickAt(), 4_000)
  assert.equal(segmenter.tick(4_000).segments[0]?.text, 'Good morning all.')
})

test('captions after a flush are handled like all others', () => {
  const segmenter = createSegmenter({ selfNames: [] })
  segmenter.flush(0)
  segmenter.addCaption({ captionId: 'r', speaker: 'Ann', text: 'One' }, 10)
  segmenter.flush(20)
  segmenter.addCaption({ captionId: 'r', speaker: 'Ann', text: 'One two' }, 30)
  assert.deepEqual(
    segmenter.flush(40).segments.map(({ text }) => text),
    ['two'],
  )
})

test('after any sequence of captions the segmenter runs out of due times', () => {
  const caption = record({
    captionId: constantFrom('a', 'b', 'c'),
    speaker: constantFrom('Ann', 'Bob', '', 'You'),
    text: array(constantFrom('yes', 'no.', 'so', 'well,', '?', 'mic_off', '漢'), { maxLength: 30 }),
    noise: string({ unit: 'binary', maxLength: 4 }),
    version: option(integer({ min: 0, max: 5 }), { nil: undefined }),
    isFinal: boolean(),
    isGone: boolean(),
    at: integer({ min: -1_000, max: 20_000 }),
  })
  const check = property(array(caption, { maxLength: 40 }), (captions) => {
    const segmenter = createSegmenter({ selfNames: [] })
    for (const { text, noise, version, at, ...rest } of captions) {
      const whole = { ...rest, text: `${text.join(' ')} ${noise}` }
      segmenter.addCaption(version === undefined ? whole : { ...whole, version }, at)
    }
    for (let left = 100; segmenter.nextTickAt() !== null; left -= 1) {
      assert.ok(left > 0, 'the segmenter never runs out of due times')
      segmenter.tick(segmenter.nextTickAt() ?? 0)
    }
    assert.deepEqual(segmenter.flush(30_000).segments, [])
  })
  assertProperty(check, { seed: 7, numRuns: scaleRuns(600) })
})
