import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { waitForLockWaiters } from '../support/database/lock-waits.ts'
import { openTestMeetingScheduler } from '../support/meetings/test-meeting-scheduler.ts'
import { openForFile } from '../support/open-for-file.ts'

const opened = openForFile(openTestMeetingScheduler)
const HOUR = 3_600
const ACTOR = { name: 'command line', ip: null }

/** Lets the time of the meeting come, and checks that it began and ended at once with this detail. */
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
    detail: 'The person who scheduled the meeting was removed',
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

test('who moved a meeting to a project must be allowed to use it when the meeting begins', async () => {
  const { schedule, addUser, removeUser, meetings } = opened()
  const mover = await addUser()
  const { id } = await schedule(HOUR)
  await meetings.change(mover, id, { title: 'Only the title' }, async () => undefined)
  await meetings.change(mover, id, { project: 'moved' }, async () => undefined)
  await removeUser(mover.userId)
  assert.partialDeepStrictEqual(await meetings.get(id), { reason: 'not_allowed' })
})

test('a meeting whose callback URL is blocked by now does not begin', async () => {
  const { schedule, world } = opened()
  const { id } = await schedule(HOUR)
  world.callbackProblem = '127.0.0.1 is a loopback address'
  await checkNotAllowed(id, 'The callback URL is not allowed: 127.0.0.1 is a loopback address')
  world.callbackProblem = null
})
