import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import type { RecapSegment } from '../recap.ts'
import { createQuotationChecker } from './quotations.ts'

const segment = (number: number, text: string): RecapSegment => {
  return { number, speaker: 'Ada', text, startMs: number, endMs: number + 1 }
}
const checker = createQuotationChecker([
  segment(1, 'So, Ben will fix the Search page — by Wednesday!'),
  segment(2, 'Good. Agreed.'),
  segment(3, 'Wir müssen die Straße prüfen'),
])
const numbersOf = (cited: RecapSegment[] | null) => cited?.map(({ number }) => number) ?? null

test('a quotation is found without regard to case, punctuation and line breaks', () => {
  assert.deepEqual(numbersOf(checker.findCited([1], 'ben WILL fix\nthe search page, by')), [1])
  assert.deepEqual(numbersOf(checker.findCited([3, 3], 'müssen die straße')), [3])
  assert.deepEqual(numbersOf(checker.findCited([2, 1], 'by Wednesday. Good')), [1, 2])
})

test('a quotation from other segments, of unknown segments or of parts of words is refused', () => {
  assert.equal(checker.findCited([2], 'Ben will fix the search page'), null)
  assert.equal(checker.findCited([1, 9], 'Ben will fix the search page'), null)
  assert.equal(checker.findCited([], 'Ben will fix the search page'), null)
  assert.equal(checker.findCited([1], 'en will fix'), null)
})

test('a quotation of fewer than three words counts only if the segment has no more', () => {
  assert.equal(checker.findCited([1], 'search page'), null)
  assert.equal(checker.findCited([1], '…'), null)
  assert.deepEqual(numbersOf(checker.findCited([2], 'good, agreed')), [2])
})
