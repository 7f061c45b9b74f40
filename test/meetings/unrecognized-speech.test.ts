import { strict as assert } from 'node:assert'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import type { Platform, PlatformEvent } from '../../src/bots/platforms/platform.ts'
import { checkSpeechDelays } from '../../src/operations/doctor/machine-checks.ts'
import { eventually } from '../support/time/eventually.ts'
import {
  after,
  finalCaption,
  OVER,
  readGapsAndTexts,
  reportedGaps,
  spoken,
  waitForSegments,
} from './gap-events.ts'
import { openAttendance } from './open-attendance.ts'

test('speech that was not recognized leaves a gap in its place, and losses without words between them share one', async () => {
  await using attendance = await openAttendance()
  const { db, platform, clock, path } = attendance
  const bot = await attendance.bot(1)
  const room = platform.room('one')
  clock.advance(60)
  const lost = (startedMs: number, endedMs: number): PlatformEvent => ({
    kind: 'speech lost',
    detail: '4 s of speech are not in the transcript. The machine is busy.',
    startedMs,
    endedMs,
  })
  room.emit({ kind: 'admitted' }, spoken('c1', 'One.', 0))
  await waitForSegments(attendance, 1)
  clock.advance(40)
  room.emit(lost(30_000, 26_000), spoken('c2', 'Two.', 20_000))
  await waitForSegments(attendance, 2)
  room.emit(lost(9_000, 7_000), lost(5_000, 1_000), OVER)
  await bot.done
  assert.deepEqual(await readGapsAndTexts(attendance), {
    texts: ['One.', 'Two.'],
    gaps: [
      { cause: 'speech_lost', startedAt: after(70), endedAt: after(74), afterSegment: 1 },
      { cause: 'speech_lost', startedAt: after(91), endedAt: after(99), afterSegment: 2 },
    ],
  })
  assert.deepEqual(
    (await reportedGaps(attendance)).map(({ type }) => type),
    ['segment_finalized', 'meeting_status'],
  )
  assert.match(
    readFileSync(path, 'utf8'),
    /One\.\n\n\*4 s not recorded: some speech was not recognized\*\n\n.*Two\.\n\n\*8 s not recorded/,
  )
  const warnings = await db.selectFrom('meeting_warning').select(['code', 'text']).execute()
  assert.deepEqual(warnings, [
    {
      code: 'speech_incomplete',
      text: '4 s of speech are not in the transcript. The machine is busy.',
    },
  ])
})

test('what a stopped bot recognizes after it has left is recorded, and its last loss too', async () => {
  await using attendance = await openAttendance()
  const { db, clock } = attendance
  const leaving = Promise.withResolvers<void>()
  const recognizing = Promise.withResolvers<void>()
  const behind: Platform = {
    ...attendance.platform,
    async *attend(_, signal) {
      yield { kind: 'admitted' }
      yield finalCaption('c0', 'Hello.')
      signal.addEventListener('abort', () => leaving.resolve(), { once: true })
      await leaving.promise
      yield { kind: 'speech delay', behindMs: 40_000 }
      yield spoken('c1', 'Nearly the last words.', 30_000)
      await recognizing.promise
      yield {
        kind: 'speech lost',
        detail: '2 s of speech are not in the transcript. The bot left.',
        startedMs: 10_000,
        endedMs: 8_000,
      }
      yield { kind: 'speech delay', behindMs: 0 }
    },
  }
  const bot = await attendance.bot(1, behind)
  await waitForSegments(attendance, 1)
  clock.advance(60)
  bot.stop.abort()
  // Words are stored while the bot continues to recognize speech.
  await waitForSegments(attendance, 2)
  await assert.rejects(checkSpeechDelays(db, clock.now()), /behind by 40 s.*\(meeting_/)
  recognizing.resolve()
  await bot.done
  assert.match(await checkSpeechDelays(db, clock.now()), /^no live meeting waits/)
  assert.deepEqual((await readGapsAndTexts(attendance)).gaps, [
    { cause: 'speech_lost', startedAt: after(50), endedAt: after(52), afterSegment: 2 },
  ])
  const warnings = await db.selectFrom('meeting_warning').select('text').orderBy('code').execute()
  assert.deepEqual(
    warnings.map(({ text }) => text),
    [
      'Speech recognition was behind by up to 40 s.',
      '2 s of speech are not in the transcript. The bot left.',
    ],
  )
})

test('a bot that may not wait for its recognition leaves a gap from the first sound that it did not recognize', async () => {
  for (const how of ['stop', 'release'] as const) {
    await using attendance = await openAttendance()
    const { db, clock, meetingId } = attendance
    await db.updateTable('meeting').set({ owner: 'node_1' }).where('id', '=', meetingId).execute()
    const grace = new AbortController()
    const delayed = Promise.withResolvers<void>()
    const behind: Platform = {
      ...attendance.platform,
      async *attend(_, signal) {
        yield { kind: 'admitted' }
        yield finalCaption('c0', 'Hello.')
        await delayed.promise
        yield { kind: 'speech delay', behindMs: 25_000 }
        signal.addEventListener('abort', () => grace.abort(), { once: true })
        await new Promise(() => undefined)
      },
    }
    const bot = await attendance.bot(1, behind, { graceOver: grace.signal })
    await waitForSegments(attendance, 1)
    clock.advance(60)
    delayed.resolve()
    await eventually(() =>
      db
        .selectFrom('meeting_warning')
        .select('text')
        .executeTakeFirst()
        .then((row) => row ?? null),
    )
    bot[how].abort()
    await bot.done
    const { gaps } = await readGapsAndTexts(attendance)
    const [cause, endedAt] = how === 'stop' ? ['speech_lost', after(60)] : ['restarted', null]
    assert.partialDeepStrictEqual(gaps, [{ cause, startedAt: after(35), endedAt }])
  }
})
