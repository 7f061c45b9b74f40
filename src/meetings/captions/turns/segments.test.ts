import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { isPageNotice, removeIconNames } from './segments.ts'

test('isPageNotice matches page notices but not sentences with similar words', () => {
  for (const text of [
    'Maria has joined',
    'Jump to bottom',
    'Your microphone is off',
    'Bo left the call',
  ]) {
    assert.equal(isPageNotice(text), true, text)
  }
  for (const text of ['Maria has joined.', 'Maria has joined us today', 'My microphone is off.']) {
    assert.equal(isPageNotice(text), false, text)
  }
  assert.equal(removeIconNames('keep_outline I use snake_case more_vert'), 'I use snake_case')
})
