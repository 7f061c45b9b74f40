import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import type { PlatformEvent } from '../../src/bots/platforms/platform.ts'
import { openTestDatabase } from '../support/database/test-database.ts'
import { openTestMeeting, type ScriptControls } from '../support/meetings/single-bot.ts'

const ENDED = { kind: 'over', reason: 'host_ended' }

function caption(number: number): PlatformEvent {
  const [captionId, text] = [`c${number}`, `This is sentence number ${number}.`]
  return { kind: 'caption', captionId, speaker: 'Ana', text, version: 1, isFinal: true }
}

test('the bot stays while people talk, even if the roster lists only the bot', async () => {
  await using database = await openTestDatabase()
  const meeting = await openTestMeeting(database)
  const outcome = await meeting.attend(async function* (controls: ScriptControls) {
    const { waitForStoredEvents, advanceClock } = controls
    yield { kind: 'admitted' }
    yield { kind: 'people', people: [{ id: 'me', name: 'Hansard', isSelf: true }] }
    for (const number of [1, 2, 3, 4]) {
      yield caption(number)
      await waitForStoredEvents(1 + number)
      advanceClock(700)
    }
    yield { kind: 'over', because: 'host_ended' }
  })
  assert.deepEqual(outcome, ENDED)
  assert.equal((await meeting.stored()).segmentCount, 4)
})

test('the bot stays with a participant whose family name is a note-taker product', async () => {
  await using database = await openTestDatabase()
  const meeting = await openTestMeeting(database)
  const outcome = await meeting.attend(async function* (controls: ScriptControls) {
    const { waitForStoredEvents, advanceClock } = controls
    yield { kind: 'admitted' }
    yield { kind: 'people', people: [{ id: 'emma', name: 'Emma Otter' }] }
    await waitForStoredEvents(2)
    advanceClock(1_300)
    yield { kind: 'captions back' }
    yield { kind: 'over', because: 'host_ended' }
  })
  assert.deepEqual(outcome, ENDED)
})

test('a second bot that finds only note-takers leaves with everyone_left if an earlier bot saw humans', async () => {
  await using database = await openTestDatabase()
  const meeting = await openTestMeeting(database)
  const first = await meeting.attend(async function* ({ waitForStoredEvents }: ScriptControls) {
    yield { kind: 'admitted' }
    yield { kind: 'people', people: [{ id: 'ana', name: 'Ana' }] }
    await waitForStoredEvents(2)
    yield { kind: 'people', people: [] }
    await waitForStoredEvents(3)
    yield { kind: 'over', because: 'host_ended' }
  })
  assert.deepEqual(first, ENDED)
  const second = await meeting.attend(async function* (controls: ScriptControls) {
    const { waitForStoredEvents, advanceClock } = controls
    yield { kind: 'admitted' }
    yield { kind: 'people', people: [{ id: 'otter', name: 'Otter.ai' }] }
    await waitForStoredEvents(4)
    advanceClock(60)
    yield { kind: 'captions back' }
  })
  assert.equal(second.kind === 'over' && second.reason, 'everyone_left')
})

test('an empty call that the platform ends has the reason nobody_joined, or everyone_left after participants', async () => {
  await using database = await openTestDatabase()
  const empty = await openTestMeeting(database)
  const detail = 'The platform ended the call'
  const outcome = await empty.attend(async function* ({ waitForStoredEvents }: ScriptControls) {
    yield { kind: 'admitted' }
    await waitForStoredEvents(1)
    yield { kind: 'over', because: 'everyone_left', detail }
  })
  assert.deepEqual(outcome, { kind: 'over', reason: 'nobody_joined', detail })
  const left = await openTestMeeting(database)
  const later = await left.attend(async function* ({ waitForStoredEvents }: ScriptControls) {
    yield { kind: 'admitted' }
    yield { kind: 'people', people: [{ id: 'ana', name: 'Ana' }] }
    await waitForStoredEvents(2)
    yield { kind: 'over', because: 'everyone_left', detail }
  })
  assert.deepEqual(later, { kind: 'over', reason: 'everyone_left', detail })
})
