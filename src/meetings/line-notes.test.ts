import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { ServiceError } from '../errors.ts'
import { cleanCommentText } from './line-notes.ts'

test('the text of a comment keeps its line breaks and loses what cannot be seen', () => {
  const cases: Array<[raw: string, text: string]> = [
    ['Ask Ben  about this', 'Ask Ben about this'],
    ['one\r\ntwo\rthree\u2028four', 'one\ntwo\nthree\nfour'],
    ['a\n\n\n\n\nb', 'a\n\nb'],
    ['  \n budget\u202Efdp.exe \u0000\u200b\n\n', 'budgetfdp.exe'],
    ['lone \uD800 surrogate', 'lone surrogate'],
    ['<script>alert(1)</script> **bold**', '<script>alert(1)</script> **bold**'],
  ]
  for (const [raw, text] of cases) assert.equal(cleanCommentText(raw), text)
})

test('a comment without visible text is refused', () => {
  for (const raw of ['\u200b', '\u202e\u0000\n', '\n\n']) {
    assert.throws(
      () => cleanCommentText(raw),
      (error) => error instanceof ServiceError && error.code === 'invalid_request',
    )
  }
})
