import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import type { Sighting } from '../../src/platforms/platform.ts'
import { openTestDatabase } from '../support/database.ts'
import { openMeeting, type Stage } from '../support/lone-bot.ts'

const ENDED = { kind: 'over', reason: 'host_ended' }

function says(number: number): Sighting {
  const [captionId, text] = [`c${number}`, `This is sentence number ${number}.`]
  return { seen: 'caption', captionId, speaker: 'Ana', text, version: 1, isFinal: true }
}

test('who talks is there, also when the roster shows nobody but the bot', async () => {
  await using database = await openTestDatabase()
  const meeting = await openMeeting(database)
  const outcome = await meeting.attend(async function* ({ written, pass }: Stage) {
    yield { seen: 'admitted' }
    yield { seen: 'people', people: [{ id: 'me', name: 'Hansard', isSelf: true }] }
    for (const number of [1, 2, 3, 4]) {
      yield says(number)
      await written(1 + number)
      pass(700)
    }
    yield { seen: 'over', because: 'host_ended' }
  })
  assert.deepEqual(outcome, ENDED)
  assert.equal((await meeting.stored()).segmentCount, 4)
})

test('who has the family name of a note-taker is a human', async () => {
  await using database = await openTestDatabase()
  const meeting = await openMeeting(database)
  const outcome = await meeting.attend(async function* ({ written, pass }: Stage) {
    yield { seen: 'admitted' }
    yield { seen: 'people', people: [{ id: 'emma', name: 'Emma Otter' }] }
    await written(2)
    pass(1_300)
    yield { seen: 'captions back' }
    yield { seen: 'over', because: 'host_ended' }
  })
  assert.deepEqual(outcome, ENDED)
})

test('a room that was left before the bot came back is one that everybody left', async () => {
  await using database = await openTestDatabase()
  const meeting = await openMeeting(database)
  const first = await meeting.attend(async function* ({ written }: Stage) {
    yield { seen: 'admitted' }
    yield { seen: 'people', people: [{ id: 'ana', name: 'Ana' }] }
    await written(2)
    yield { seen: 'people', people: [] }
    await written(3)
    yield { seen: 'over', because: 'host_ended' }
  })
  assert.deepEqual(first, ENDED)
  const second = await meeting.attend(async function* ({ written, pass }: Stage) {
    yield { seen: 'admitted' }
    yield { seen: 'people', people: [{ id: 'otter', name: 'Otter.ai' }] }
    await written(4)
    pass(60)
    yield { seen: 'captions back' }
  })
  assert.equal(second.kind === 'over' && second.reason, 'everyone_left')
})
