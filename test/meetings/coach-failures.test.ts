import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { pino } from 'pino'
import { createMeetingBatchWriter } from '../../src/meetings/record/batch-writer.ts'
import type { PlatformEvent } from '../../src/bots/platforms/platform.ts'
import { eventually } from '../support/time/eventually.ts'
import { MEETING_OPTIONS } from '../support/meetings/seed-meeting.ts'
import { openAttendance } from './open-attendance.ts'

const INSIGHT = {
  category: 'risk',
  severity: 'warning',
  title: 'Risk',
  text: 'Take care',
  segmentNumber: 1,
  quote: 'sentence number 1',
}
const CAPTIONS = Array.from({ length: 8 }, (_, i): PlatformEvent => {
  const [captionId, text] = [`c${i}`, `This is sentence number ${i + 1}.`]
  return { kind: 'caption', captionId, speaker: 'Ana', text, version: 1, isFinal: true }
})

/** Attends a meeting with a coach model, waits for a log line, and returns the whole log. */
async function attendWithModel(ask: () => Promise<string>, expected: string): Promise<string> {
  await using attendance = await openAttendance('joining')
  const { database, db, platform, meetingId } = attendance
  const options = JSON.stringify({ ...MEETING_OPTIONS, coach: true })
  await db.updateTable('meeting').set({ options }).where('id', '=', meetingId).execute()
  const lines: string[] = []
  const ledger = createMeetingBatchWriter(database.pool)
  const bot = await attendance.bot(1, platform, {
    log: pino({}, { write: (line: string) => void lines.push(line) }),
    openCoachModel: () => Promise.resolve({ ask, usedTokens: 0 }),
    ledger: {
      write: (change) =>
        change.insights?.some(({ engine }) => engine === 'llm')
          ? Promise.reject(new Error('insight rejected'))
          : ledger.write(change),
    },
  })
  const room = platform.room('one')
  room.emit({ kind: 'admitted' }, ...CAPTIONS)
  await eventually(() => lines.some((line) => line.includes(expected)) || null)
  room.emit({ kind: 'over', because: 'host_ended' })
  await bot.done
  assert.equal((await attendance.meeting()).segmentCount, CAPTIONS.length)
  return lines.join('')
}

test('a failed request to the coach model is logged as such', async () => {
  const logged = await attendWithModel(
    () => Promise.reject(new Error('model is down')),
    'failed to ask the coach model',
  )
  assert.match(logged, /model is down/)
  assert.doesNotMatch(logged, /failed to store insights/)
})

test('insights of the coach model that cannot be stored are logged as such', async () => {
  const answer = JSON.stringify({ summary: 's', insights: [INSIGHT] })
  const logged = await attendWithModel(
    () => Promise.resolve(answer),
    'failed to store insights of the coach model',
  )
  assert.match(logged, /insight rejected/)
  assert.doesNotMatch(logged, /failed to ask the coach model/)
})

test('insights of the coach model that are not reported are logged with the reason', async () => {
  const insights = [{ ...INSIGHT, quote: 'words of nobody' }, { category: 'risk' }]
  const logged = await attendWithModel(
    () => Promise.resolve(JSON.stringify({ summary: 's', insights })),
    'dropped insights of the coach model',
  )
  assert.match(logged, /"reason":"not_quoted"/)
  assert.match(logged, /"reason":"invalid","fields":\["severity","title"/)
  assert.doesNotMatch(logged, /words of nobody/)
})
