import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import type { RecapSegment } from '../recap.ts'
import { createQuotationChecker, isAnyWordSaid } from './quotations.ts'

const segment = (number: number, text: string): RecapSegment => {
  return { number, speaker: 'Ada', text, startMs: number, endMs: number + 1 }
}
const checker = createQuotationChecker([
  segment(1, 'So, Ben will fix the Search page — by Wednesday!'),
  segment(2, 'Good. Agreed.'),
  segment(3, 'Wir müssen die Straße prüfen'),
  segment(4, '営業部は来週までに新製品の資料を準備します。'),
  segment(5, 'ใช่ เราจะส่งรายงานวันศุกร์'),
  segment(6, 'そうです'),
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

test('any part of a text in a script without spaces can be quoted, with at least six characters', () => {
  assert.deepEqual(numbersOf(checker.findCited([4], '来週までに新製品の資料')), [4])
  assert.deepEqual(numbersOf(checker.findCited([5], 'ส่งรายงานวันศุกร์')), [5])
  assert.deepEqual(numbersOf(checker.findCited([6], 'そうです')), [6])
  assert.equal(checker.findCited([4], '新製品の資'), null)
  assert.equal(checker.findCited([4], '来月までに新製品の資料'), null)
  const cited = checker.findCited([4], '営業部は来週までに') ?? []
  assert.deepEqual(
    ['来週まで', '来週までに', '来月'].map((words) => checker.isSaidIn(cited, words)),
    [true, true, false],
  )
})

test('a title is proven by one word that was said, in any form and script', () => {
  const said = [segment(1, 'Die Rechnungen sind da.'), segment(2, '新製品の価格について')]
  for (const title of ['Rechnung und Bank', 'DIE', '製品価格']) {
    assert.equal(isAnyWordSaid(title, said), true, title)
  }
  for (const title of ['Verkauf', 'Die Bank', 'au', '会社売却', '', '…']) {
    assert.equal(isAnyWordSaid(title, said), false, title)
  }
})
