import { strict as assert } from 'node:assert'
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { test } from 'node:test'
import { sql } from 'kysely'
import { findFrontMatter } from '../../src/projects/front-matter.ts'
import { LeaseLost, changeMeetingStatus } from '../../src/meetings/record/meeting-store.ts'
import type { PlatformEvent } from '../../src/bots/platforms/platform.ts'
import { eventually } from '../support/time/eventually.ts'
import { openAttendance } from './open-attendance.ts'
import { SEED_TIME } from '../support/meetings/seed-meeting.ts'

const caption = (captionId: string, text: string): PlatformEvent => ({
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

test('a paused node does not write to the document of a meeting that ended on another node', async () => {
  await using attendance = await openAttendance()
  const { platform, clock, counts, path } = attendance
  const pausedBot = await attendance.bot(1)
  const room = platform.room('one')
  room.emit({ kind: 'admitted' }, caption('c1', 'One.'))
  await eventually(async () => ((await counts()).stored === 1 ? true : null))
  clock.advance(6)
  room.emit({ kind: 'captions back' })
  await eventually(async () => ((await counts()).flushed === 1 ? true : null))
  // When the node pauses, the second segment is stored, but not in the document yet.
  room.emit(caption('c2', 'Two.'))
  await eventually(async () => ((await counts()).stored === 2 ? true : null))

  const { writer, document } = await attendance.owner(2)
  await writer.writeSegments([segment('Three.')], SEED_TIME)
  await writer.changeStatus({ to: 'leaving', reason: 'stopped', at: SEED_TIME })
  await document.complete(SEED_TIME)
  await writer.changeStatus({ to: 'ended', at: SEED_TIME })
  const whole = readFileSync(path, 'utf8')
  pausedBot.release.abort()
  await assert.rejects(pausedBot.done, LeaseLost)
  assert.equal(readFileSync(path, 'utf8'), whole)
  for (const word of ['One.', 'Two.', 'Three.']) assert.ok(whole.includes(word))
})

test('a bot that lost its lease does not complete the document that its successor writes', async () => {
  await using attendance = await openAttendance()
  const pausedBot = await attendance.bot(1)
  attendance.platform.room('one').emit({ kind: 'admitted' })
  const { writer, document } = await attendance.owner(2)
  document.addSegments(await writer.writeSegments([segment('One.')], SEED_TIME))
  await document.flush(SEED_TIME)
  const open = readFileSync(attendance.path, 'utf8')
  attendance.platform.room('one').emit({ kind: 'over', because: 'denied' })
  await assert.rejects(pausedBot.done, LeaseLost)
  assert.equal(readFileSync(attendance.path, 'utf8'), open)
  assert.match(open, /in_progress/)
})

test('no node can claim a meeting while another node writes its document', async () => {
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

/** Replaces the folder with a file, so that nothing can be written there, as on a full disk. */
function blockFolder(path: string): () => void {
  const folder = dirname(path)
  renameSync(folder, `${folder}.away`)
  writeFileSync(folder, 'in the way')
  return () => {
    rmSync(folder)
    renameSync(`${folder}.away`, folder)
  }
}

test('a denied bot does not join again when its document cannot be written, and the end reason stays', async () => {
  await using attendance = await openAttendance('joining')
  const { db, platform, meeting, meetingId, path } = attendance
  const denied = { reason: 'denied', detail: 'The host said no' } as const
  const unblock = blockFolder(path)
  platform
    .room('one')
    .emit({ kind: 'lobby' }, { kind: 'over', because: denied.reason, detail: denied.detail })
  await assert.rejects((await attendance.bot(1)).done, /is not a folder/)
  assert.partialDeepStrictEqual(await meeting(), { status: 'lobby', ...denied })
  await assert.rejects((await attendance.bot(2)).done, /is not a folder/)
  // A stop does not change the stored end reason.
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
  const { fields } = findFrontMatter(readFileSync(path, 'utf8')) ?? {}
  assert.equal(fields?.['status'], 'completed')
  const events = await db.selectFrom('event').select('body').orderBy('sequence').execute()
  const { payload } = JSON.parse(events.at(-1)?.body ?? '') as { payload: unknown }
  assert.deepEqual(payload, { status: 'error', previousStatus: 'stopping', ...denied })
})
