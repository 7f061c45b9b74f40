import { strict as assert } from 'node:assert'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { TRANSCRIPT_TEXT_FORMATS_BY_EXTENSION } from '../../src/meetings/transcript/formats.ts'
import { readTranscript } from '../../src/meetings/transcript/read-transcript.ts'
import { SEED_TIME } from '../support/meetings/seed-meeting.ts'
import { openAttendance } from './open-attendance.ts'

/** Overlapping speech: segments become final in a different order than they started. */
const SAID = [
  ['Ana', 'second', 2],
  ['Ben', 'first', 1],
  ['Cleo', 'third', 3],
  ['Ana', 'fourth', 3],
] as const

const IN_ORDER = ['first', 'second', 'third', 'fourth']
const AS_FINAL = SAID.map(([, text]) => text)
const wordsIn = (text: string) => text.match(/first|second|third|fourth/g) ?? []

test('an ended meeting is read by start time in every format, and in pages by segment number', async () => {
  await using attendance = await openAttendance()
  const { db, meetingId, path } = attendance
  const { writer, document } = await attendance.owner(1)
  const rows = await writer.writeSegments(
    SAID.map(([speaker, text, seconds], i) => ({
      captionId: `c${i}`,
      speaker,
      text,
      startedAt: SEED_TIME.getTime() + seconds * 1000,
    })),
    SEED_TIME,
  )
  document.addSegments(rows)
  await document.flush(SEED_TIME)
  const textsOf = async (range = {}) =>
    (await readTranscript(db, meetingId, range)).segments.map(({ text }) => text)
  const formatted = async () => {
    const { source } = await readTranscript(db, meetingId)
    return Object.entries(TRANSCRIPT_TEXT_FORMATS_BY_EXTENSION).map(([name, { write }]) => ({
      name,
      words: wordsIn([...write(source, 'meeting_1')].join('')),
    }))
  }
  assert.deepEqual(await textsOf(), AS_FINAL)
  assert.deepEqual(wordsIn(readFileSync(path, 'utf8')), AS_FINAL)

  await writer.changeStatus({ to: 'leaving', reason: 'stopped', at: SEED_TIME })
  await document.complete(SEED_TIME)
  await writer.changeStatus({ to: 'ended', at: SEED_TIME })
  assert.deepEqual(await textsOf(), IN_ORDER)
  assert.deepEqual(wordsIn(readFileSync(path, 'utf8')), IN_ORDER)
  for (const { name, words } of await formatted()) assert.deepEqual(words, IN_ORDER, name)
  assert.deepEqual(await textsOf({ limit: 2 }), AS_FINAL.slice(0, 2))
  assert.deepEqual(await textsOf({ after: 2 }), AS_FINAL.slice(2))
})
