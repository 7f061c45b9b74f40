import { strict as assert } from 'node:assert'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { releaseMeetingAfterFailure } from '../../src/meetings/attending/claiming/meeting-claims.ts'
import type { Platform, PlatformEvent } from '../../src/bots/platforms/platform.ts'
import { eventually } from '../support/time/eventually.ts'
import { SEED_TIME } from '../support/meetings/seed-meeting.ts'
import {
  after,
  caption,
  finalCaption,
  OVER,
  readGapsAndTexts,
  reportedGaps,
  spoken,
  waitForSegments,
  type Attendance,
} from './gap-events.ts'
import { openAttendance } from './open-attendance.ts'

const waitForGap = ({ db }: Attendance, isOpen: boolean) =>
  eventually(async () => {
    const row = await db
      .selectFrom('transcript_gap')
      .select('ended_at')
      .orderBy('number', 'desc')
      .executeTakeFirst()
    return row !== undefined && (row.ended_at === null) === isOpen ? true : null
  })
/** The first bot of the meeting, and the room in which it is. */
async function startBot(attendance: Attendance) {
  const bot = await attendance.bot(1)
  return { ...attendance, bot, room: attendance.platform.room('one') }
}

test('lost captions end a segment, and the next segment reports how long nothing was recorded', async () => {
  await using attendance = await openAttendance()
  const { bot, room, clock, path } = await startBot(attendance)
  room.emit({ kind: 'admitted' }, caption('c1', 'It is'))
  room.emit({ kind: 'captions lost', detail: 'gone' })
  await waitForGap(attendance, true)
  await waitForSegments(attendance, 1)
  clock.advance(33)
  // The row on the page still shows the words from before the gap.
  room.emit({ kind: 'captions back' })
  await waitForGap(attendance, false)
  room.emit(caption('c1', 'It is Then please take the next one.'), OVER)
  await bot.done
  const gap = { cause: 'captions_lost', startedAt: SEED_TIME, endedAt: after(33), afterSegment: 1 }
  assert.deepEqual(await readGapsAndTexts(attendance), {
    texts: ['It is', 'Then please take the next one.'],
    gaps: [gap],
  })
  assert.deepEqual(await reportedGaps(attendance), [
    {
      type: 'segment_finalized',
      cause: 'captions_lost',
      startedAt: SEED_TIME.toISOString(),
      endedAt: after(33).toISOString(),
      afterSegmentNumber: 1,
      text: '33 s not recorded: captions were lost',
    },
  ])
  assert.match(
    readFileSync(path, 'utf8'),
    /\n\n\*\*Ana\*\* 00:00:00 It is\n\n\*33 s not recorded: captions were lost\*\n\n\*\*Ana\*\* 00:00:33 Then please take the next one\.\n$/,
  )
})

test('when the service stops, a bot whose page never closes stores its captions and releases the meeting', async () => {
  await using attendance = await openAttendance()
  const { db, meetingId, path } = attendance
  await db.updateTable('meeting').set({ owner: 'node_1' }).where('id', '=', meetingId).execute()
  const grace = new AbortController()
  const captionsSent = Promise.withResolvers<void>()
  const hung: Platform = {
    ...attendance.platform,
    async *attend(_, signal) {
      yield { kind: 'admitted' }
      yield caption('c1', 'It is')
      captionsSent.resolve()
      signal.addEventListener('abort', () => grace.abort(), { once: true })
      await new Promise(() => undefined)
    },
  }
  const options = { graceOver: grace.signal, platformCloseMs: Infinity }
  const bot = await attendance.bot(1, hung, options)
  await captionsSent.promise
  bot.release.abort()
  await bot.done
  const { texts, gaps } = await readGapsAndTexts(attendance)
  assert.deepEqual(texts, ['It is'])
  assert.partialDeepStrictEqual(gaps, [{ cause: 'restarted', endedAt: null }])
  assert.match(readFileSync(path, 'utf8'), /It is\n$/)
  const row = db.selectFrom('meeting').select('owner').where('id', '=', meetingId)
  assert.deepEqual(await row.executeTakeFirst(), { owner: null })
})

