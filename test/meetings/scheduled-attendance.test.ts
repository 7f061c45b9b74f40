import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import type { PlatformEvent } from '../../src/bots/platforms/platform.ts'
import type { Db } from '../../src/db/database.ts'
import { checkDelivery } from '../support/callbacks/check-delivery.ts'
import { openRecordingReceiver } from '../support/callbacks/recording-receiver.ts'
import { createTestDatabase } from '../support/database/test-database.ts'
import { openMeetingsClient, startService } from '../support/meetings/meetings-client.ts'
import { createScriptedPlatform } from '../support/meetings/scripted-platform.ts'
import { MASTER_KEY, startTwoNodes } from '../support/service/start-nodes.ts'
import { eventually } from '../support/time/eventually.ts'
import { createManualClock } from '../support/time/manual-clock.ts'

const OVER: PlatformEvent = { kind: 'over', because: 'host_ended' }
type Program = Awaited<ReturnType<typeof openMeetingsClient>>

function openWorld() {
  const clock = createManualClock()
  const platform = createScriptedPlatform()
  return {
    clock,
    platform,
    extras: { clock, platforms: [platform] },
    at: (minutes: number) => new Date(clock.now().getTime() + minutes * 60_000).toISOString(),
  }
}

/** Makes the node look for due meetings now instead of at its next poll. */
async function wakeScheduler(program: Program, at: string): Promise<void> {
  const id = await program.start('stage://nudge', { joinAt: at, saveTranscript: false })
  await program.post('/stop', { meetingId: id })
}

test('one of two nodes begins a meeting; its bot waits for the join time, and callbacks are in order', async () => {
  const { clock, platform, extras, at } = openWorld()
  await using nodes = await startTwoNodes({}, extras)
  const program = await openMeetingsClient(nodes.one)
  await using receiver = await openRecordingReceiver(program.signingSecret)
  receiver.acceptAnyTimestamp()
  const id = await program.start('stage://one', { callbackUrl: receiver.url, joinAt: at(60) })
  const room = platform.room('one')
  room.emit({ kind: 'admitted' })
  clock.advance(58 * 60)
  await wakeScheduler(program, at(300))
  await program.waitForStatus(id, ['joining'])
  await eventually(() => (room.countAttendances() === 1 ? true : null))
  await receiver.waitUntil(() => receiver.callsFor(id).length > 0)
  const joinAt = at(2)
  clock.advance(120)
  // The bot was ready, but did not open the meeting before its time. Otherwise it would have been live earlier.
  assert.partialDeepStrictEqual(await program.waitForStatus(id, ['live']), { liveAt: joinAt })
  room.emit(OVER)
  assert.partialDeepStrictEqual(await program.waitForStatus(id), { visits: 1 })
  await program.waitForDelivery(id)
  const events = await program.events(id)
  assert.deepEqual(
    events.flatMap(({ type, payload }) => (type === 'meeting_status' ? [payload['status']] : [])),
    ['joining', 'live', 'leaving', 'ended'],
  )
  checkDelivery(receiver.callsFor(id), events)
  assert.equal(room.countAttendances(), 1)
})

test('a bot that waits for its join time can be stopped, and never opens the meeting', async () => {
  const { clock, platform, extras, at } = openWorld()
  await using service = await startService({}, extras)
  const program = await openMeetingsClient(service)
  const id = await program.start('stage://one', { joinAt: at(1) })
  const room = platform.room('one')
  room.emit({ kind: 'admitted' })
  await eventually(() => (room.countAttendances() === 1 ? true : null))
  const { body } = await program.post('/stop', { meetingId: id })
  assert.equal(body['status'], 'stopping')
  assert.partialDeepStrictEqual(await program.waitForStatus(id), {
    status: 'ended',
    reason: 'stopped',
    liveAt: null,
  })
  clock.advance(60)
  // A bot that was still waiting would have joined before this one.
  platform.room('two').emit({ kind: 'admitted' }, OVER)
  await program.waitForStatus(await program.start('stage://two'))
  assert.equal(room.countQueued(), 1)
})

test('after a restart a meeting begins late or is missed, and each is reported', async () => {
  const { clock, platform, extras, at } = openWorld()
  await using database = await createTestDatabase()
  const env = { DATABASE_URL: database.url, HANSARD_MASTER_KEY: MASTER_KEY }
  const ids: string[] = []
  let key = {}
  {
    await using before = await startService(env, extras)
    const program = await openMeetingsClient(before)
    ids.push(await program.start('stage://missed', { joinAt: at(10) }))
    ids.push(await program.start('stage://late', { joinAt: at(60) }))
    key = program.key
  }
  clock.advance(90 * 60)
  await using after = await startService(env, extras)
  const program = after.anonymousClient()
  const waitFor = (id: string | undefined, statuses: string[]) =>
    eventually(async () => {
      const { body } = await program.get(`/api/v1/meetings/${String(id)}`, key)
      const meeting = body['meeting'] as Record<string, unknown>
      return statuses.includes(String(meeting['status'])) ? meeting : null
    })
  const [missedId, lateId] = ids
  const missed = await waitFor(missedId, ['error'])
  assert.partialDeepStrictEqual(missed, { reason: 'missed', visits: 0, documentPath: null })
  assert.match(String(missed['detail']), /1 h 20 min late/)
  platform.room('late').emit({ kind: 'admitted' })
  await waitFor(lateId, ['live'])
  platform.room('late').emit(OVER)
  assert.partialDeepStrictEqual(await waitFor(lateId, ['ended']), { reason: 'host_ended' })
  assert.equal(platform.room('missed').countAttendances(), 0)
})

