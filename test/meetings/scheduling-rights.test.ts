import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { sql } from 'kysely'
import { ServiceError } from '../../src/errors.ts'
import { waitForLockWaiters } from '../support/database/lock-waits.ts'
import {
  CHANGE_CONTEXT,
  openTestMeetingScheduler,
} from '../support/meetings/test-meeting-scheduler.ts'
import { openForFile } from '../support/open-for-file.ts'

const opened = openForFile(openTestMeetingScheduler)
const HOUR = 3_600
const ACTOR = { name: 'command line', ip: null }

/** Advances the time to the meeting, and checks that it began and ended at once with this detail. */
async function checkNotAllowed(id: string, detail: string): Promise<void> {
  const { clock, scheduler, meetings, payloads } = opened()
  clock.advance(HOUR)
  await scheduler.runOnce()
  assert.partialDeepStrictEqual(await meetings.get(id), {
    status: 'error',
    reason: 'not_allowed',
    detail,
    documentPath: null,
  })
  assert.deepEqual(await payloads(id), [
    { status: 'joining', previousStatus: null },
    { status: 'error', previousStatus: 'joining', reason: 'not_allowed', detail },
  ])
}

test('a meeting whose token was revoked or has expired does not begin', async () => {
  const { schedule, addToken, revokeToken } = opened()
  const tokenId = await addToken()
  const revoked = await schedule(HOUR, {}, { tokenId })
  await revokeToken(tokenId)
  await checkNotAllowed(revoked.id, 'The API token of the meeting was revoked')
  const expired = await schedule(HOUR, {}, { tokenId: await addToken(HOUR - 1) })
  await checkNotAllowed(expired.id, 'The API token of the meeting has expired')
})