test('a released bot leaves a gap that ends when the next bot records', async () => {
  await using attendance = await openAttendance()
  const { platform, clock, path } = attendance
  const first = await attendance.bot(1)
  const room = platform.room('one')
  room.emit({ kind: 'admitted' }, finalCaption('c0', 'Good.'))
  await waitForSegments(attendance, 1)
  room.emit(caption('c1', 'It is'))
  await eventually(() => (room.countQueued() === 0 ? true : null))
  first.release.abort()
  await first.done
  assert.match(readFileSync(path, 'utf8'), /Good\.\nIt is\n$/)
  clock.advance(20)
  const second = await attendance.bot(2)
  room.emit({ kind: 'admitted' })
  clock.advance(10)
  room.emit(finalCaption('c2', 'Then please take the next one.'))
  await waitForSegments(attendance, 3)
  clock.advance(6)
  room.emit({ kind: 'captions back' })
  // The document is appended with the gap while the meeting is live.
  await eventually(async () => ((await attendance.counts()).flushed === 3 ? true : null))
  const appended = readFileSync(path, 'utf8')
  assert.match(
    appended,
    /It is\n\n\*30 s not recorded: Hansard restarted\*\n\n\*\*Ana\*\* 00:00:30/,
  )
  room.emit(OVER)
  await second.done
  const { texts, gaps } = await readGapsAndTexts(attendance)
  assert.deepEqual(texts, ['Good.', 'It is', 'Then please take the next one.'])
  assert.deepEqual(gaps, [
    { cause: 'restarted', startedAt: SEED_TIME, endedAt: after(30), afterSegment: 2 },
  ])
  assert.equal((await reportedGaps(attendance)).length, 1)
})

test('a bot that lost its page and joined again leaves a gap until captions are on', async () => {
  await using attendance = await openAttendance()
  const { bot, room, clock } = await startBot(attendance)
  room.emit({ kind: 'admitted' }, finalCaption('c1', 'Before.'))
  await waitForSegments(attendance, 1)
  clock.advance(10)
  room.emit({ kind: 'call lost', detail: 'The page crashed', sinceMs: 2_000 })
  await waitForGap(attendance, true)
  clock.advance(5)
  room.emit({ kind: 'admitted' })
  // A row that disappears does not show that captions are on.
  room.emit({ ...caption('c1', 'Before.'), isGone: true } as PlatformEvent)
  clock.advance(2)
  room.emit({ kind: 'captions back' }, OVER)
  await bot.done
  assert.deepEqual((await readGapsAndTexts(attendance)).gaps, [
    { cause: 'bot_rejoined', startedAt: after(8), endedAt: after(17), afterSegment: 1 },
  ])
})

test('a meeting that ends during a gap ends the gap and reports it with its status', async () => {
  await using attendance = await openAttendance()
  const { bot, room, clock, path } = await startBot(attendance)
  room.emit({ kind: 'admitted' }, caption('c1', 'Bye.'), { kind: 'captions lost', detail: 'gone' })
  await waitForGap(attendance, true)
  clock.advance(65)
  room.emit(OVER)
  await bot.done
  const [gap, ...others] = await reportedGaps(attendance)
  assert.deepEqual(others, [])
  assert.partialDeepStrictEqual(gap, {
    type: 'meeting_status',
    endedAt: after(65).toISOString(),
    afterSegmentNumber: 1,
  })
  assert.match(
    readFileSync(path, 'utf8'),
    /Bye\.\n\n\*1 min 5 s not recorded: captions were lost\*\n$/,
  )
})

test('a meeting of a dead node has a gap from the last moment that is recorded', async () => {
  await using attendance = await openAttendance()
  const { db, platform, clock, meetingId } = attendance
  await db.updateTable('meeting').set({ live_at: SEED_TIME }).where('id', '=', meetingId).execute()
  const { writer } = await attendance.owner(1)
  const said = { captionId: 'c1', speaker: 'Ana', text: 'Hello.', startedAt: SEED_TIME.getTime() }
  await writer.writeSegments([said], SEED_TIME)
  clock.advance(90)
  const bot = await attendance.bot(2, platform, {}, { lastBeatAt: after(60) })
  platform.room('one').emit({ kind: 'admitted' }, { kind: 'captions back' }, OVER)
  await bot.done
  // Nobody was speaking when the node died. Captions become final six seconds after their last change.
  assert.deepEqual((await readGapsAndTexts(attendance)).gaps, [
    { cause: 'node_lost', startedAt: after(54), endedAt: after(90), afterSegment: 1 },
  ])
})

