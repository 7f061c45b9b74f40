import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { findOwnersOf, mayMean, type NamedUser } from './list-actions.ts'

const ZOE: NamedUser = { id: 'usr_1', name: 'Zoë Müller-Łukasz', email: 'zoe.mueller@example.com' }
const user = (id: string, name: string, email = `${id}@example.com`) => ({ id, name, email })

const findFor = (who: NamedUser, owners: string[], others: NamedUser[] = []) =>
  findOwnersOf(who, [who, ...others], owners)

test('a person is found by full name, address and the parts of the address, in usual spellings', () => {
  const spellings = [
    'Zoë Müller-Łukasz',
    'Zoe\u0308 Mu\u0308ller-Łukasz',
    'ZOE MULLER-LUKASZ',
    ' zoe  muller-lukasz ',
    'Müller-Łukasz, Zoë',
    'Zoë Müller-Łukasz (Guest)',
    'zoe.mueller',
    'Zoe Mueller',
    'ZOE.MUELLER@example.com',
  ]
  assert.deepEqual(findFor(ZOE, spellings), spellings)
  assert.ok(spellings.every((owner) => mayMean(ZOE, owner)))
})

test('another person is not found, however similar the name is', () => {
  const others = [
    'Müller-Łukasz',
    'Zoë Müller',
    'Joë Müller-Łukasz',
    'Zoë Anna Müller-Łukasz',
    'Zoë Müller-Łukasz and Ben',
    'zoe.mueller@example.org',
    'zoe@example.com',
    'me',
    'Team',
  ]
  assert.deepEqual(findFor(ZOE, others), [])
})

test('a first name alone counts while no other user and no other owner has it', () => {
  const ada = user('usr_a', 'Ada Lovelace')
  assert.deepEqual(findFor(ada, ['ada', 'Ada Lovelace', 'Ben']), ['ada', 'Ada Lovelace'])
  assert.deepEqual(findFor(ada, ['Ada', 'Ada Kim']), [])
  assert.deepEqual(findFor(ada, ['Ada'], [user('usr_b', 'Ada Kim')]), [])
  assert.deepEqual(findFor(ada, ['Ada'], [user('usr_b', 'Ada')]), [])
  assert.deepEqual(findFor(ada, ['Ada'], [user('usr_b', 'Kim, Ada')]), [])
})

test('the name of an account that is one word is a full name', () => {
  const ada = user('usr_a', 'Ada')
  assert.deepEqual(findFor(ada, ['ADA', 'Ada Kim'], [user('usr_b', 'Ada Kim')]), ['ADA'])
})

test('a name that two users have means neither of them, but the address does', () => {
  const [one, two] = [user('usr_1', 'Jan Novák'), user('usr_2', 'Jan Novak')]
  const owners = ['Jan Novak', 'usr_1@example.com', 'usr_2@example.com']
  assert.deepEqual(findOwnersOf(one, [one, two], owners), ['usr_1@example.com'])
  assert.deepEqual(findOwnersOf(two, [one, two], owners), ['usr_2@example.com'])
})

test('names in other scripts are compared with their vowels', () => {
  const person = user('usr_1', 'किरण राव')
  assert.deepEqual(findFor(person, ['किरण राव', 'करण राव']), ['किरण राव'])
})
