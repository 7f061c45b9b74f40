import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { markDirectionControls } from './format-text.ts'

test('characters that change the text direction are shown and have no effect', () => {
  assert.equal(markDirectionControls('plan\u202efdp.exe'), 'plan\ufffdfdp.exe')
  assert.equal(markDirectionControls('\u2066a\u2069\u202ab\u202c'), '\ufffda\ufffd\ufffdb\ufffd')
})

test('names in any script stay as they are', () => {
  for (const name of ['plan.md', 'תוכנית\u200f (2).md', 'خطة.pdf', 'ünï 👩‍💻.md'])
    assert.equal(markDirectionControls(name), name)
})
