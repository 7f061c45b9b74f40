import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { describeStatusChange } from './meeting-notifications.ts'

test('lobby, failure and end of a meeting are worth a notification, other statuses are not', () => {
  const describe = (status: string, previousStatus: string | null) =>
    describeStatusChange({ status, previousStatus })
  assert.equal(describe('joining', null), null)
  assert.equal(describe('live', 'lobby'), null)
  assert.equal(describe('leaving', 'live'), null)
  assert.equal(describe('lobby', 'joining')?.what, 'Waiting in the lobby')
  assert.equal(describe('error', 'lobby')?.what, 'Couldn’t join')
  assert.equal(describe('error', 'leaving')?.what, 'The meeting failed')
  assert.deepEqual(
    describeStatusChange({
      status: 'ended',
      previousStatus: 'leaving',
      reason: 'host_ended',
    }),
    { what: 'The meeting ended', body: 'The host ended the meeting.', isLast: true },
  )
})
