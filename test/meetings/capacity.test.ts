import { strict as assert } from 'node:assert'
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { ServiceOverrides } from '../../src/app/service.ts'
import { connectToDatabase } from '../../src/db/database.ts'
import { createLog } from '../../src/log.ts'
import type { Platform, PlatformEvent } from '../../src/bots/platforms/platform.ts'
import { findFrontMatter } from '../../src/projects/front-matter.ts'
import { requireEnv } from '../support/database/test-database.ts'
import { checkDelivery } from '../support/callbacks/check-delivery.ts'
import { eventually } from '../support/time/eventually.ts'
import { openMeetingsClient, startService } from '../support/meetings/meetings-client.ts'
import { openRecordingReceiver } from '../support/callbacks/recording-receiver.ts'
import { createScriptedPlatform } from '../support/meetings/scripted-platform.ts'

const OVER: PlatformEvent = { kind: 'over', because: 'host_ended' }

async function openNode(
  env: Record<string, string>,
  platform = createScriptedPlatform(),
  more: ServiceOverrides = {},
) {
  return { platform, service: await startService(env, { platforms: [platform], ...more }) }
}

async function openStage(
  env: Record<string, string> = {},
  platform = createScriptedPlatform(),
  more: ServiceOverrides = {},
) {
  const { service } = await openNode(env, platform, more)
  return { service, platform, program: await openMeetingsClient(service) }
}

test('a node attends as many meetings as it has bots, queues some, and rejects the rest with the numbers', async () => {
  const limits = { HANSARD_MAX_BOTS: '1', HANSARD_QUEUE_LIMIT: '1' }
  const { service: opened, platform, program } = await openStage(limits)
  await using _ = opened
  platform.room('one').emit({ kind: 'admitted' })
  platform.room('two').emit({ kind: 'admitted' })
  const one = await program.start('stage://one')
  await program.waitForStatus(one, ['live'])
  const two = await program.start('stage://two')
  const refused = await program.post('/start', {
    url: 'stage://three',
    callbackUrl: 'http://127.0.0.1:9/',
  })
  assert.deepEqual([refused.status, refused.body.code], [503, 'at_capacity'])
  assert.match(String(refused.headers.get('retry-after')), /^\d+$/)
  assert.match(String(refused.body.error), /All 1 bots are busy and 1 meetings wait/)

  // Practice meetings need no browser, so they have a separate limit.
  const practice = await program.start('practice://host-ends?speed=100')
  assert.partialDeepStrictEqual(await program.waitForStatus(practice), { status: 'ended' })
  assert.partialDeepStrictEqual(await program.waitForStatus(two, ['joining']), { visits: 0 })
  assert.equal(platform.room('two').countAttendances(), 0)

  platform.room('one').emit(OVER)
  assert.partialDeepStrictEqual(await program.waitForStatus(two, ['live']), { visits: 1 })
  platform.room('two').emit(OVER)
  assert.partialDeepStrictEqual(await program.waitForStatus(two), { status: 'ended' })
})

test('a meeting that waits too long for a free bot ends with at_capacity and a complete document', async () => {
  const limits = { HANSARD_MAX_BOTS: '0', HANSARD_QUEUE_TIMEOUT: '1' }
  const { service: opened, platform, program } = await openStage(limits)
  await using _ = opened
  const id = await program.start('stage://one')
  assert.partialDeepStrictEqual(await program.waitForStatus(id), {
    status: 'error',
    reason: 'at_capacity',
  })
  assert.equal(platform.room('one').countAttendances(), 0)
  const { body } = await program.get(`/${id}/document`)
  assert.equal(findFrontMatter(String(body['text']))?.fields['status'], 'completed')
})

