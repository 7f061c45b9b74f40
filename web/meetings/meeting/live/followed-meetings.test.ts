import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { parseFollowedMeetings } from './followed-meetings.ts'

test('stored notifications of another form count as none', () => {
  assert.deepEqual(parseFollowedMeetings('["meeting_1"]'), ['meeting_1'])
  assert.deepEqual(parseFollowedMeetings('["meeting_1",7]'), ['meeting_1'])
  for (const stored of [null, '', 'null', '7', '{', '{"meeting_1":"Weekly"}']) {
    assert.deepEqual(parseFollowedMeetings(stored), [])
  }
})
