import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import {
  hasControlCharacters,
  escapeControlCharacters,
  cutText,
  toPlainLine,
} from './plain-text.ts'

test('control characters are detected and escaped, and other characters are unchanged', () => {
  const hostile = 'A\u001B[2J\u001B]0;x\u0007\n\t\u0000\u007F\u009B'
  assert.equal(hasControlCharacters(hostile), true)
  assert.equal(
    escapeControlCharacters(hostile),
    String.raw`A\x1b[2J\x1b]0;x\x07\x0a\x09\x00\x7f\x9b`,
  )
  for (const text of ['', 'Ana Müller-O’Neil', '山田 太郎', 'مريم', '👩‍💻']) {
    assert.equal(hasControlCharacters(text), false)
    assert.equal(escapeControlCharacters(text), text)
  }
})

test('a plain line has single spaces and nothing that cannot be stored', () => {
  assert.equal(
    toPlainLine(' Board\r\n\tmeeting\u00a0\u0000 \u001b[2J\ud83d ', 100),
    'Board meeting [2J',
  )
  for (const text of ['', 'Ana Müller-O’Neil', '山田 太郎', '👩‍💻']) {
    assert.equal(toPlainLine(text, 100), text)
  }
})

test('a text is not cut inside a character of two code units', () => {
  assert.equal(cutText('ab👍', 3), 'ab')
  assert.equal(cutText('ab👍', 4), 'ab👍')
  assert.equal(cutText('ab👍c', 4), 'ab👍')
  assert.equal(toPlainLine('ab 👍', 4), 'ab')
})
