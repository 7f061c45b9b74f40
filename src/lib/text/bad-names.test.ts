import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { explainBadName, type NameKind } from './bad-names.ts'

const CASES: ReadonlyArray<[NameKind, string, RegExp]> = [
  ['project', '../evil', /^“\.\.” means another folder, so a project name can’t contain it/],
  ['project', '...', /^“\.\.\.” means another folder/],
  ['project', 'a/b', /^A project name can’t contain “\/”\. Use a hyphen/],
  ['project', ' ', /^Enter a project name$/],
  ['project', '.hidden', /^A project name can’t begin with a dot/],
  ['project', 'what?', /^A project name can’t contain “\?”$/],
  ['project', 'a\u202eb', /^A project name can’t contain the invisible character U\+202E$/],
  ['project', 'x'.repeat(65), /too long\. Use at most 64 characters$/],
  ['project', 'con', /^Use 1 to 64 letters/],
  ['document', '../evil.md', /^“\.\.” means another folder, so a document name can’t contain it/],
  ['document', 'a//b.md', /^A document name can’t begin or end with “\/” or contain “\/\/”$/],
  ['document', 'a/what?.md', /can’t contain “\?”$/],
  ['prompt', '../evil', /^“\.\.” means another folder, so a prompt name can’t contain it/],
  ['prompt', 'my prompt', /^A prompt name can’t contain a space$/],
  ['task', '../evil', /^“\.\.” means another folder, so a task name/],
  ['account', '../evil', /^“\.\.” means another folder, so a bot account name/],
]

test('every kind of bad name gets a sentence that says what is wrong with it', () => {
  for (const [kind, name, expected] of CASES) assert.match(explainBadName(kind, name), expected)
})
