import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import pino from 'pino'
import { ADMIN } from '../support/service/admin-user.ts'
import { openForFile } from '../support/open-for-file.ts'
import {
  addConnection,
  connectionFields,
  getConnection,
  listTranscripts,
  ORGANIZER,
  readAgain,
  removeConnections,
  startConnectionWorld,
  waitUntilRead,
  type ConnectionWorld,
} from '../support/microsoft/connection-world.ts'
import { addTranscript, addUser, ALL_PERMISSIONS } from '../support/microsoft/tenant.ts'
import { eventually } from '../support/time/eventually.ts'

const PUBLIC_URL = 'https://hansard.example.com'
const PATH = '/web/connection-notifications/microsoft'
const DAY_SECONDS = 86_400

const lines: string[] = []
const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) })

async function startReportedWorld(): Promise<ConnectionWorld> {
  const world = await startConnectionWorld({ HANSARD_PUBLIC_URL: PUBLIC_URL }, {}, log)
  world.microsoft.serviceOrigin = originOf(world)
  return world
}

const originOf = ({ service }: Pick<ConnectionWorld, 'service'>) =>
  `http://127.0.0.1:${service.port}`

const opened = openForFile(() => startReportedWorld())

/** Removes the connections of earlier tests, so that each test has its own. */
async function openEmpty(): Promise<ConnectionWorld> {
  const world = opened()
  world.microsoft.fault = null
  world.microsoft.tenant.permissions = [...ALL_PERMISSIONS]
  await removeConnections(world.admin)
  world.microsoft.subscriptions.length = 0
  return world
}

const hoursLeft = ({ clock }: ConnectionWorld, at = '') =>
  (Date.parse(at) - clock.now().getTime()) / 3_600_000

function post(world: ConnectionWorld, body: unknown): Promise<Response> {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return fetch(`${originOf(world)}${PATH}`, { method: 'POST', body: text })
}

test('Microsoft validates the address, reports a transcript, and it is read at once', async () => {
  const world = await openEmpty()
  const { admin, clock, microsoft, organizer } = world
  const { id } = await addConnection(world)
  const [subscription] = microsoft.subscriptions
  assert.deepEqual(
    {
      ...subscription,
      id: null,
      clientState: null,
      expirationDateTime: hoursLeft(world, subscription?.expirationDateTime),
    },
    {
      id: null,
      changeType: 'created',
      resource: `users/${organizer.id}/onlineMeetings/getAllTranscripts`,
      notificationUrl: `${PUBLIC_URL}${PATH}`,
      lifecycleNotificationUrl: `${PUBLIC_URL}${PATH}`,
      clientState: null,
      expirationDateTime: 48,
    },
  )
  addTranscript(microsoft.tenant, organizer, { subject: 'Sudden' })
  clock.advance(30)
  assert.deepEqual(await microsoft.notify(originOf(world), { changeType: 'created' }), [202])
  await waitUntilRead(world, id)
  assert.deepEqual(
    (await listTranscripts(admin, id)).map(({ state }) => state),
    ['imported'],
  )
  // Doubled, and without another transcript: the connection is not read more often than every ten seconds.
  const sent = microsoft.requests.length
  assert.deepEqual(await microsoft.notify(originOf(world)), [202])
  assert.deepEqual(await microsoft.notify(originOf(world)), [202])
  assert.equal(microsoft.requests.length, sent)
  const { nextPollAt } = await getConnection(admin, id)
  assert.equal(Date.parse(nextPollAt) - clock.now().getTime(), 10_000)
})

test('a report reads only the organizer whom it is about', async () => {
  const world = await openEmpty()
  const { clock, microsoft, organizer } = world
  const other = addUser(microsoft.tenant, 'joan@example.com')
  const { id } = await addConnection(world, { organizers: [ORGANIZER, other.address] })
  assert.equal(microsoft.subscriptions.length, 2)
  microsoft.subscriptions.splice(
    0,
    2,
    ...microsoft.subscriptions.filter(({ resource }) => resource.includes(organizer.id)),
  )
  clock.advance(30)
  const before = microsoft.requests.length
  await microsoft.notify(originOf(world))
  await waitUntilRead(world, id)
  const read = microsoft.requests.slice(before).filter(({ path }) => path.includes('/delta'))
  assert.deepEqual(
    read.map(({ path }) => path.includes(organizer.id)),
    [true],
  )
})

