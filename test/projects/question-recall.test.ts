import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { measureRecall } from '../../bench/measures/question-recall.ts'
import { readOwnMeetings, storeMeeting } from '../../bench/support/spoken-meetings.ts'
import { openTestDatabase } from '../support/database/test-database.ts'

test('most questions of the labelled meetings find their evidence among the first five passages', async () => {
  await using own = await openTestDatabase()
  const meetings = readOwnMeetings()
  for (const meeting of meetings) await storeMeeting(own.db, meeting)
  const { passageHitAt5, questions } = await measureRecall(own.db, meetings)
  assert.ok(questions >= 120)
  assert.ok(passageHitAt5 >= 0.9, `${passageHitAt5}`)
})
