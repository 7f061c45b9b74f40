import { strict as assert } from 'node:assert'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { releaseMeetingAfterFailure } from '../../src/meetings/attending/claiming/meeting-claims.ts'
import { readTranscript } from '../../src/meetings/transcript/read-transcript.ts'
import { checkSpeechDelays } from '../../src/operations/doctor/speech-check.ts'
import type { Platform, PlatformEvent } from '../../src/bots/platforms/platform.ts'
import { eventually } from '../support/time/eventually.ts'
import { SEED_TIME } from '../support/meetings/seed-meeting.ts'
import { openAttendance } from './open-attendance.ts'

type Attendance = Awaited<ReturnType<typeof openAttendance>>

const caption = (captionId: string, text: string): PlatformEvent => ({
  kind: 'caption',
  captionId,
  speaker: 'Ana',
  text,
})
/** A caption that becomes a segment immediately. */
const finalCaption = (captionId: string, text: string): PlatformEvent => ({
  ...(caption(captionId, text) as PlatformEvent & { kind: 'caption' }),
  version: 1,
  isFinal: true,
})
const OVER: PlatformEvent = { kind: 'over', because: 'host_ended' }
const after = (seconds: number) => new Date(SEED_TIME.getTime() + seconds * 1000)

async function readGapsAndTexts({ db, meetingId }: Attendance) {
  const { segments, source } = await readTranscript(db, meetingId)
  return {
    texts: segments.map(({ text }) => text),
    gaps: source.gaps.map(({ cause, startedAt, endedAt, afterSegment }) => ({
      cause,
      startedAt,
      endedAt,
      afterSegment,
    })),
  }
}

/** The gaps in the events of the meeting, each with the type of its event. */
async function reportedGaps({ db }: Attendance) {
  const rows = await db.selectFrom('event').select(['type', 'body']).orderBy('sequence').execute()
  return rows.flatMap(({ type, body }) => {
    const { payload } = JSON.parse(body) as { payload: { gaps?: Array<Record<string, unknown>> } }
    return (payload.gaps ?? []).map((gap) => ({ type, ...gap }))
  })
}

const waitForGap = ({ db }: Attendance, isOpen: boolean) =>
  eventually(async () => {
    const row = await db
      .selectFrom('transcript_gap')
      .select('ended_at')
      .orderBy('number', 'desc')
      .executeTakeFirst()
    return row !== undefined && (row.ended_at === null) === isOpen ? true : null
  })
const waitForSegments = ({ counts }: Attendance, count: number) =>
  eventually(async () => ((await counts()).stored === count ? true : null))

test('lost captions end a segment, and the next segment reports how long nothing was recorded', async () => {
  await using attendance = await openAttendance()
  const { platform, clock, path } = attendance
  const bot = await attendance.bot(1)
  const room = platform.room('one')
  room.emit({ kind: 'admitted' }, caption('c1', 'It is'))
  room.emit({ kind: 'captions lost', detail: 'gone' })
  await waitForGap(attendance, true)
  await waitForSegments(attendance, 1)
  clock.advance(33)
  // The page still shows the words from before the gap in the row.
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
  const bot = await attendance.bot(1, hung, { graceOver: grace.signal })
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
  // The document is appended with the gap, while the meeting is live.
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
  const { platform, clock } = attendance
  const bot = await attendance.bot(1)
  const room = platform.room('one')
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
  const { platform, clock, path } = attendance
  const bot = await attendance.bot(1)
  const room = platform.room('one')
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
  // Nobody spoke when the node died, and captions become final six seconds after their last change.
  assert.deepEqual((await readGapsAndTexts(attendance)).gaps, [
    { cause: 'node_lost', startedAt: after(54), endedAt: after(90), afterSegment: 1 },
  ])
})

test('words from before a gap that arrive during it are stored before the gap and do not end it', async () => {
  await using attendance = await openAttendance()
  const { platform, clock } = attendance
  const bot = await attendance.bot(1)
  const room = platform.room('one')
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
    // Released already.
    [1, 'node'],
  ] as const)
    await releaseMeetingAfterFailure(db, { meetingId, fence }, nodeId, failure)
  const { attempts } = await db
    .selectFrom('meeting')
    .select('attempts')
    .where('id', '=', meetingId)
    .executeTakeFirstOrThrow()
  assert.equal(attempts, 11)
  clock.advance(20)
  const bot = await attendance.bot(2)
  platform.room('one').emit({ kind: 'admitted' }, { kind: 'captions back' }, OVER)
  await bot.done
  assert.deepEqual((await readGapsAndTexts(attendance)).gaps, [
    { cause: 'bot_rejoined', startedAt: SEED_TIME, endedAt: after(20), afterSegment: 0 },
  ])
})

/** A line that the bot recognized from sound: said `startedMs` ago, and only now recognized. */
const spoken = (captionId: string, text: string, startedMs: number): PlatformEvent => ({
  ...(finalCaption(captionId, text) as PlatformEvent & { kind: 'caption' }),
  isFromSpeech: true,
  late: { startedMs, changedMs: startedMs - 1_000 },
})

test('a gap ends when the first words after it were said, not when they are recognized', async () => {
  await using attendance = await openAttendance()
  const { platform, clock } = attendance
  const bot = await attendance.bot(1)
  const room = platform.room('one')
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
  // Words are stored while the bot goes on recognizing.
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
