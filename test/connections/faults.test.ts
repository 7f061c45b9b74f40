import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { Client } from 'pg'
import pino from 'pino'
import { createTestDatabase } from '../support/database/test-database.ts'
import {
  addConnection,
  connectionFields,
  getConnection,
  listTranscripts,
  readAgain,
  startConnectionWorld,
  waitUntilRead,
} from '../support/microsoft/connection-world.ts'
import type { MicrosoftRequest } from '../support/microsoft/microsoft-server.ts'
import { addTranscript, CLIENT_SECRET } from '../support/microsoft/tenant.ts'

const isContent = ({ path }: MicrosoftRequest) => path.includes('/content')
const isList = ({ path }: MicrosoftRequest) => path.includes('/delta')
const THROTTLED = {
  status: 429,
  body: { error: { code: 'TooManyRequests', message: 'Too many requests' } },
  headers: { 'retry-after': '1800' },
}

test('while Microsoft limits the requests, the connection waits as long as it asks, even if an admin asks earlier', async () => {
  await using world = await startConnectionWorld()
  const { microsoft, organizer, admin, clock } = world
  addTranscript(microsoft.tenant, organizer)
  microsoft.fault = (request) => (isContent(request) ? THROTTLED : undefined)
  const { id, problem, nextPollAt } = await addConnection(world)
  assert.equal(problem?.code, 'throttled')
  assert.equal(new Date(nextPollAt).getTime() - clock.now().getTime(), 1_800_000)
  microsoft.fault = null
  const before = microsoft.requests.length
  await admin.post(`/web/connections/${id}/read`)
  await admin.request('PATCH', `/web/connections/${id}`, { name: 'Renamed' }, {})
  assert.equal((await getConnection(admin, id)).nextPollAt, nextPollAt)
  assert.equal(microsoft.requests.length, before)
  clock.advance(1_801)
  await admin.post(`/web/connections/${id}/read`)
  const again = await waitUntilRead(world, id)
  assert.equal(again.problem, null)
  assert.equal(again.transcripts.imported, 1)
})

test('a token that was revoked is replaced once, and an application that stays refused is named', async () => {
  await using world = await startConnectionWorld()
  const { microsoft, organizer } = world
  addTranscript(microsoft.tenant, organizer)
  let revocations = 1
  microsoft.fault = (request) => {
    if (isContent(request) && revocations > 0) {
      revocations -= 1
      microsoft.tenant.tokenGeneration += 1
    }
    return undefined
  }
  const { id, problem, transcripts } = await addConnection(world)
  assert.equal(problem, null)
  assert.equal(transcripts.imported, 1)
  microsoft.fault = (request) => {
    if (isList(request)) microsoft.tenant.tokenGeneration += 1
    return undefined
  }
  assert.equal((await readAgain(world, id)).problem?.code, 'access_revoked')
})

test('a transcript that Microsoft cannot hand out does not stop the others, and is tried again', async () => {
  await using world = await startConnectionWorld()
  const { microsoft, organizer, admin } = world
  const poison = addTranscript(microsoft.tenant, organizer)
  addTranscript(microsoft.tenant, organizer)
  const isPoison = ({ path }: MicrosoftRequest) =>
    path.includes(poison.id) && path.includes('/content')
  microsoft.fault = (request) =>
    isPoison(request) ? { status: 502, body: 'Bad gateway' } : undefined
  const { id, problem, transcripts } = await addConnection(world)
  assert.equal(problem, null)
  assert.partialDeepStrictEqual(transcripts, { imported: 1, waiting: 1 })
  const waiting = (await listTranscripts(admin, id)).find(({ state }) => state === 'waiting')
  assert.equal(waiting?.problem?.code, 'unavailable')
  microsoft.fault = null
  assert.equal((await readAgain(world, id, 121)).transcripts.imported, 2)
})

