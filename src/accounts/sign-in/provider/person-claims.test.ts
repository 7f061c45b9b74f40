import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { parsePersonClaims, findRegistrationProblem, findRoleByGroups } from './person-claims.ts'

const NONE = { domains: [], groups: [], adminGroups: [], trustsEmail: false }
const CLAIMS = {
  iss: 'https://id.example.com',
  sub: '42',
  name: 'Ada',
  email: 'Ada@Example.com',
  email_verified: true,
}

function problemOf(claims: object, rules: object): string | null {
  const person = parse(claims)
  return findRegistrationProblem(person, { ...NONE, ...rules })
}

function parse(claims: object) {
  return parsePersonClaims({ ...CLAIMS, ...claims }, { groupsClaim: 'groups', idToken: 'x' })
}

test('a person gets an account when every rule that is set holds, and none without a rule', () => {
  const domains = ['example.com']
  const cases: Array<[claims: object, rules: object, problem: string | null]> = [
    [{}, {}, 'not_allowed'],
    [{}, { domains }, null],
    [{ email: 'ada@evil.com' }, { domains }, 'not_allowed'],
    [{ email: 'ada@sub.example.com' }, { domains }, 'not_allowed'],
    [{ email: 'ada@example.com@evil.com' }, { domains }, 'email_not_verified'],
    [{ email_verified: false }, { domains, trustsEmail: true }, 'email_not_verified'],
    [{ email_verified: undefined }, { domains }, 'email_not_verified'],
    [{ email_verified: undefined }, { domains, trustsEmail: true }, null],
    [{ email_verified: 'true' }, { domains }, null],
    [{ email_verified: 1 }, { domains }, 'email_not_verified'],
    [{ email: undefined }, { groups: ['staff'] }, 'email_not_verified'],
    [{ groups: ['staff', 'x'] }, { groups: ['staff'] }, null],
    [{ groups: 'staff' }, { groups: ['staff'] }, null],
    [{ groups: { staff: true } }, { groups: ['staff'] }, 'not_allowed'],
    [{}, { domains, groups: ['staff'] }, 'not_allowed'],
  ]
  for (const [claims, rules, problem] of cases)
    assert.equal(problemOf(claims, rules), problem, JSON.stringify([claims, rules]))
})

test('groups decide the role only when admin groups are set', () => {
  const adminGroups = ['root']
  assert.equal(findRoleByGroups(parse({ groups: ['root'] }), NONE), null)
  assert.equal(findRoleByGroups(parse({ groups: ['root'] }), { adminGroups }), 'admin')
  assert.equal(findRoleByGroups(parse({ groups: ['Root'] }), { adminGroups }), 'member')
  assert.equal(findRoleByGroups(parse({}), { adminGroups }), 'member')
})

test('names are cleaned, and an answer without a usable subject is rejected', () => {
  assert.equal(parse({ name: ' A\u001B[2Jb ' }).name, 'A[2Jb')
  assert.equal(parse({ name: '\u0000', preferred_username: 'ada' }).name, 'ada')
  assert.equal(parse({ name: 'x'.repeat(300) }).name.length, 100)
  for (const sub of ['', 'a\u0000b', 'x'.repeat(256), 42, undefined])
    assert.throws(() => parse({ sub }), { problem: 'answer_rejected' }, String(sub))
})