test('callbacks of a queued meeting are sent by its node, and later by the node that runs its bot', async () => {
  const key = { HANSARD_MASTER_KEY: Buffer.alloc(32, 5).toString('base64') }
  const { service: opened, program } = await openStage({ ...key, HANSARD_MAX_BOTS: '0' })
  await using _ = opened
  await using receiver = await openRecordingReceiver(program.signingSecret)
  const id = await program.start('stage://one', { callbackUrl: receiver.url })
  await receiver.waitUntil((calls) => calls.length > 0)
  assert.partialDeepStrictEqual(receiver.calls[0]?.event, {
    type: 'meeting_status',
    payload: { status: 'joining' },
  })
  assert.partialDeepStrictEqual(await program.waitForStatus(id, ['joining']), { visits: 0 })

  const env = { ...key, HANSARD_MAX_BOTS: '5', DATABASE_URL: opened.databaseUrl }
  const { platform, service: other } = await openNode(env)
  await using stack = new AsyncDisposableStack()
  stack.use(other)
  const room = platform.room('one')
  room.emit({ kind: 'admitted' })
  await program.waitForStatus(id, ['live'])
  // Only the node that runs the bot sends partial captions.
  let text = 'So'
  await eventually(() => {
    text += ' and so'
    room.emit({ kind: 'caption', captionId: 'c', speaker: 'Ana', text })
    return receiver.calls.some(({ event }) => event.type === 'caption_partial') ? true : null
  })
  room.emit(OVER)
  await program.waitForStatus(id)
  await program.waitForDelivery(id)
  checkDelivery(receiver.callsFor(id), await program.events(id))
})

test('a queued meeting can be stopped', async () => {
  const { service: opened, platform, program } = await openStage({ HANSARD_MAX_BOTS: '0' })
  await using _ = opened
  const id = await program.start('stage://one')
  assert.deepEqual((await program.post('/stop', { meetingId: id })).body['status'], 'stopping')
  assert.partialDeepStrictEqual(await program.waitForStatus(id), {
    status: 'ended',
    reason: 'stopped',
  })
  assert.equal(platform.room('one').countAttendances(), 0)
})

test('a meeting that only has to be finished needs no free bot', async () => {
  const { service: opened, platform, program } = await openStage({ HANSARD_MAX_BOTS: '0' })
  await using _ = opened
  const id = await program.start('stage://one')
  const log = createLog('silent')
  const database = await connectToDatabase(
    { connectionString: opened.databaseUrl },
    { max: 1, log },
  )
  await database.db
    .updateTable('meeting')
    .set({ status: 'lobby', fence: 1, reason: 'denied' })
    .where('id', '=', id)
    .execute()
  await database.close()
  assert.partialDeepStrictEqual(await program.waitForStatus(id), {
    status: 'error',
    reason: 'denied',
  })
  assert.equal(platform.room('one').countAttendances(), 0)
})

test('concurrent stops while the bot joins end the meeting once', async () => {
  const { service: opened, platform, program } = await openStage()
  await using _ = opened
  const id = await program.start('stage://one')
  await eventually(() => (platform.room('one').countAttendances() > 0 ? true : null))
  const stop = () => program.post('/stop', { meetingId: id })
  const answers = await Promise.all([stop(), stop(), stop()])
  assert.ok(answers.every(({ status }) => status === 200))
  assert.ok(answers.some(({ body }) => body['status'] === 'stopping'))
  platform.room('one').emit({ kind: 'admitted' })
  assert.partialDeepStrictEqual(await program.waitForStatus(id), {
    status: 'ended',
    reason: 'stopped',
  })
  const statuses = (await program.events(id))
    .filter(({ type }) => type === 'meeting_status')
    .map(({ payload }) => payload['status'])
  assert.deepEqual(statuses, ['joining', 'leaving', 'ended'])
})

test('a meeting ends even if its platform session never closes', async () => {
  const hanging: Platform = {
    ...createScriptedPlatform(),
    async *attend() {
      yield { kind: 'admitted' }
      await new Promise(() => {})
    },
  }
  const { service: opened, program } = await openStage(
    {},
    Object.assign(createScriptedPlatform(), hanging),
    { platformCloseMs: 100 },
  )
  await using _ = opened
  const id = await program.start('stage://one')
  await program.waitForStatus(id, ['live'])
  await program.post('/stop', { meetingId: id })
  assert.partialDeepStrictEqual(await program.waitForStatus(id), {
    status: 'ended',
    reason: 'stopped',
  })
})

