import { strict as assert } from 'node:assert'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { parseConfig } from '../../src/config/config.ts'
import { EVENT_TYPES } from '../../src/meetings/event-types.ts'
import { checkDelivery, type ExpectedEvent } from '../support/callbacks/check-delivery.ts'
import { openRecordingReceiver } from '../support/callbacks/recording-receiver.ts'
import { createTestDatabase } from '../support/database/test-database.ts'
import { openBotAccounts } from '../support/meetings/bot-accounts.ts'
import { openMeetingsClient } from '../support/meetings/meetings-client.ts'
import { createScriptedPlatform } from '../support/meetings/scripted-platform.ts'
import { MASTER_KEY } from '../support/service/start-nodes.ts'
import { startService, type TestService } from '../support/service/start-service.ts'
import { createTaskCalls, createTaskDataFolder } from '../support/tasks/task-service.ts'
import { eventually } from '../support/time/eventually.ts'

const PROMPT = '---\nbuiltin: stats\n---\n'

type Check = { name: string; ok: boolean; detail: string }

/** The readiness of a node, and its check of roles. */
async function readRoles(node: TestService): Promise<{ status: number; check: Check | undefined }> {
  const { status, body } = await node.anonymousClient().get('/readyz')
  return { status, check: (body['checks'] as Check[]).find(({ name }) => name === 'roles') }
}

/** A node caches the answer for a second. */
const waitForRoles = (node: TestService, ok: boolean): Promise<Check> =>
  eventually(async () => {
    const { status, check } = await readRoles(node)
    assert.equal(status, 200)
    return check?.ok === ok ? check : null
  })

test('nodes with one role each attend meetings, deliver callbacks and run tasks, and no bot needs the master key', async () => {
  await using stack = new AsyncDisposableStack()
  const database = stack.use(await createTestDatabase())
  const data = stack.use(createTaskDataFolder({ report: PROMPT }))
  const receiver = stack.use(await openRecordingReceiver())
  const shared = { DATABASE_URL: database.url, HANSARD_DATA: data.path, HANSARD_RECAP: 'on' }
  const withKey = { ...shared, HANSARD_MASTER_KEY: MASTER_KEY }

  const bots = stack.use(await startService({ ...shared, HANSARD_ROLES: 'bots' }))
  assert.equal(existsSync(join(data.path, 'secrets/master.key')), false)
  const alone = await readRoles(bots)
  assert.partialDeepStrictEqual(alone, { status: 200, check: { ok: false } })
  assert.match(alone.check?.detail ?? '', /role api: .*role tasks: /)
  assert.equal(bots.setupLink, null)

  const api = stack.use(await startService({ ...withKey, HANSARD_ROLES: 'api' }))
  await using tasks = await startService({ ...withKey, HANSARD_ROLES: 'tasks' })
  const program = await openMeetingsClient(api)
  receiver.trustSecrets(program.signingSecret)
  for (const node of [bots, tasks]) {
    for (const path of ['/', '/api/v1/meetings', '/web/state', '/mcp']) {
      const answer = await node.anonymousClient().get(path)
      assert.deepEqual([answer.status, answer.body['code']], [421, 'not_on_this_node'], path)
    }
    assert.equal((await node.anonymousClient().get('/healthz')).status, 200)
  }
  for (const node of [api, bots, tasks]) await waitForRoles(node, true)

  const work = createTaskCalls(api.url, api.anonymousClient(), program.key['x-api-key'])
  const trigger = { on: 'meeting_ended' }
  const created = await work.create({ name: 'after', promptName: 'report', trigger })
  assert.equal(created.status, 201, JSON.stringify(created.body))
  const meetingId = await program.start('practice://standup?speed=16', {
    callbackUrl: receiver.url,
    events: EVENT_TYPES,
  })
  const { body } = await program.admin.get('/web/system/nodes')
  assert.partialDeepStrictEqual(
    (body['nodes'] as Array<{ roles: string[] }>).map(({ roles }) => roles.join(',')).toSorted(),
    ['api', 'bots', 'tasks'],
  )
  assert.partialDeepStrictEqual(await program.waitForStatus(meetingId), { status: 'ended' })
  const [execution] = await eventually(async () => {
    const ended = (await work.history('after')).filter(({ status }) => status !== 'running')
    return ended.length > 0 ? ended : null
  })
  assert.equal(execution?.status, 'completed', JSON.stringify(execution))
  await eventually(() => {
    const types = receiver.callsFor(meetingId).map(({ event }) => event.type)
    return types.includes('recap_ready') ? true : null
  })
  await program.waitForDelivery(meetingId)
  const events = (await program.events(meetingId)) as ExpectedEvent[]
  const { partials } = checkDelivery(receiver.callsFor(meetingId), events)
  assert.ok(
    partials > 0,
    'captions that are not final are delivered by another node than that of the bot',
  )
  assert.deepEqual(receiver.problems, [])

  await tasks[Symbol.asyncDispose]()
  const doctor = await program.admin.post('/web/system/checks/roles', {})
  assert.partialDeepStrictEqual(doctor.body, { ok: false })
  assert.match(String(doctor.body['detail']), /no running node has the role tasks: callbacks/)
  assert.match((await waitForRoles(api, false)).detail, /no running node has the role tasks/)
})

