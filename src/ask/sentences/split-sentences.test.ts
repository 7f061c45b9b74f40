import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { createSentenceSplitter } from './split-sentences.ts'

function split(...pieces: string[]): string[] {
  const splitter = createSentenceSplitter()
  return [...pieces.flatMap(splitter.add), ...splitter.end()].map((text) => text.trim())
}

const TEXTS: Array<[text: string, sentences: string[]]> = [
  [
    'Ben fixes it [1]. It is late. [2][3] Done',
    ['Ben fixes it [1].', 'It is late. [2][3]', 'Done'],
  ],
  [
    'Ben [1] and Ada [2, 3] agree [4].\nFine [5].',
    ['Ben [1] and Ada [2, 3] agree [4].', 'Fine [5].'],
  ],
  [
    'Dr. Stone pays 3.5 % of it at 10 a.m. on Friday [1].',
    ['Dr. Stone pays 3.5 % of it at 10 a.m. on Friday [1].'],
  ],
  [
    'Der Umzug ist am 3. Mai [1]. Es gibt z.B. Kartons [2].',
    ['Der Umzug ist am 3. Mai [1].', 'Es gibt z.B. Kartons [2].'],
  ],
  ['It costs 20. Ben pays [1].', ['It costs 20.', 'Ben pays [1].']],
  ['1. First [1]\r\n2. Second [2]', ['1. First [1]', '2. Second [2]']],
  [
    'Well... maybe “later.” [1] Really?! Yes [2].',
    ['Well... maybe “later.” [1]', 'Really?!', 'Yes [2].'],
  ],
  [
    '予算は金曜日です。[1]鈴木さんが送ります【2】。',
    ['予算は金曜日です。[1]', '鈴木さんが送ります【2】。'],
  ],
  ['बजट शुक्रवार को है। [1] ठीक है। [2]', ['बजट शुक्रवार को है। [1]', 'ठीक है। [2]']],
  [' \n\n ', []],
]

test('a text is split into sentences with the citations that follow them', () => {
  for (const [text, sentences] of TEXTS) assert.deepEqual(split(text), sentences)
})

test('the sentences are the same in whatever pieces the text arrives', () => {
  for (const [text, sentences] of TEXTS) {
    assert.deepEqual(split(...text.split('')), sentences)
    for (let cut = 1; cut < text.length; cut += 1) {
      assert.deepEqual(split(text.slice(0, cut), text.slice(cut)), sentences)
    }
  }
})

test('a sentence is complete as soon as the next one has begun', () => {
  const splitter = createSentenceSplitter()
  assert.deepEqual(splitter.add('Ben fixes it [1]. '), [])
  assert.deepEqual(splitter.add('Ada helps '), ['Ben fixes it [1].'])
})

test('a text without any end is cut, so that it does not fill the memory', () => {
  const splitter = createSentenceSplitter()
  const sentences = Array.from({ length: 100 }, () => splitter.add('x'.repeat(500))).flat()
  assert.ok(sentences.length >= 10 && sentences.every(({ length }) => length <= 8_000))
  assert.equal(split(`${' '.repeat(2_000_000)}Late [1].`).at(-1), 'Late [1].')
})
