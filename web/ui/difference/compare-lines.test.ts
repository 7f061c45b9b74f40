import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { compareLines, skipEqualLines, type ComparedLine } from './compare-lines.ts'

const SIGNS = { same: ' ', removed: '-', added: '+' } as const
const show = (lines: ComparedLine[]) => lines.map(({ kind, text }) => SIGNS[kind] + text)
const side = (lines: ComparedLine[], other: 'removed' | 'added') =>
  lines
    .filter(({ kind }) => kind !== other)
    .map(({ text }) => text)
    .join('\n')

test('changed, removed and added lines are found between equal ones', () => {
  assert.deepEqual(show(compareLines('a\nb\nc\nd', 'a\nx\nc\nd\ne')), [
    ' a',
    '-b',
    '+x',
    ' c',
    ' d',
    '+e',
  ])
  assert.deepEqual(show(compareLines('a\r\nb', 'a\nb')), [' a', ' b'])
  assert.deepEqual(show(compareLines('', 'a')), ['-', '+a'])
  assert.deepEqual(show(compareLines('a\na\na', 'a\na')), [' a', ' a', '-a'])
})

/** A fixed sequence of numbers that looks random. */
function createNumbers(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * below)
  }
}

/** The length of the longest common subsequence, computed with the usual table. */
function countCommonLines(old: string[], current: string[]): number {
  let row = Array.from({ length: current.length + 1 }, () => 0)
  for (const line of old) {
    const next = [0]
    for (const [i, other] of current.entries())
      next.push(line === other ? (row[i] ?? 0) + 1 : Math.max(row[i + 1] ?? 0, next[i] ?? 0))
    row = next
  }
  return row.at(-1) ?? 0
}

test('both texts can be read from the comparison, which has as many equal lines as possible', () => {
  const below = createNumbers(22)
  for (let round = 0; round < 400; round += 1) {
    const text = () => Array.from({ length: 1 + below(14) }, () => 'abcd'[below(4)] ?? 'a')
    const [old, current] = [text(), text()]
    const lines = compareLines(old.join('\n'), current.join('\n'))
    assert.equal(side(lines, 'added'), old.join('\n'))
    assert.equal(side(lines, 'removed'), current.join('\n'))
    const same = lines.filter(({ kind }) => kind === 'same').length
    assert.equal(same, countCommonLines(old, current), `${old.join('')} ${current.join('')}`)
  }
})

test('texts that differ too much or are too long are shown one after the other', () => {
  for (const count of [1_500, 30_000]) {
    const old = Array.from({ length: count }, (_, i) => `old ${i}`)
    const current = Array.from({ length: count }, (_, i) => `new ${i}`)
    const lines = compareLines(['a', ...old].join('\n'), ['a', ...current].join('\n'))
    assert.equal(lines.length, 2 * count + 1)
    assert.deepEqual(
      [lines[0]?.kind, lines[1]?.kind, lines[count]?.kind, lines[count + 1]?.kind],
      ['same', 'removed', 'removed', 'added'],
    )
  }
})

test('equal lines that are far from a difference are skipped', () => {
  const numbers = Array.from({ length: 40 }, (_, i) => String(i))
  const changed = numbers.with(20, 'x')
  const shown = skipEqualLines(compareLines(numbers.join('\n'), changed.join('\n')))
  assert.deepEqual(
    shown.map((line) => (line.kind === 'skipped' ? line.count : line.text)),
    [17, '17', '18', '19', '20', 'x', '21', '22', '23', 16],
  )
})
