import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { hasControlCharacters, escapeControlCharacters } from './control-characters.ts'

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