test('a token cannot be revoked between the check and the beginning of its meeting', async () => {
  const { schedule, addToken, clock, scheduler, meetings, db } = opened()
  const tokenId = await addToken()
  const { id } = await schedule(HOUR, {}, { tokenId })
  clock.advance(HOUR)
  const [locked, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const revoking = db.transaction().execute(async (tx) => {
    await tx
      .updateTable('api_token')
      .set({ revoked_at: clock.now() })
      .where('id', '=', tokenId)
      .execute()
    locked.resolve()
    await release.promise
  })
  await locked.promise
  const beginning = scheduler.runOnce()
  await waitForLockWaiters(db, 'any', 1)
  release.resolve()
  await Promise.all([revoking, beginning])
  assert.partialDeepStrictEqual(await meetings.get(id), { reason: 'not_allowed' })
})

test('a meeting of a person who was removed ends with the removal', async () => {
  const { schedule, addUser, removeUser, clock, scheduler, meetings, payloads, begun } = opened()
  const [removed, other] = [await addUser(), await addUser()]
  const meeting = await schedule(HOUR, {}, { viewer: removed })
  const kept = await schedule(HOUR, {}, { viewer: other })
  await removeUser(removed.userId)
  assert.partialDeepStrictEqual(await meetings.get(meeting.id), {
    status: 'error',
    reason: 'not_allowed',
    detail: 'The person who scheduled the meeting was removed or deactivated',
    endedAt: clock.now(),
  })
  assert.deepEqual(await payloads(meeting.id), [])
  clock.advance(HOUR)
  await scheduler.runOnce()
  assert.deepEqual(begun.at(-1)?.meeting.id, kept.id)
  await meetings.stop(kept.id)
})

test('a meeting of a person who lost the project begins only if the person has it back in time', async () => {
  const { schedule, addUser, projectAccess, meetings, clock, scheduler } = opened()
  const [owner, editor] = [await addUser(), await addUser()]
  const first = await schedule(HOUR, { project: 'secret' }, { viewer: owner })
  await projectAccess.setAccess(owner, 'secret', 'private', ACTOR)
  const member = { userId: editor.userId, role: 'editor' as const }
  await projectAccess.setMember(owner, 'secret', member, ACTOR)
  const lost = await schedule(HOUR, { project: 'secret' }, { viewer: editor })
  await projectAccess.setMember(owner, 'secret', { ...member, role: 'reader' }, ACTOR)
  await checkNotAllowed(
    lost.id,
    'The person or API token that scheduled the meeting may not change its project',
  )
  assert.partialDeepStrictEqual(await meetings.get(first.id), { status: 'joining' })
  await meetings.stop(first.id)

  const regained = await schedule(HOUR, { project: 'secret' }, { viewer: owner })
  await projectAccess.setMember(owner, 'secret', { userId: editor.userId, role: 'owner' }, ACTOR)
  await projectAccess.removeMember(editor, 'secret', owner.userId, ACTOR)
  await projectAccess.setMember(editor, 'secret', { ...member, userId: owner.userId }, ACTOR)
  clock.advance(HOUR)
  await scheduler.runOnce()
  assert.partialDeepStrictEqual(await meetings.get(regained.id), { status: 'joining' })
  await meetings.stop(regained.id)
})

test('a meeting moves only to a project that its scheduler may change, because the events go to the scheduler', async () => {
  const { schedule, addUser, addToken, projectAccess, meetings, db } = opened()
  const [scheduler, mover] = [await addUser(), await addUser()]
  await schedule(-1, { project: 'closed' }, { viewer: mover })
  await projectAccess.setAccess(mover, 'closed', 'private', ACTOR)
  const move = (id: string, project: string) =>
    meetings.change(mover, id, { project }, CHANGE_CONTEXT)
  const narrowed = { kind: 'service', projects: ['api', 'other'] } as const
  const ids = [
    (await schedule(HOUR, {}, { viewer: scheduler })).id,
    (await schedule(HOUR, {}, { viewer: narrowed, tokenId: await addToken() })).id,
  ]
  for (const id of ids) {
    await move(id, 'other')
    await assert.rejects(move(id, 'closed'), (error) => {
      assert.ok(error instanceof ServiceError)
      assert.equal(error.code, 'forbidden')
      assert.match(error.message, /that scheduled the meeting may not change this project/)
      return true
    })
    assert.partialDeepStrictEqual(await meetings.get(id), { project: 'other', status: 'scheduled' })
  }
  // A refused move creates no project.
  await assert.rejects(move(String(ids[1]), 'unknown'), { code: 'forbidden' })
  const created = db.selectFrom('project_access').select('project').where('project', '=', 'unknown')
  assert.deepEqual(await created.execute(), [])
  const member = { userId: scheduler.userId, role: 'editor' as const }
  await projectAccess.setMember(mover, 'closed', member, ACTOR)
  await move(String(ids[0]), 'closed')
  // When the meeting begins, the scheduler's rights are checked again.
  await projectAccess.removeMember(mover, 'closed', scheduler.userId, ACTOR)
  await meetings.stop(String(ids[1]))
  await checkNotAllowed(
    String(ids[0]),
    'The person or API token that scheduled the meeting may not change its project',
  )
})

test('a meeting that was moved to a private project meanwhile is not changed by others', async () => {
  const { schedule, addUser, projectAccess, meetings } = opened()
  const [owner, other] = [await addUser(), await addUser()]
  const { id } = await schedule(HOUR, { project: 'hidden' }, { viewer: owner })
  await projectAccess.setAccess(owner, 'hidden', 'private', ACTOR)
  // Like a request that was allowed before the project became private.
  const change = meetings.change(other, id, { title: 'Mine' }, CHANGE_CONTEXT)
  await assert.rejects(change, { code: 'meeting_not_found' })
  assert.partialDeepStrictEqual(await meetings.get(id), { title: 'Review' })
  await meetings.stop(id)
})

test('tokens that are revoked with their creator lose their scheduled meetings', async () => {
  const { schedule, addUser, addToken, accounts, meetings, db, clock } = opened()
  const [removed, changed] = [await addUser('admin'), await addUser('admin')]
  const ids: string[] = []
  for (const { userId } of [removed, changed]) {
    const tokenId = await addToken(undefined, userId)
    ids.push((await schedule(HOUR, {}, { tokenId })).id)
  }
  const kept = await schedule(HOUR, {}, { tokenId: await addToken() })
  await accounts.removeUser(removed.userId, { revokesTokens: true }, ACTOR)
  await accounts.changeUser(changed.userId, { revokesTokens: true }, ACTOR)
  for (const id of ids)
    assert.partialDeepStrictEqual(await meetings.get(id), {
      status: 'ended',
      reason: 'stopped',
      endedAt: clock.now(),
    })
  assert.partialDeepStrictEqual(await meetings.get(kept.id), { status: 'scheduled' })
  const audited = db
    .selectFrom('audit')
    .select('detail')
    .where('action', '=', 'scheduled meetings of token stopped')
  assert.deepEqual(await audited.execute(), [{ detail: '1' }, { detail: '1' }])
  await meetings.stop(kept.id)
})

test('a meeting whose link is not supported any more does not begin', async () => {
  const { schedule, db, meetings, clock } = opened()
  const { id } = await schedule(HOUR)
  await sql`update meeting set url = 'gone://room' where id = ${id}`.execute(db)
  clock.advance(-120)
  await checkNotAllowed(id, 'The meeting link is not supported any more')
  // It ends before its join time, so its start must be before that too.
  assert.partialDeepStrictEqual(await meetings.get(id), { startedAt: clock.now() })
})

test('a meeting whose callback URL is blocked by now does not begin', async () => {
  const { schedule, world } = opened()
  const { id } = await schedule(HOUR)
  world.callbackProblem = '127.0.0.1 is a loopback address'
  await checkNotAllowed(id, 'The callback URL is not allowed: 127.0.0.1 is a loopback address')
  world.callbackProblem = null
})