test('a report that comes while the organizer is read makes another read follow', async () => {
  const world = await openEmpty()
  const { admin, clock, microsoft, organizer } = world
  const { id } = await addConnection(world)
  clock.advance(30)
  microsoft.fault = async ({ path }) => {
    if (!path.includes('/delta')) return undefined
    microsoft.fault = null
    await microsoft.notify(originOf(world))
    // Microsoft lists it only in the next round.
    return {
      status: 200,
      body: { '@odata.deltaLink': `${microsoft.origin}${path}`, value: [] },
    }
  }
  const created = addTranscript(microsoft.tenant, organizer, { subject: 'In between' })
  await admin.post(`/web/connections/${id}/read`)
  await eventually(async () => {
    clock.advance(1)
    const found = await listTranscripts(admin, id)
    return found.some(({ state }) => state === 'imported') ? true : null
  })
  assert.ok(clock.now().getTime() - created.createdAt.getTime() < 60_000)
})

test('forged, unknown and malformed reports of transcripts make nothing due', async () => {
  const world = await openEmpty()
  const { db, microsoft } = world
  await addConnection(world)
  const [id = '', secret = ''] = microsoft.subscriptions[0]?.clientState.split('.') ?? []
  const due = async () => [
    await db.selectFrom('connection').select(['id', 'next_poll_at']).execute(),
    await db.selectFrom('connection_organizer').select(['address', 'reported_at']).execute(),
    await db.selectFrom('connection_subscription').selectAll().execute(),
  ]
  const before = await due()
  const report = (clientState: unknown, fields: object = {}) => ({
    value: [{ clientState, ...fields }],
  })
  const bodies = [
    report(`${id}.wrong`),
    report(`${id}.wrong`, { lifecycleEvent: 'subscriptionRemoved' }),
    report(`tsub_unknown.${secret}`),
    report(id),
    report(null),
    { value: [] },
    report(7),
    report('x'.repeat(500)),
    report(`${id}.wrong`, { lifecycleEvent: 'x'.repeat(500) }),
    'not json',
    { value: Array.from({ length: 2_000 }, () => ({})) },
    'x'.repeat(300_000),
  ]
  const statuses = []
  for (const body of bodies) statuses.push((await post(world, body)).status)
  assert.deepEqual(statuses, [404, 404, 404, 404, 404, 404, 400, 400, 400, 400, 400, 413])
  assert.deepEqual(await due(), before)
  const stored = JSON.stringify(before) + lines.join('')
  assert.ok(secret.length > 20 && !stored.includes(secret))
})

test('a refused subscription is logged once and tried again after an hour, and polling goes on', async () => {
  const world = await openEmpty()
  const { admin, microsoft, organizer } = world
  const addresses = ['a', 'b', 'c', 'd'].map((name) => `${name}@refused.example.com`)
  for (const address of addresses) addUser(microsoft.tenant, address)
  const refusals: Array<[status: number, code: string]> = [
    [403, 'ExtensionError'],
    [400, 'ValidationError'],
    [429, 'TooManyRequests'],
  ]
  for (const [status, code] of refusals) {
    await removeConnections(admin)
    lines.length = 0
    microsoft.fault = ({ path }) =>
      path.endsWith('/subscriptions')
        ? { status, body: { error: { code: `${code}\0\n`, message: 'Refused' } } }
        : undefined
    const transcript = addTranscript(microsoft.tenant, organizer, { subject: `After ${status}` })
    const { id, problem } = await addConnection(world, { organizers: [ORGANIZER, ...addresses] })
    assert.equal(problem, null)
    const found = await listTranscripts(admin, id)
    assert.equal(found.find((one) => one.id === transcript.id)?.state, 'imported')
    await readAgain(world, id, 300)
    const warned = lines.filter((line) => line.includes('failed to ask for reports'))
    assert.deepEqual([warned.length, warned[0]?.includes(`status ${status} ${code}`)], [1, true])
    assert.equal(microsoft.subscriptions.length, 0)
    microsoft.fault = null
    await readAgain(world, id, 3_600)
    assert.equal(microsoft.subscriptions.length, addresses.length + 1)
    microsoft.subscriptions.length = 0
  }
})

