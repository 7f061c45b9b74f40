import { strict as assert } from 'node:assert'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { PROBLEM_CODES } from '../../src/connections/problems.ts'
import { INSTALLATION_FOLDER } from '../../src/config/load-config.ts'
import type { ApiConnection } from '../../src/http/shapes/connections.ts'
import { openForFile } from '../support/open-for-file.ts'
import {
  addConnection,
  connectionFields,
  getConnection,
  startConnectionWorld,
} from '../support/microsoft/connection-world.ts'
import { addTranscript } from '../support/microsoft/tenant.ts'
import { invitePerson } from '../support/service/invite-person.ts'

const world = openForFile(() => startConnectionWorld())

test('only admins, and keys of admins without limits, use connections', async () => {
  const { admin, service } = world()
  const { client: member } = await invitePerson(service, admin)
  assert.equal((await member.get('/web/connections')).status, 403)
  const { apiKey: own } = await member.createToken()
  const { apiKey: scoped } = await admin.createToken({ name: 'scoped', scopes: ['read'] })
  const { apiKey: full } = await admin.createToken({ name: 'full' })
  const statusOf = async (key: string) =>
    (await service.anonymousClient().get('/api/v1/connections', { 'x-api-key': key })).status
  assert.deepEqual(
    [await statusOf(own), await statusOf(scoped), await statusOf(full)],
    [403, 403, 200],
  )
})

test('a project that does not exist is refused, and so is one that the admin cannot read', async () => {
  const { admin, clock, db } = world()
  const hidden = {
    project: 'hidden',
    access: 'private',
    created_by: null,
    created_at: clock.now(),
  } as const
  await db.insertInto('project_access').values(hidden).execute()
  for (const project of ['hidden', 'nothing']) {
    const answer = await admin.post('/web/connections', { ...connectionFields(clock), project })
    assert.equal(answer.status, 404)
    assert.equal(answer.body['code'], 'project_not_found')
  }
})

test('a change keeps what is not sent, writes an audit entry without values, and reads the connection again', async () => {
  const { admin } = world()
  const { id, organizers } = await addConnection(world())
  const change = { name: 'Renamed', excludedTitles: ['secret merger'] }
  const { status, body } = await admin.request('PATCH', `/web/connections/${id}`, change, {})
  assert.equal(status, 200)
  const { connection } = body as { connection: ApiConnection }
  assert.equal(connection.name, 'Renamed')
  assert.deepEqual(
    connection.organizers.map(({ address }) => address),
    organizers.map(({ address }) => address),
  )
  const audit = JSON.stringify((await admin.get('/web/audit')).body)
  assert.match(audit, /connection changed/)
  assert.match(audit, /name, excludedTitles/)
  assert.ok(!audit.includes('secret merger'))
  assert.equal((await admin.delete(`/web/connections/${id}`)).status, 200)
  assert.equal((await admin.delete(`/web/connections/${id}`)).status, 404)
})

test('organizers that are no longer listed are not read any more, and new ones are', async () => {
  const { admin, microsoft, organizer } = world()
  // Not available yet, so it waits.
  addTranscript(microsoft.tenant, organizer).isGone = true
  const { id, transcripts } = await addConnection(world())
  assert.equal(transcripts.waiting, 1)
  const organizers = ['new@example.com', 'NEW@example.com ']
  await admin.request('PATCH', `/web/connections/${id}`, { organizers }, {})
  const connection = await getConnection(admin, id)
  assert.deepEqual(
    connection.organizers.map(({ address }) => address),
    ['new@example.com'],
  )
  assert.equal(connection.transcripts.waiting, 0)
})

test('fields with a wrong form are refused with the reason of each', async () => {
  const { admin, clock } = world()
  const wrong = { tenant: '../common', clientId: 'x', organizers: ['no address'], cloud: 'china' }
  const { status, body } = await admin.post('/web/connections', {
    ...connectionFields(clock),
    ...wrong,
  })
  assert.equal(status, 400)
  const details = body['details'] as Array<{ path: string }>
  assert.deepEqual(details.map(({ path }) => path).toSorted(), [
    'clientId',
    'cloud',
    'organizers.0',
    'tenant',
  ])
  const { clientSecret: _, ...without } = connectionFields(clock)
  assert.equal((await admin.post('/web/connections', without)).status, 400)
})

test('docs/connections.md explains every problem', () => {
  const text = readFileSync(join(INSTALLATION_FOLDER, 'docs/connections.md'), 'utf8')
  const missing = PROBLEM_CODES.filter((code) => !text.includes(`\`${code}\``))
  assert.deepEqual(missing, [])
})
