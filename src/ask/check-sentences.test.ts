import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { isNotFoundAnswer } from './answer-prompt.ts'
import { createSentenceChecker, createSentenceSplitter } from './check-sentences.ts'

function check(text: string) {
  const sent: string[] = []
  const checker = createSentenceChecker({
    lineNumbers: new Set([1, 2, 3, 12]),
    isNotFound: isNotFoundAnswer,
    onSentence: (sentence) => void sent.push(sentence.text),
  })
  for (const piece of text) checker.add(piece)
  checker.end()
  assert.deepEqual(
    sent,
    checker.sentences.map((sentence) => sentence.text),
  )
  return {
    sentences: checker.sentences.map(({ text: words, citationNumbers }) => [
      words,
      citationNumbers,
    ]),
    dropped: checker.droppedCount(),
  }
}

test('only sentences that cite a given line are kept, and the others are counted', () => {
  assert.deepEqual(check('Ben fixes it [1][2]. He is happy. Ada pays [99]. It is done. [12]'), {
    sentences: [
      ['Ben fixes it.', [1, 2]],
      ['It is done.', [12]],
    ],
    dropped: 2,
  })
})

test('citations in lists, ranges and other brackets count, each once; unknown numbers are left out', () => {
  assert.deepEqual(
    check('A is so [1, 3].\nB is so [1-3].\nC is so 【2】.\nD is so [2][2][77].\nE is so [3-1].')
      .sentences,
    [
      ['A is so.', [1, 3]],
      ['B is so.', [1, 2, 3]],
      ['C is so.', [2]],
      ['D is so.', [2]],
    ],
  )
})

test('what is no citation proves nothing', () => {
  const tricks = ['So it is [one].', 'So it is (1).', 'So it is [1a].', 'So it is [-1].', 'See [].']
  for (const text of [...tricks, 'So it is [999999999999999999].', 'So it is [1', '[1]', '[1].']) {
    assert.deepEqual(check(text).sentences, [], text)
  }
})

test('list signs and bold marks are no part of a sentence', () => {
  const text = '- **Ben** fixes it [1].\n2. Ada pays [2].'
  assert.deepEqual(check(text), {
    sentences: [
      ['Ben fixes it.', [1]],
      ['Ada pays.', [2]],
    ],
    dropped: 0,
  })
})

test('an answer that says that nothing was found has no sentences, and nothing is counted', () => {
  for (const text of ['NOT FOUND', 'Not found.', '**NOT_FOUND**', '"NOT FOUND" [1]']) {
    assert.deepEqual(check(text), { sentences: [], dropped: 0 })
  }
})

test('control and invisible characters do not get into the text', () => {
  assert.deepEqual(check('Ben\u0007 \u202efixes\u0000 it\t[1].').sentences, [
    ['Ben fixes it.', [1]],
  ])
})

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