test('subscriptions end when their person or their connection is removed', async () => {
  const world = await openEmpty()
  const { admin, microsoft } = world
  const other = addUser(microsoft.tenant, 'mary@example.com')
  const { id } = await addConnection(world, { organizers: [ORGANIZER, other.address] })
  assert.equal(microsoft.subscriptions.length, 2)
  world.clock.advance(1)
  await admin.request('PATCH', `/web/connections/${id}`, { organizers: [other.address] }, {})
  await waitUntilRead(world, id)
  assert.deepEqual(
    microsoft.subscriptions.map(({ resource }) => resource.includes(other.id)),
    [true],
  )
  await admin.delete(`/web/connections/${id}`)
  assert.deepEqual(microsoft.subscriptions, [])
  // Removing works even if Microsoft refuses.
  const { id: second } = await addConnection(world)
  microsoft.fault = ({ method }) =>
    method === 'DELETE' ? { status: 503, body: { error: { code: 'x' } } } : undefined
  assert.equal((await admin.delete(`/web/connections/${second}`)).status, 200)
})

test('without a public https address, transcripts are only polled', async () => {
  await using world = await startConnectionWorld({ HANSARD_PUBLIC_URL: 'http://hansard.internal' })
  const { admin, clock, microsoft, organizer } = world
  addTranscript(microsoft.tenant, organizer)
  const { id } = await addConnection(world, connectionFields(clock))
  assert.equal((await listTranscripts(admin, id)).length, 1)
  assert.ok(microsoft.requests.every(({ path }) => !path.includes('subscriptions')))
})

/** The admin signs in again, because the session has ended. */
async function readLater(world: ConnectionWorld, id: string, seconds: number): Promise<void> {
  world.clock.advance(seconds)
  const { email, password } = ADMIN
  await world.admin.post('/web/sign-in', { email, password })
  await readAgain(world, id)
}

test('subscriptions are renewed before they end, and requested again after Microsoft ended them', async () => {
  const world = await openEmpty()
  const { clock, microsoft } = world
  const { id } = await addConnection(world)
  const [first] = microsoft.subscriptions
  const renewals = () => microsoft.requests.filter(({ method }) => method === 'PATCH').length
  await readLater(world, id, DAY_SECONDS / 2)
  assert.equal(renewals(), 0)
  await readLater(world, id, DAY_SECONDS / 2)
  assert.deepEqual([renewals(), hoursLeft(world, first?.expirationDateTime)], [1, 48])
  // Lost without a report of it: the next renewal finds out.
  microsoft.subscriptions.length = 0
  await readLater(world, id, DAY_SECONDS)
  assert.deepEqual([renewals(), microsoft.subscriptions.length], [2, 1])
  assert.notEqual(microsoft.subscriptions[0]?.clientState, first?.clientState)
  // The token of the former one is no longer known.
  assert.equal((await post(world, { value: [first] })).status, 404)

  clock.advance(30)
  const fields = (lifecycleEvent: string) => ({ lifecycleEvent })
  await microsoft.notify(originOf(world), fields('reauthorizationRequired'))
  await waitUntilRead(world, id)
  assert.deepEqual([renewals(), microsoft.subscriptions.length], [3, 1])

  clock.advance(30)
  const polls = microsoft.requests.length
  await microsoft.notify(originOf(world), fields('missed'))
  await waitUntilRead(world, id)
  const paths = microsoft.requests
    .slice(polls)
    .flatMap(({ path }) => (path.endsWith('/token') ? [] : path))
  assert.ok(paths.length > 0 && paths.every((path) => path.includes('/delta')), paths.join())

  clock.advance(30)
  const [removed] = microsoft.subscriptions
  await microsoft.notify(originOf(world), fields('subscriptionRemoved'))
  microsoft.subscriptions.length = 0
  await waitUntilRead(world, id)
  assert.equal(microsoft.subscriptions.length, 1)
  assert.notEqual(microsoft.subscriptions[0]?.id, removed?.id)
})