test('words from before a gap that arrive during it are stored before the gap and do not end it', async () => {
  await using attendance = await openAttendance()
  const { bot, room, clock } = await startBot(attendance)
  room.emit({ kind: 'admitted' }, finalCaption('c1', 'On time.'))
  await waitForSegments(attendance, 1)
  clock.advance(5)
  room.emit({ kind: 'captions lost', detail: 'gone' })
  await waitForGap(attendance, true)
  clock.advance(1)
  const late = { startedMs: 3_000, changedMs: 2_000 }
  room.emit({ ...finalCaption('c2', 'Delayed.'), late } as PlatformEvent)
  await waitForSegments(attendance, 2)
  clock.advance(30)
  room.emit({ kind: 'captions back' })
  await waitForGap(attendance, false)
  room.emit(finalCaption('c3', 'After.'), OVER)
  await bot.done
  const gap = { cause: 'captions_lost', startedAt: after(5), endedAt: after(36), afterSegment: 2 }
  assert.deepEqual(await readGapsAndTexts(attendance), {
    texts: ['On time.', 'Delayed.', 'After.'],
    gaps: [gap],
  })
  assert.equal((await reportedGaps(attendance)).length, 1)
})

test('a segment that is stored during a gap ends the gap', async () => {
  await using attendance = await openAttendance()
  const { writer } = await attendance.owner(1)
  await writer.startGap('captions_lost', SEED_TIME)
  const startedAt = after(7).getTime()
  const said = { captionId: 'c1', speaker: 'Ana', text: 'Late.', startedAt }
  const [row] = await writer.writeSegments([said], after(9))
  assert.equal(row?.gapsBefore?.length, 1)
  assert.equal(writer.openGapCause(), null)
  assert.deepEqual((await readGapsAndTexts(attendance)).gaps, [
    { cause: 'captions_lost', startedAt: SEED_TIME, endedAt: after(7), afterSegment: 0 },
  ])
})

test('a bot that failed leaves a gap until the next bot records', async () => {
  await using attendance = await openAttendance()
  const { db, platform, clock, meetingId } = attendance
  const failure = { at: SEED_TIME, claimAfter: after(15), weight: 12 }
  await db.updateTable('meeting').set({ owner: 'node' }).where('id', '=', meetingId).execute()
  for (const [fence, nodeId] of [
    [1, 'other'],
    [9, 'node'],
    [1, 'node'],
    // Already released.
    [1, 'node'],
  ] as const)
    await releaseMeetingAfterFailure(db, { meetingId, fence }, nodeId, failure)
  const { failure_score: score } = await db
    .selectFrom('meeting')
    .select('failure_score')
    .where('id', '=', meetingId)
    .executeTakeFirstOrThrow()
  assert.equal(score, 11)
  clock.advance(20)
  const bot = await attendance.bot(2)
  platform.room('one').emit({ kind: 'admitted' }, { kind: 'captions back' }, OVER)
  await bot.done
  assert.deepEqual((await readGapsAndTexts(attendance)).gaps, [
    { cause: 'bot_rejoined', startedAt: SEED_TIME, endedAt: after(20), afterSegment: 0 },
  ])
})

test('a gap ends when the first words after it were said, not when they are recognized', async () => {
  await using attendance = await openAttendance()
  const { bot, room, clock } = await startBot(attendance)
  room.emit({ kind: 'admitted' }, finalCaption('c1', 'Before.'))
  await waitForSegments(attendance, 1)
  room.emit({ kind: 'call lost', detail: 'The connection broke', sinceMs: 0 })
  await waitForGap(attendance, true)
  clock.advance(29)
  room.emit(spoken('c2', 'After.', 21_000), OVER)
  await bot.done
  assert.deepEqual((await readGapsAndTexts(attendance)).gaps, [
    { cause: 'bot_rejoined', startedAt: SEED_TIME, endedAt: after(8), afterSegment: 1 },
  ])
})

test('a live meeting that an older version released without a gap has one until the next bot records', async () => {
  await using attendance = await openAttendance()
  const { db, platform, clock, meetingId } = attendance
  await db.updateTable('meeting').set({ live_at: SEED_TIME }).where('id', '=', meetingId).execute()
  const { writer } = await attendance.owner(1)
  const said = { captionId: 'c1', speaker: 'Ana', text: 'Hello.', startedAt: after(20).getTime() }
  await writer.writeSegments([said], after(20))
  clock.advance(50)
  const bot = await attendance.bot(2)
  platform.room('one').emit({ kind: 'admitted' }, { kind: 'captions back' }, OVER)
  await bot.done
  assert.deepEqual((await readGapsAndTexts(attendance)).gaps, [
    { cause: 'restarted', startedAt: after(20), endedAt: after(50), afterSegment: 1 },
  ])
})
