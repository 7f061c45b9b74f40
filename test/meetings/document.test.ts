import { strict as assert } from 'node:assert'
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { test } from 'node:test'
import { sql } from 'kysely'
import { readFrontMatter } from '../../src/projects/front-matter.ts'
import { HoldLost, moveMeeting } from '../../src/meetings/store.ts'
import type { Sighting } from '../../src/platforms/platform.ts'
import { eventually } from '../support/eventually.ts'
import { openAttendance } from './attending.ts'
import { AT } from '../support/meeting-seed.ts'

const said = (captionId: string, text: string): Sighting => ({
  seen: 'caption',
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
  startedAt: AT.getTime(),
})

test('a node that slept leaves the document of a meeting alone that ended elsewhere', async () => {
  await using attendance = await openAttendance()
  const { platform, clock, counts, path } = attendance
  const sleeper = await attendance.bot(1)
  const room = platform.room('one')
  room.show({ seen: 'admitted' }, said('c1', 'One.'))
  await eventually(async () => ((await counts()).stored === 1 ? true : null))
  clock.pass(6)
  room.show({ seen: 'captions back' })
  await eventually(async () => ((await counts()).flushed === 1 ? true : null))
  // Stored and not yet in the document: here the node sleeps.
  room.show(said('c2', 'Two.'))
  await eventually(async () => ((await counts()).stored === 2 ? true : null))

  const { writer, keeper } = await attendance.owner(2)
  await writer.segments([segment('Three.')], AT)
  await writer.move({ to: 'leaving', reason: 'stopped', at: AT })
  await keeper.complete(AT)
  await writer.move({ to: 'ended', at: AT })
  const whole = readFileSync(path, 'utf8')
  sleeper.release.abort()
  await assert.rejects(sleeper.done, HoldLost)
  assert.equal(readFileSync(path, 'utf8'), whole)
  for (const word of ['One.', 'Two.', 'Three.']) assert.ok(whole.includes(word))
})

test('a bot that fails after it lost its meeting does not close the document of the next one', async () => {
  await using attendance = await openAttendance()
  const sleeper = await attendance.bot(1)
  attendance.platform.room('one').show({ seen: 'admitted' })
  const { writer, keeper } = await attendance.owner(2)
  keeper.add(await writer.segments([segment('One.')], AT))
  await keeper.flush(AT)
  const open = readFileSync(attendance.path, 'utf8')
  attendance.platform.room('one').show({ seen: 'over', because: 'denied' })
  await assert.rejects(sleeper.done, HoldLost)
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
  assert.equal(await writer.atFile(() => findFree()), 0)
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
    .show({ seen: 'lobby' }, { seen: 'over', because: denied.reason, detail: denied.detail })
  await assert.rejects((await attendance.bot(1)).done, /is no folder/)
  assert.partialDeepStrictEqual(await meeting(), { status: 'lobby', ...denied })
  await assert.rejects((await attendance.bot(2)).done, /is no folder/)
  // A stop may end the wait, and does not change what has happened.
  await db
    .transaction()
    .execute((tx) => moveMeeting(tx, meetingId, { to: 'stopping', reason: 'stopped', at: AT }))
  unblock()
  await (
    await attendance.bot(3)
  ).done

  assert.partialDeepStrictEqual(await meeting(), { status: 'error', ...denied })
  assert.equal(platform.room('one').visits(), 1)
  const { fields } = readFrontMatter(readFileSync(path, 'utf8')) ?? {}
  assert.equal(fields?.['status'], 'completed')
  const events = await db.selectFrom('event').select('body').orderBy('sequence').execute()
  const { payload } = JSON.parse(events.at(-1)?.body ?? '') as { payload: unknown }
  assert.deepEqual(payload, { status: 'error', previousStatus: 'stopping', ...denied })
})
