import { strict as assert } from 'node:assert'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import type { Db } from '../../src/db/database.ts'
import type { Platform, PlatformEvent } from '../../src/bots/platforms/platform.ts'
import { createScriptedPlatform } from '../support/meetings/scripted-platform.ts'
import { openAttendance } from './open-attendance.ts'

const said = (text: string): PlatformEvent => ({
  kind: 'caption',
  captionId: text,
  speaker: 'Ana',
  text,
  version: 1,
  isFinal: true,
})

/** Tells the first ones at once and the others when the bot leaves, as an ear does with what it held back. */
function createTalk(early: readonly PlatformEvent[], late: readonly PlatformEvent[]) {
  const allTold = Promise.withResolvers<void>()
  const platform: Platform = {
    ...createScriptedPlatform(),
    async *attend(_visit, signal) {
      yield* early
      allTold.resolve()
      if (!signal.aborted) await once(signal, 'abort')
      yield* late
    },
  }
  return { platform, allTold: allTold.promise }
}

/** Lets no write to the meeting through until it is called. */
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
  ['a hand-over', { status: 'live', reason: null }],
  ['a rule', { status: 'ended', reason: 'max_duration' }],
] as const) {
  test(`what was heard before ${why} is stored and in the document, also when it was told late`, async () => {
    await using attendance = await openAttendance('joining')
    const { db, clock, meetingId } = attendance
    const [early, late] = [WORDS.slice(0, 3), WORDS.slice(3)]
    const { platform, allTold } = createTalk(
      [{ kind: 'admitted' }, ...early.map(said)],
      late.map(said),
    )
    const unlock = await lockMeeting(db, meetingId)
    const bot = await attendance.bot(1, platform)
    await allTold
    const leave = {
      'a stop': () => bot.stop.abort(),
      'a hand-over': () => bot.release.abort(),
      'a rule': () => clock.pass(86_400),
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

test('what a page says after the meeting was over is not part of it', async () => {
  await using attendance = await openAttendance('joining')
  const over: PlatformEvent = { kind: 'over', because: 'host_ended' }
  const { platform } = createTalk([{ kind: 'admitted' }, said('One.'), over, said('Two.')], [])
  await (
    await attendance.bot(1, platform)
  ).done
  assert.deepEqual(await textsOf(attendance.db), ['One.'])
})
