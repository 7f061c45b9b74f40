import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { describeStatusChange } from './meeting-notifications.ts'

test('lobby, failure and end of a meeting are worth a notification, other statuses are not', () => {
  const describe = (status: string, previousStatus: string | null) =>
    describeStatusChange('Weekly', { status, previousStatus })
  assert.equal(describe('joining', null), null)
  assert.equal(describe('live', 'lobby'), null)
  assert.equal(describe('leaving', 'live'), null)
  assert.equal(describe('lobby', 'joining')?.heading, 'Waiting in the lobby: Weekly')
  assert.equal(describe('error', 'lobby')?.heading, 'Couldn’t join: Weekly')
  assert.equal(describe('error', 'leaving')?.heading, 'The meeting failed: Weekly')
  assert.deepEqual(
    describeStatusChange('Weekly', {
      status: 'ended',
      previousStatus: 'leaving',
      reason: 'host_ended',
    }),
    { heading: 'The meeting ended: Weekly', body: 'The host ended the meeting.', isLast: true },
  )
})
