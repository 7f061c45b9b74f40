import { strict as assert } from 'node:assert'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import type { Db } from '../../src/db/database.ts'
import type { Platform, PlatformEvent } from '../../src/bots/platforms/platform.ts'
import { createScriptedPlatform } from '../support/meetings/scripted-platform.ts'
import { openAttendance } from './open-attendance.ts'

const caption = (text: string): PlatformEvent => ({
  kind: 'caption',
  captionId: text,
  speaker: 'Ana',
  text,
  version: 1,
  isFinal: true,
})

/** A platform that sends `early` at once and `late` when the bot leaves, like a source with delayed captions. */
function createDelayingPlatform(early: readonly PlatformEvent[], late: readonly PlatformEvent[]) {
  const earlySent = Promise.withResolvers<void>()
  const platform: Platform = {
    ...createScriptedPlatform(),
    async *attend(_request, signal) {
      yield* early
      earlySent.resolve()
      if (!signal.aborted) await once(signal, 'abort')
      yield* late
    },
  }
  return { platform, earlySent: earlySent.promise }
}

/** Blocks all writes to the meeting until the returned function is called. */
async function lockMeeting(db: Db, meetingId: string): Promise<() => Promise<void>> {
  const [locked, unlocked] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const done = db.transaction().execute(async (tx) => {
    await tx.selectFrom('meeting').select('id').where('id', '=', meetingId).forUpdate().execute()
    locked.resolve()
    await unlocked.promise
  })
  await locked.promise
  return () => {
    unlocked.resolve()
    return done
  }
}

const textsOf = async (db: Db) => {
  const rows = await db.selectFrom('segment').select('text').orderBy('number').execute()
  return rows.map(({ text }) => text)
}

const WORDS = ['One.', 'Two.', 'Three.', 'Held back.', 'Held back too.']

for (const [why, expected] of [
  ['a stop', { status: 'ended', reason: 'stopped' }],
  ['a release', { status: 'live', reason: null }],
  ['a leave rule', { status: 'ended', reason: 'max_duration' }],
] as const) {
  test(`captions before ${why} are stored and in the document, even if they arrive late`, async () => {
    await using attendance = await openAttendance('joining')
    const { db, clock, meetingId } = attendance
    const [early, late] = [WORDS.slice(0, 3), WORDS.slice(3)]
    const { platform, earlySent } = createDelayingPlatform(
      [{ kind: 'admitted' }, ...early.map(caption)],
      late.map(caption),
    )
    const unlock = await lockMeeting(db, meetingId)
    const bot = await attendance.bot(1, platform)
    await earlySent
    const leave = {
      'a stop': () => bot.stop.abort(),
      'a release': () => bot.release.abort(),
      'a leave rule': () => clock.advance(86_400),
    }
    leave[why]()
    await unlock()
    await bot.done

    assert.deepEqual(await textsOf(db), WORDS)
    const document = readFileSync(attendance.path, 'utf8')
    for (const word of WORDS) assert.ok(document.includes(word), word)
    assert.partialDeepStrictEqual(await attendance.meeting(), expected)
  })
}

test('captions after the end of the meeting are ignored', async () => {
  await using attendance = await openAttendance('joining')
  const over: PlatformEvent = { kind: 'over', because: 'host_ended' }
  const { platform } = createDelayingPlatform(
    [{ kind: 'admitted' }, caption('One.'), over, caption('Two.')],
    [],
  )
  await (
    await attendance.bot(1, platform)
  ).done
  assert.deepEqual(await textsOf(attendance.db), ['One.'])
})

test('pending text does not become final when its next change waits to be handled', async () => {
  await using attendance = await openAttendance()
  const { db, clock, platform } = attendance
  const shown = Promise.withResolvers<void>()
  const laneFor = () => ({
    show: () => shown.resolve(),
    clear: () => undefined,
    [Symbol.dispose]: () => undefined,
  })
  const room = platform.room('one')
  const { done } = await attendance.bot(1, platform, { laneFor })
  const changing = (text: string): PlatformEvent => ({
    kind: 'caption',
    captionId: 'a',
    speaker: 'Ana',
    text,
  })
  room.emit({ kind: 'admitted' }, changing('We meet'))
  await shown.promise
  // In the next turn of the event loop, the bot sleeps until the text is due.
  await setImmediate()
  // As after a pause of the process: the time has passed, and the bot only handles the change now.
  clock.advance(10)
  room.emit(changing('We meet on Friday'), { kind: 'over', because: 'host_ended' })
  await done
  assert.deepEqual(await textsOf(db), ['We meet on Friday'])
})

test('unchanged text becomes final although further captions always wait to be handled', async () => {
  await using attendance = await openAttendance()
  const { clock, platform } = attendance
  const room = platform.room('one')
  const growing = (words: number): PlatformEvent => ({
    kind: 'caption',
    captionId: 'b',
    speaker: 'Ben',
    text: Array.from({ length: words }, (_, i) => `word${i}`).join(' '),
  })
  const AHEAD = 10
  const WORDS_OF_BEN = 60
  let handled = 0
  let handledAtSegment: number | null = null
  const laneFor = () => ({
    show: ({ captionId }: { captionId: string }) => {
      if (captionId !== 'b') return
      handled += 1
      clock.advance(1)
      if (handled + AHEAD <= WORDS_OF_BEN) room.emit(growing(handled + AHEAD))
      if (handled === WORDS_OF_BEN) room.emit({ kind: 'over', because: 'host_ended' })
    },
    clear: (ids: readonly string[]) => {
      if (ids.includes('a')) handledAtSegment = handled
    },
    [Symbol.dispose]: () => undefined,
  })
  const { done } = await attendance.bot(1, platform, { laneFor })
  room.emit({ kind: 'admitted' })
  room.emit({ kind: 'caption', captionId: 'a', speaker: 'Ana', text: 'We meet on Friday.' })
  room.emit(...Array.from({ length: AHEAD }, (_, i) => growing(i + 1)))
  await done
  assert.ok(handledAtSegment !== null && handledAtSegment < 20, `after ${handledAtSegment}`)
})
