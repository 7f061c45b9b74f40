import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import type { Caption, PlatformEvent } from '../../src/bots/platforms/platform.ts'
import { formatMarkdownEntries } from '../../src/meetings/transcript/markdown-format.ts'
import { readTranscript } from '../../src/meetings/transcript/read-transcript.ts'
import { openTestMeeting } from '../support/meetings/single-bot.ts'
import { openTestDatabase } from '../support/database/test-database.ts'

const caption = (text: string, changes: Partial<Caption> = {}): PlatformEvent => ({
  kind: 'caption',
  captionId: 'row',
  speaker: 'Ana',
  text,
  ...changes,
})
let utterances = 0
const speech = (text: string, changes: Partial<Caption> = {}): PlatformEvent => ({
  kind: 'caption',
  captionId: `speech-${++utterances}`,
  speaker: 'Ana',
  text,
  isFinal: true,
  isNewSpeech: true,
  isFromSpeech: true,
  late: { startedMs: 3_000, changedMs: 1_000 },
  ...changes,
})

test('speech replaces captions without a word twice, and each segment and event says its source', async () => {
  await using database = await openTestDatabase()
  const { db } = database
  const meeting = await openTestMeeting(database)
  await meeting.attend(async function* (controls) {
    yield { kind: 'admitted' }
    yield caption('We begin with the budget')
    controls.advanceClock(1)
    // Speech takes over. The captions still change, but are no longer recorded.
    yield caption('We begin with the budget. It is about', { isDiscarded: true })
    yield speech('It is about the next year.')
    yield speech('And then the people.', { isIncomplete: true })
    yield speech('I agree.', { speaker: 'Ben' })
    yield caption('We begin with the budget. It is about the next year.', { isDiscarded: true })
    controls.advanceClock(10)
    yield caption('We begin with the budget. It is about the next year. Let us go on')
    yield { kind: 'over', because: 'host_ended' }
  })
  const { segments, source } = await readTranscript(db, meeting.id)
  assert.deepEqual(
    segments
      .toSorted((a, b) => a.number - b.number)
      .map(({ speaker, text, source, isIncomplete = false }) => [
        speaker,
        text,
        source,
        isIncomplete,
      ]),
    [
      ['Ana', 'We begin with the budget', 'captions', false],
      ['Ana', 'It is about the next year.', 'speech', false],
      ['Ana', 'And then the people.', 'speech', true],
      ['Ben', 'I agree.', 'speech', false],
      ['Ana', 'Let us go on', 'captions', false],
    ],
  )
  const incomplete = segments.filter(({ isIncomplete }) => isIncomplete)
  const [line = ''] = formatMarkdownEntries(incomplete, source.startedAt)
  assert.match(line, /\*\(words missing\)\* And then the people\./)

  const events = await db
    .selectFrom('event')
    .select('body')
    .where('meeting_id', '=', meeting.id)
    .where('type', '=', 'segment_finalized')
    .orderBy('sequence')
    .execute()
  assert.deepEqual(
    events.map(({ body }) => {
      const { payload } = JSON.parse(body)
      return [payload.source, payload.incomplete]
    }),
    [
      ['captions', undefined],
      ['speech', undefined],
      ['speech', true],
      ['speech', undefined],
      ['captions', undefined],
    ],
  )
})

test('names in recognized speech are those of participants, invited people and the vocabulary', async () => {
  await using database = await openTestDatabase()
  const meeting = await openTestMeeting(database, {
    people: ['Priya Raghunathan'],
    terms: ['Nextcloud'],
  })
  await meeting.attend(async function* (controls) {
    yield { kind: 'admitted' }
    yield { kind: 'people', people: [{ id: 'p1', name: 'Björn Lindqvist', isHost: false }] }
    yield caption('Captions keep bjorn lindquist.')
    controls.advanceClock(10)
    yield speech('I agree with Priya Raghu Mythin, and so does Lindquist.')
    yield { kind: 'people', people: [] }
    yield speech("Bjorn's next cloud is slow.")
    yield { kind: 'over', because: 'host_ended' }
  })
  const { segments } = await readTranscript(database.db, meeting.id)
  assert.deepEqual(
    segments.toSorted((a, b) => a.number - b.number).map(({ text }) => text),
    [
      'I agree with Priya Raghunathan, and so does Lindqvist.',
      "Björn's Nextcloud is slow.",
      'Captions keep bjorn lindquist.',
    ],
  )
})
