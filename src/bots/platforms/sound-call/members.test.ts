import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { createCallMembers } from './members.ts'

test('somebody who loads the page again is the same participant; two people with one name are two', () => {
  let now = 0
  const members = createCallMembers(() => now)
  const apply = (kind: string, id: string, username: string) =>
    members.apply(
      { id, name: username, isPresent: kind !== 'delete', isHost: false },
      { isNew: kind === 'add' },
    )
  const people = () => members.takeSnapshots().map((list) => list.map(({ id }) => id))
  apply('add', 'a', 'Ana')
  assert.deepEqual(people(), [['a']])
  apply('delete', 'a', 'Ana')
  now += 5_000
  apply('add', 'b', 'Ana')
  assert.deepEqual(people(), [[], ['a']])
  assert.equal(members.roster.nameOf('b'), 'Ana')
  apply('add', 'c', 'Ana')
  assert.deepEqual(people(), [['a', 'c']])
  apply('delete', 'b', 'Ana')
  now += 61_000
  apply('add', 'd', 'Ana')
  apply('delete', 'd', '(anon)')
  assert.deepEqual(people().at(-1), ['c'])
})
