import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import type { Participant, PlatformEvent } from '../../src/bots/platforms/platform.ts'
import { openTestDatabase } from '../support/database/test-database.ts'
import { openTestMeeting } from '../support/meetings/single-bot.ts'

/** If these names were cut at a fixed length, that would split a surrogate pair, which PostgreSQL cannot store. */
const NAMES = ['', 'a', 'ab', 'abc'].map((lead) => `${lead}${'\u{1f3fb}'.repeat(110)}`)

test('a meeting survives names that consist only of combining marks', async () => {
  await using database = await openTestDatabase()
  const meeting = await openTestMeeting(database)
  const people = NAMES.map((name, i): Participant => ({ id: String(i), name }))
  const captions = NAMES.map((speaker, i): PlatformEvent => {
    const [captionId, text] = [`c${i}`, `We have decided to take option ${i}.`]
    return { kind: 'caption', captionId, speaker, text, version: 1, isFinal: true }
  })
  const outcome = await meeting.attend(async function* ({ waitForStoredEvents }) {
    yield { kind: 'admitted' }
    yield { kind: 'people', people }
    yield* captions
    await waitForStoredEvents(1 + 2 * NAMES.length)
    yield { kind: 'over', because: 'host_ended' }
  })
  assert.deepEqual(outcome, { kind: 'over', reason: 'host_ended' })
  assert.equal((await meeting.stored()).segmentCount, NAMES.length)
})
