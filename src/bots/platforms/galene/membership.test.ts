import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { createManualTimers } from '../../../../test/support/time/manual-timers.ts'
import type { UsableTurnServers } from '../sound-call/turn-servers.ts'
import { describeSoundProblem } from './group-call.ts'
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
    send: () => undefined,
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

test('missing sound is explained by what the server offers', () => {
  const nothing = { iceServers: [], targets: [], unlisted: [] }
  const cases: Array<[UsableTurnServers, RegExp]> = [
    [nothing, /offers no TURN server by TCP/],
    [{ ...nothing, unlisted: ['turn.example:443'] }, /Add the host to HANSARD_GALENE_HOSTS/],
    [{ ...nothing, iceServers: [{ urls: ['turn:x'] }] }, /reachable by TCP/],
  ]
  for (const [servers, advice] of cases) assert.match(describeSoundProblem(servers), advice)
})