test('a bot account is used only by nodes that have the master key', async () => {
  await using stack = new AsyncDisposableStack()
  const database = stack.use(await createTestDatabase())
  const open = async (env: Record<string, string>) => {
    const platform = createScriptedPlatform()
    for (const name of ['one', 'two', 'guest']) platform.room(name).emit({ kind: 'admitted' })
    const withDatabase = { DATABASE_URL: database.url, ...env }
    const service = stack.use(await startService(withDatabase, { platforms: [platform] }))
    return { service, room: platform.room }
  }
  const withoutKey = await open({ HANSARD_ROLES: 'bots' })
  const { service } = await open({ HANSARD_MASTER_KEY: MASTER_KEY, HANSARD_ROLES: 'api,tasks' })
  const program = await openMeetingsClient(service)
  const { addGoogle } = stack.use(await openBotAccounts(database.url))
  await addGoogle('notes', 2)
  const account = { account: 'notes' }
  const body = { url: 'stage://one', callbackUrl: 'http://127.0.0.1:9/', ...account }
  const refused = await program.post('/start', body)
  assert.equal(refused.status, 400)
  assert.match(
    JSON.stringify(refused.body),
    /No running node with the role bots has the master key/,
  )

  const env = { HANSARD_MASTER_KEY: MASTER_KEY, HANSARD_ROLES: 'bots', HANSARD_MAX_BOTS: '1' }
  const withKey = await open(env)
  await program.waitForStatus(await program.start('stage://one', account), ['live'])
  const two = await program.start('stage://two', account)
  const guest = await program.start('stage://guest')
  await program.waitForStatus(guest, ['live'])
  // The node without the key had capacity for this older meeting when it claimed the newer one.
  assert.partialDeepStrictEqual(await program.waitForStatus(two, ['joining']), { visits: 0 })
  withKey.room('one').emit({ kind: 'over', because: 'host_ended' })
  await program.waitForStatus(two, ['live'])
  const bots = (name: string) =>
    [withoutKey, withKey].map(({ room }) => room(name).countAttendances())
  assert.deepEqual(
    [bots('one'), bots('two'), bots('guest')],
    [
      [0, 1],
      [0, 1],
      [1, 0],
    ],
  )
})

test('only a node with an external database can leave roles to others', () => {
  const parse = (env: Record<string, string>) => parseConfig({ env, root: '/' })
  assert.throws(() => parse({ HANSARD_ROLES: 'api' }), /needs an external PostgreSQL/)
  assert.throws(() => parse({ HANSARD_ROLES: 'api,web' }), /one or more of api, bots, tasks/)
  assert.deepEqual(parse({ HANSARD_ROLES: 'tasks, bots,api' }).roles, ['tasks', 'bots', 'api'])
  assert.deepEqual(parse({ HANSARD_ROLES: 'bots', DATABASE_URL: 'postgres://x/y' }).roles, ['bots'])
})
