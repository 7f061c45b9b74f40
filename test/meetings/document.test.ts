import { strict as assert } from 'node:assert'
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { test } from 'node:test'
import { sql } from 'kysely'
import { readFrontMatter } from '../../src/projects/front-matter.ts'
import { LeaseLost, changeMeetingStatus } from '../../src/meetings/store.ts'
import type { PlatformEvent } from '../../src/bots/platforms/platform.ts'
import { eventually } from '../support/time/eventually.ts'
import { openAttendance } from './open-attendance.ts'
import { SEED_TIME } from '../support/meetings/seed-meeting.ts'

const said = (captionId: string, text: string): PlatformEvent => ({
  kind: 'caption',
  captionId,
  speaker: 'Ana',
  text,
  version: 1,
  isFinal: true,
})
const segment = (text: string) => ({
  captionId: text,
  speaker: 'Ben',
  text,
  startedAt: SEED_TIME.getTime(),
})

test('a node that slept leaves the document of a meeting alone that ended elsewhere', async () => {
  await using attendance = await openAttendance()
  const { platform, clock, counts, path } = attendance
  const sleeper = await attendance.bot(1)
  const room = platform.room('one')
  room.emit({ kind: 'admitted' }, said('c1', 'One.'))
  await eventually(async () => ((await counts()).stored === 1 ? true : null))
  clock.pass(6)
  room.emit({ kind: 'captions back' })
  await eventually(async () => ((await counts()).flushed === 1 ? true : null))
  // Stored and not yet in the document: here the node sleeps.
  room.emit(said('c2', 'Two.'))
  await eventually(async () => ((await counts()).stored === 2 ? true : null))

  const { writer, keeper } = await attendance.owner(2)
  await writer.writeSegments([segment('Three.')], SEED_TIME)
  await writer.changeStatus({ to: 'leaving', reason: 'stopped', at: SEED_TIME })
  await keeper.complete(SEED_TIME)
  await writer.changeStatus({ to: 'ended', at: SEED_TIME })
  const whole = readFileSync(path, 'utf8')
  sleeper.release.abort()
  await assert.rejects(sleeper.done, LeaseLost)
  assert.equal(readFileSync(path, 'utf8'), whole)
  for (const word of ['One.', 'Two.', 'Three.']) assert.ok(whole.includes(word))
})

test('a bot that fails after it lost its meeting does not close the document of the next one', async () => {
  await using attendance = await openAttendance()
  const sleeper = await attendance.bot(1)
  attendance.platform.room('one').emit({ kind: 'admitted' })
  const { writer, keeper } = await attendance.owner(2)
  keeper.addSegments(await writer.writeSegments([segment('One.')], SEED_TIME))
  await keeper.flush(SEED_TIME)
  const open = readFileSync(attendance.path, 'utf8')
  attendance.platform.room('one').emit({ kind: 'over', because: 'denied' })
  await assert.rejects(sleeper.done, LeaseLost)
  assert.equal(readFileSync(attendance.path, 'utf8'), open)
  assert.match(open, /in_progress/)
})

test('while a node is at the document, nobody can take the meeting', async () => {
  await using attendance = await openAttendance()
  const { db, meetingId } = attendance
  const { writer } = await attendance.owner(2)
  const findFree = async () => {
    const { rows } =
      await sql`select id from meeting where id = ${meetingId} for update skip locked`.execute(db)
    return rows.length
  }
  assert.equal(await writer.withDocumentLock(() => findFree()), 0)
  assert.equal(await findFree(), 1)
})

/** Puts a file in the place of the folder, as a full disk would: nothing can be written there. */
function blockFolder(path: string): () => void {
  const folder = dirname(path)
  renameSync(folder, `${folder}.away`)
  writeFileSync(folder, 'in the way')
  return () => {
    rmSync(folder)
    renameSync(`${folder}.away`, folder)
  }
}

test('a bot that was denied does not knock again when its document cannot be written, and the reason stays', async () => {
  await using attendance = await openAttendance('joining')
  const { db, platform, meeting, meetingId, path } = attendance
  const denied = { reason: 'denied', detail: 'The host said no' } as const
  const unblock = blockFolder(path)
  platform
    .room('one')
    .emit({ kind: 'lobby' }, { kind: 'over', because: denied.reason, detail: denied.detail })
  await assert.rejects((await attendance.bot(1)).done, /is no folder/)
  assert.partialDeepStrictEqual(await meeting(), { status: 'lobby', ...denied })
  await assert.rejects((await attendance.bot(2)).done, /is no folder/)
  // A stop may end the wait, and does not change what has happened.
  await db
    .transaction()
    .execute((tx) =>
      changeMeetingStatus(tx, meetingId, { to: 'stopping', reason: 'stopped', at: SEED_TIME }),
    )
  unblock()
  await (
    await attendance.bot(3)
  ).done

  assert.partialDeepStrictEqual(await meeting(), { status: 'error', ...denied })
  assert.equal(platform.room('one').countAttendances(), 1)
  const { fields } = readFrontMatter(readFileSync(path, 'utf8')) ?? {}
  assert.equal(fields?.['status'], 'completed')
  const events = await db.selectFrom('event').select('body').orderBy('sequence').execute()
  const { payload } = JSON.parse(events.at(-1)?.body ?? '') as { payload: unknown }
  assert.deepEqual(payload, { status: 'error', previousStatus: 'stopping', ...denied })
})
