import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { createManualTimers } from '../../../../test/support/time/manual-timers.ts'
import { createGroupMembers } from './group-call.ts'
import { createMembership } from './membership.ts'

test('a bot that waits for its group has one timer, and none after its membership is disposed', () => {
  const timers = createManualTimers()
  const url = 'https://galene.example/group/talk/'
  const membership = createMembership({
    settings: { hosts: [], password: null },
    joinRequest: {
      link: { url, room: 'talk', label: 'talk' },
      displayName: 'Notes',
      language: null,
      account: null,
      elapsedMs: 0,
      wasAdmittedBefore: false,
    },
    timers,
    emit: () => undefined,
    end: () => assert.fail('ended'),
    fail: (_, error) => assert.fail(String(error)),
    server: 'galene.example',
    ownId: 'bot',
    connection: { send: () => undefined, [Symbol.asyncDispose]: () => Promise.resolve() },
    onAdmitted: () => assert.fail('admitted'),
    onTurnServers: () => undefined,
  })
  const readRefusal = () =>
    membership.read({
      type: 'joined',
      kind: 'fail',
      error: '',
      username: '',
      value: 'this group is not open yet',
    })
  readRefusal()
  readRefusal()
  assert.equal(timers.count(), 1)
  membership[Symbol.dispose]()
  readRefusal()
  assert.equal(timers.count(), 0)
})

test('somebody who loads the page again is the same participant; two people with one name are two', () => {
  let now = 0
  const members = createGroupMembers('bot', () => now)
  const apply = (kind: string, id: string, username: string) =>
    members.apply({ type: 'user', kind, id, username })
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
