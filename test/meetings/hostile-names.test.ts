import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import type { Person, Sighting } from '../../src/platforms/platform.ts'
import { openTestDatabase } from '../support/database.ts'
import { openMeeting } from '../support/lone-bot.ts'

/** Cut anywhere, most of them would leave half of a character behind. */
const NAMES = ['', 'a', 'ab', 'abc'].map((lead) => `${lead}${'\u{1f3fb}'.repeat(110)}`)

test('names of nothing but marks end no meeting', async () => {
  await using database = await openTestDatabase()
  const meeting = await openMeeting(database)
  const people = NAMES.map((name, i): Person => ({ id: String(i), name }))
  const captions = NAMES.map((speaker, i): Sighting => {
    const [captionId, text] = [`c${i}`, `We have decided to take option ${i}.`]
    return { seen: 'caption', captionId, speaker, text, version: 1, isFinal: true }
  })
  const outcome = await meeting.attend(async function* ({ written }) {
    yield { seen: 'admitted' }
    yield { seen: 'people', people }
    yield* captions
    await written(1 + 2 * NAMES.length)
    yield { seen: 'over', because: 'host_ended' }
  })
  assert.deepEqual(outcome, { kind: 'over', reason: 'host_ended' })
  assert.equal((await meeting.stored()).segmentCount, NAMES.length)
})
