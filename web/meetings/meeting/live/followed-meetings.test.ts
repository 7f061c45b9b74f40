import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { parseFollowedMeetings } from './followed-meetings.ts'

test('stored notifications of another form count as none', () => {
  assert.deepEqual(parseFollowedMeetings('{"meeting_1":"Weekly"}'), { meeting_1: 'Weekly' })
  assert.deepEqual(parseFollowedMeetings('{"meeting_1":"Weekly","meeting_2":7}'), {
    meeting_1: 'Weekly',
  })
  for (const stored of [null, '', 'null', '7', '{']) {
    assert.deepEqual(parseFollowedMeetings(stored), {})
  }
})
