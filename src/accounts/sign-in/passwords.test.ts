import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { PASSWORD_HINT } from './password-length.ts'
import { createPasswordHasher, findPasswordProblem } from './passwords.ts'

/** For tests that do not depend on the cost. */
const LOWEST_COST = { memoryKib: 8, passes: 1 }

test('a password verifies only against a hash of the same password', async () => {
  const passwords = createPasswordHasher()
  const [one, two] = await Promise.all([
    passwords.hash('correct horse'),
    passwords.hash('correct horse'),
  ])
  assert.notEqual(one, two)
  assert.equal(await passwords.verify('correct horse', one), true)
  assert.equal(await passwords.verify('correct horse', two), true)
  assert.equal(await passwords.verify('correct horsf', one), false)
})

test('no password verifies for an unknown user, not even the empty one', async () => {
  const passwords = createPasswordHasher(LOWEST_COST)
  for (const guess of ['', 'x', 'correct horse']) {
    assert.equal(await passwords.verify(guess, undefined), false)
  }
})

test('a password verifies in another Unicode normalization form', async () => {
  const passwords = createPasswordHasher(LOWEST_COST)
  const hash = await passwords.hash('caf\u00e9 cre\u0300me')
  assert.equal(await passwords.verify('cafe\u0301 cr\u00e8me', hash), true)
})

test('verifying a hash with unknown parameters throws', async () => {
  const passwords = createPasswordHasher()
  const other = '$argon2id$v=19$m=4096,t=3,p=1$c29tZXNhbHRzb21lc2FsdA$aaaa'
  await assert.rejects(passwords.verify('x', other), /unknown parameters/)
})

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
