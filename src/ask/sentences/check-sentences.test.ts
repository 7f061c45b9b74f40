import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { isNotFoundAnswer } from '../model/prompt.ts'
import { createSentenceChecker } from './check-sentences.ts'

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