test('a server with a problem, a dropped connection and an answer that is no JSON are named and survived', async () => {
  await using world = await startConnectionWorld()
  const { microsoft, organizer } = world
  addTranscript(microsoft.tenant, organizer)
  microsoft.fault = (request) => (isList(request) ? { status: 503, body: '' } : undefined)
  const { id, problem } = await addConnection(world)
  assert.equal(problem?.code, 'unavailable')
  microsoft.fault = (request) => (isList(request) ? 'drop' : undefined)
  assert.equal((await readAgain(world, id)).problem?.code, 'unreachable')
  microsoft.fault = (request) => (isList(request) ? { status: 200, body: '<html>' } : undefined)
  assert.equal((await readAgain(world, id)).problem?.code, 'bad_answer')
  microsoft.fault = null
  const { problem: none, brokenSince, transcripts } = await readAgain(world, id)
  assert.equal(none, null)
  assert.equal(brokenSince, null)
  assert.equal(transcripts.imported, 1)
})

test('a link to another host is not followed, so no token leaves', async () => {
  await using world = await startConnectionWorld()
  const { microsoft } = world
  microsoft.fault = (request) =>
    isList(request)
      ? { status: 200, body: { value: [], '@odata.nextLink': 'http://127.0.0.1:9/v1.0/users' } }
      : undefined
  assert.equal((await addConnection(world)).problem?.code, 'bad_answer')
})

test('many transcripts of the first day are read in portions, each once', async () => {
  await using world = await startConnectionWorld()
  const { microsoft, organizer, clock, db } = world
  microsoft.tenant.pageSize = 25
  for (let i = 0; i < 60; i += 1) {
    const createdAt = new Date(clock.now().getTime() - (200 - i) * 60_000)
    addTranscript(microsoft.tenant, organizer, { createdAt })
  }
  const { transcripts } = await addConnection(world)
  assert.partialDeepStrictEqual(transcripts, { imported: 60, waiting: 0 })
  const { count } = await db
    .selectFrom('meeting')
    .select((eb) => eb.fn.countAll<string>().as('count'))
    .executeTakeFirstOrThrow()
  assert.equal(Number(count), 60)
  assert.equal(microsoft.requests.filter(isContent).length, 60)
  // Further portions do not list the transcripts again.
  assert.equal(microsoft.requests.filter(isList).length, 3)
})

test('a paused connection, and one that is removed during a read, store nothing more', async () => {
  await using database = await createTestDatabase()
  await using world = await startConnectionWorld({ DATABASE_URL: database.url })
  const { microsoft, organizer, admin, clock } = world
  addTranscript(microsoft.tenant, organizer)
  const contents = Promise.withResolvers<void>()
  const removed = Promise.withResolvers<void>()
  microsoft.fault = async (request) => {
    if (!isContent(request)) return undefined
    contents.resolve()
    await removed.promise
    return undefined
  }
  const paused = { ...connectionFields(clock), isPaused: true }
  await admin.post('/web/connections', paused)
  const { body } = await admin.post('/web/connections', connectionFields(clock))
  await contents.promise
  const { id } = body['connection'] as { id: string }
  assert.equal((await admin.delete(`/web/connections/${id}`)).status, 200)
  removed.resolve()
  // A stop waits for the read.
  await world.service[Symbol.asyncDispose]()
  const client = new Client(database.url)
  await client.connect()
  const { rows } = await client.query(
    'select id from meeting union all select transcript_id from connection_transcript',
  )
  await client.end()
  assert.deepEqual(rows, [])
  assert.equal(microsoft.requests.filter(isContent).length, 1)
})

test('the secret is in no answer, no log line and no row of the database in plain text', async () => {
  const lines: string[] = []
  const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) })
  await using world = await startConnectionWorld({}, {}, log)
  const { microsoft, organizer, admin, db } = world
  addTranscript(microsoft.tenant, organizer)
  const { id } = await addConnection(world)
  microsoft.tenant.secrets = []
  await readAgain(world, id)
  const answers = [
    await admin.get('/web/connections'),
    await admin.post(`/web/connections/${id}/check`),
    await admin.request('PATCH', `/web/connections/${id}`, { clientSecret: CLIENT_SECRET }, {}),
    await admin.get('/web/audit'),
  ]
  const rows = await db.selectFrom('connection').selectAll().execute()
  const everything = [...lines, JSON.stringify(answers), JSON.stringify(rows)]
  for (const { credential_sealed } of rows) everything.push(credential_sealed.toString('latin1'))
  assert.ok(everything.every((text) => !text.includes(CLIENT_SECRET)))
  assert.ok(!lines.some((line) => line.includes('eyJ')))
})