test('a meeting whose time comes while all bots are busy waits for one', async () => {
  const { clock, platform, extras, at } = openWorld()
  const limits = { HANSARD_MAX_BOTS: '1', HANSARD_QUEUE_LIMIT: '0' }
  await using service = await startService(limits, extras)
  const program = await openMeetingsClient(service)
  for (const name of ['one', 'two']) platform.room(name).emit({ kind: 'admitted' })
  const one = await program.start('stage://one')
  await program.waitForStatus(one, ['live'])
  // Scheduling needs no free bot.
  const two = await program.start('stage://two', { joinAt: at(60) })
  clock.advance(60 * 60)
  await wakeScheduler(program, at(300))
  assert.partialDeepStrictEqual(await program.waitForStatus(two, ['joining']), { visits: 0 })
  assert.equal(platform.room('two').countAttendances(), 0)
  platform.room('one').emit(OVER)
  assert.partialDeepStrictEqual(await program.waitForStatus(two, ['live']), { visits: 1 })
  platform.room('two').emit(OVER)
  await program.waitForStatus(two)
})

test('a meeting that began before all nodes stopped is joined late, and not reported as at capacity', async () => {
  const { clock, platform, extras, at } = openWorld()
  await using database = await createTestDatabase()
  const env = { DATABASE_URL: database.url, HANSARD_MASTER_KEY: MASTER_KEY }
  for (const name of ['one', 'late']) platform.room(name).emit({ kind: 'admitted' })
  let id = ''
  let key = {}
  {
    // The only bot is busy, so no node claims the meeting.
    await using before = await startService({ ...env, HANSARD_MAX_BOTS: '1' }, extras)
    const program = await openMeetingsClient(before)
    await program.waitForStatus(await program.start('stage://one'), ['live'])
    id = await program.start('stage://late', { joinAt: at(10) })
    clock.advance(8 * 60)
    await wakeScheduler(program, at(300))
    await program.waitForStatus(id, ['joining'])
    key = program.key
  }
  clock.advance(20 * 60)
  await using after = await startService({ ...env, HANSARD_MAX_BOTS: '2' }, extras)
  const client = after.anonymousClient()
  const status = await eventually(async () => {
    const { body } = await client.get(`/api/v1/meetings/${id}`, key)
    const { status: found } = body['meeting'] as { status: string }
    return found === 'joining' ? null : found
  })
  assert.equal(status, 'live')
})

test('a meeting that is over before a bot is free is missed, and no bot joins it', async () => {
  const { clock, platform, extras, at } = openWorld()
  const limits = { HANSARD_MAX_BOTS: '1', HANSARD_QUEUE_TIMEOUT: '86400' }
  await using service = await startService(limits, extras)
  const program = await openMeetingsClient(service)
  platform.room('one').emit({ kind: 'admitted' })
  await program.waitForStatus(await program.start('stage://one'), ['live'])
  const id = await program.start('stage://two', { joinAt: at(10) })
  clock.advance(10 * 60)
  await wakeScheduler(program, at(300))
  await program.waitForStatus(id, ['joining'])
  clock.advance(3_601)
  const missed = await program.waitForStatus(id)
  assert.partialDeepStrictEqual(missed, { status: 'error', reason: 'missed' })
  assert.equal(platform.room('two').countAttendances(), 0)
})

test('a meeting that was started late is missed when its end comes before a bot is free', async () => {
  const { clock, platform, extras, at } = openWorld()
  const limits = { HANSARD_MAX_BOTS: '1', HANSARD_QUEUE_TIMEOUT: '86400' }
  let db: Db | undefined
  const routes = (_app: unknown, opened: Db) => void (db = opened)
  await using service = await startService(limits, { ...extras, routes })
  const program = await openMeetingsClient(service)
  platform.room('one').emit({ kind: 'admitted' })
  await program.waitForStatus(await program.start('stage://one'), ['live'])
  const [id, other] = [await program.start('stage://two'), await program.start('stage://three')]
  // Calendars start a meeting with its end. Requests have no field for that.
  const expected_end_at = new Date(at(20))
  await db?.updateTable('meeting').set({ expected_end_at }).where('id', '=', id).execute()
  clock.advance(20 * 60 + 1)
  const missed = await program.waitForStatus(id)
  assert.partialDeepStrictEqual(missed, { status: 'error', reason: 'missed' })
  assert.equal(platform.room('two').countAttendances(), 0)
  assert.match(String(missed['detail']), /before the end of the meeting/)
  assert.partialDeepStrictEqual(await program.waitForStatus(other, ['joining']), { visits: 0 })
})
