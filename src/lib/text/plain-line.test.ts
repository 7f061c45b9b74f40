import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { cutText, toPlainLine } from './plain-line.ts'

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