test('a platform failure ends the meeting with an error and a complete document', async () => {
  const broken: Platform = {
    ...createScriptedPlatform(),
    async *attend() {
      yield { kind: 'admitted' }
      yield { kind: 'caption', captionId: 'c', speaker: 'Ana', text: 'So far so good.' }
      throw new Error('the page is gone')
    },
  }
  const stage = Object.assign(createScriptedPlatform(), broken)
  const { service: opened, program } = await openStage({}, stage)
  await using _ = opened
  const id = await program.start('stage://one')
  assert.partialDeepStrictEqual(await program.waitForStatus(id), {
    status: 'error',
    reason: 'internal',
  })
  const { body } = await program.get(`/${id}/document`)
  const text = String(body['text'])
  assert.equal(findFrontMatter(text)?.fields['status'], 'completed')
  assert.ok(text.includes('So far so good.'), 'captions before the failure are in the document')
})

test('a meeting whose bots failed or were interrupted too often gets no further bot', async () => {
  const key = { HANSARD_MASTER_KEY: Buffer.alloc(32, 5).toString('base64') }
  const { service: opened, program } = await openStage({ ...key, HANSARD_MAX_BOTS: '0' })
  await using _ = opened
  const failing = await program.start('stage://failing')
  const fresh = await program.start('stage://fresh')
  const log = createLog('silent')
  const database = await connectToDatabase(
    { connectionString: opened.databaseUrl },
    { max: 1, log },
  )
  const set = (id: string, score: number) =>
    database.db
      .updateTable('meeting')
      .set({ failure_score: score, claimed_at: new Date() })
      .where('id', '=', id)
      .execute()
  await set(failing, 60)
  await set(fresh, 59)
  await database.close()

  const env = { ...key, HANSARD_MAX_BOTS: '5', DATABASE_URL: opened.databaseUrl }
  const platform = createScriptedPlatform()
  await using stack = new AsyncDisposableStack()
  stack.use((await openNode(env, platform)).service)
  platform.room('fresh').emit({ kind: 'admitted' })
  await program.waitForStatus(fresh, ['live'])
  assert.partialDeepStrictEqual(await program.waitForStatus(failing), {
    status: 'error',
    reason: 'service_restarted',
  })
  assert.equal(platform.room('failing').countAttendances(), 0)
  platform.room('fresh').emit(OVER)
  await program.waitForStatus(fresh)
})

test('a meeting whose document cannot be written is retried until it can, without another bot', async () => {
  const data = mkdtempSync(join(requireEnv('TEST_SCRATCH'), 'stuck-'))
  const { service: opened, platform, program } = await openStage({ HANSARD_DATA: data })
  await using _ = opened
  const id = await program.start('stage://one')
  const room = platform.room('one')
  room.emit({ kind: 'admitted' })
  await program.waitForStatus(id, ['live'])
  const folder = join(data, 'deployed-md-files/docs/api/meetings')
  renameSync(folder, `${folder}.away`)
  writeFileSync(folder, 'in the way')
  room.emit({ kind: 'caption', captionId: 'c', speaker: 'Ana', text: 'Keep this.', isFinal: true })
  room.emit(OVER)

  const log = createLog('silent')
  const database = await connectToDatabase(
    { connectionString: opened.databaseUrl },
    { max: 1, log },
  )
  const given = await eventually(async () => {
    const rows = await database.db.selectFrom('meeting').selectAll().execute()
    return rows.find(({ claim_after }) => claim_after !== null) ?? null
  })
  assert.deepEqual([given.owner, given.failure_score], [null, 12])
  rmSync(folder)
  renameSync(`${folder}.away`, folder)
  // As if the pause before the retry had passed.
  await database.db.updateTable('meeting').set({ claim_after: new Date() }).execute()
  await database.close()
  assert.partialDeepStrictEqual(await program.waitForStatus(id), {
    status: 'ended',
    reason: 'host_ended',
  })
  const { body } = await program.get(`/${id}/document`)
  const text = String(body['text'])
  assert.equal(findFrontMatter(text)?.fields['status'], 'completed')
  assert.ok(text.includes('Keep this.'))
  assert.equal(room.countAttendances(), 1, 'no second bot joined the meeting')
})
