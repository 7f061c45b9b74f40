import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { PASSWORD_HINT } from './password-length.ts'
import { findPasswordProblem } from './password-rules.ts'

test('the hint beside a password field states the rule that the service enforces', async () => {
  const problem = await findPasswordProblem('seven77')
  assert.equal(problem, 'must have at least 8 characters')
  assert.equal(await findPasswordProblem('pear fig'), null)
  assert.ok(PASSWORD_HINT.toLowerCase().startsWith(`${problem}.`), PASSWORD_HINT)
})

test('the length of a password counts characters, not UTF-16 code units', async () => {
  assert.equal(await findPasswordProblem('😀😀😀😀'), 'must have at least 8 characters')
  assert.equal(await findPasswordProblem('😀😁😂😃😄😅😆😇'), null)
})
