import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { createPasswords } from './passwords.ts'

test('a password is right for its own hash and for no other', async () => {
  const passwords = createPasswords()
  const [one, two] = await Promise.all([
    passwords.hash('correct horse'),
    passwords.hash('correct horse'),
  ])
  assert.notEqual(one, two)
  assert.equal(await passwords.verify('correct horse', one), true)
  assert.equal(await passwords.verify('correct horse', two), true)
  assert.equal(await passwords.verify('correct horsf', one), false)
})

test('nobody has no password that works, not even the empty one', async () => {
  const passwords = createPasswords()
  for (const guess of ['', 'x', 'correct horse']) {
    assert.equal(await passwords.verify(guess, undefined), false)
  }
})

test('the same passphrase typed on two keyboards is the same', async () => {
  const passwords = createPasswords()
  const hash = await passwords.hash('caf\u00e9 cre\u0300me')
  assert.equal(await passwords.verify('cafe\u0301 cr\u00e8me', hash), true)
})

test('a hash made with other parameters is refused loudly', async () => {
  const passwords = createPasswords()
  const other = '$argon2id$v=19$m=4096,t=3,p=1$c29tZXNhbHRzb21lc2FsdA$aaaa'
  await assert.rejects(passwords.verify('x', other), /unknown parameters/)
})
