import { strict as assert } from 'node:assert'
import { join } from 'node:path'
import { test } from 'node:test'
import { INSTALLATION_FOLDER } from '../../src/config/load-config.ts'
import type { Db } from '../../src/db/database.ts'
import { systemClock } from '../../src/lib/time/clock.ts'
import { createTestDatabase } from '../support/database/test-database.ts'
import {
  connectionFields,
  getConnection,
  ORGANIZER,
  PROJECT,
} from '../support/microsoft/connection-world.ts'
import { startGoogleServer, type GoogleServer } from '../support/google/google-server.ts'
import { googleFields } from '../support/google/google-world.ts'
import { addConference, addUser as addPerson } from '../support/google/workspace.ts'
import {
  startMicrosoftServer,
  type MicrosoftRequest,
} from '../support/microsoft/microsoft-server.ts'
import { addTranscript, addUser } from '../support/microsoft/tenant.ts'
import {
  createTestDataFolder,
  CURRENT_NODE,
  startServiceProcess,
} from '../support/service/service-process.ts'
import { MASTER_KEY, startTwoNodes } from '../support/service/start-nodes.ts'
import { startService } from '../support/service/start-service.ts'
import { IS_FULL_SIZE } from '../support/test-size.ts'
import { eventually } from '../support/time/eventually.ts'

const PROGRAM = join(INSTALLATION_FOLDER, 'test/support/microsoft/serve.ts')
const TRANSCRIPTS = IS_FULL_SIZE ? 20 : 6
const MINUTE_MS = 60_000

const isContent = ({ path }: MicrosoftRequest) => path.includes('/content')

type KillPoint = {
  name: string
  kind: 'microsoft' | 'google'
  matches(path: string): boolean
  /** True if the request is answered before the service is killed, so that it may be storing the answer. */
  isAnswered?: boolean
}

/** The first request of each kind after a start, in the order in which a service sends them to each provider. */
const KILL_POINTS: readonly KillPoint[] = [
  { kind: 'microsoft', name: 'the sign-in', matches: (path) => path.endsWith('/token') },
  {
    kind: 'microsoft',
    name: 'the search for the organizer',
    matches: (path) => path.includes('/users/grace@'),
  },
  {
    kind: 'microsoft',
    name: 'the first page',
    matches: (path) => path.includes('/delta') && !path.includes('token='),
  },
  { kind: 'microsoft', name: 'the second page', matches: (path) => path.includes('skiptoken=') },
  {
    kind: 'microsoft',
    name: 'a title',
    matches: (path) => /onlineMeetings\/[^/(]+$/.test(path),
  },
  { kind: 'microsoft', name: 'a content', matches: (path) => path.includes('/content') },
  {
    kind: 'microsoft',
    name: 'the storing of a content',
    matches: (path) => path.includes('/content'),
    isAnswered: true,
  },
  { kind: 'google', name: 'the sign-in at Google', matches: (path) => path === '/token' },
  {
    kind: 'google',
    name: 'the first page of conferences',
    matches: (path) => path.includes('end_time') && !path.includes('pageToken'),
  },
  {
    kind: 'google',
    name: 'the transcripts of a conference',
    matches: (path) => path.includes('/transcripts?'),
  },
  {
    kind: 'google',
    name: 'the second page of conferences',
    matches: (path) => path.includes('end_time') && path.includes('pageToken'),
  },
  { kind: 'google', name: 'an event', matches: (path) => path.includes('/calendar/') },
  {
    kind: 'google',
    name: 'the second page of lines',
    matches: (path) => path.includes('/entries') && path.includes('pageToken'),
  },
  {
    kind: 'google',
    name: 'the storing of lines',
    matches: (path) => path.includes('/participants'),
    isAnswered: true,
  },
]

function listTitles(db: Db) {
  return db
    .selectFrom('meeting')
    .select(['title', 'document_size as size', 'segment_count as lines', 'project'])
    .orderBy('started_at')
    .execute()
}

function addMeetings({ tenant }: Awaited<ReturnType<typeof startMicrosoftServer>>): string[] {
  const organizer = addUser(tenant, ORGANIZER)
  tenant.pageSize = 4
  return Array.from({ length: TRANSCRIPTS }, (_, i) => {
    const createdAt = new Date(Date.now() - (TRANSCRIPTS - i) * MINUTE_MS)
    addTranscript(tenant, organizer, { subject: `Meeting ${i}`, createdAt })
    return `Meeting ${i}`
  })
}

function addConferences({ workspace }: GoogleServer): string[] {
  const organizer = addPerson(workspace, ORGANIZER)
  workspace.pageSize = 2
  return Array.from({ length: TRANSCRIPTS }, (_, i) => {
    const endAt = new Date(Date.now() - (2 * TRANSCRIPTS - i) * MINUTE_MS)
    addConference(workspace, organizer, { title: `Conference ${i}`, endAt, texts: ['A', 'B', 'C'] })
    return `Conference ${i}`
  })
}

async function addProject(db: Db): Promise<void> {
  const row = {
    project: PROJECT,
    access: 'team',
    created_by: null,
    created_at: new Date(),
  } as const
  await db.insertInto('project_access').values(row).execute()
}

// In a normal run only the last step of one provider, because each start takes seconds.
for (const kind of IS_FULL_SIZE ? (['microsoft', 'google'] as const) : (['google'] as const))
  test(`a service that is killed in every step of reading ${kind} imports each transcript once, with its document`, async () => {
    await testKills(kind)
  })

async function testKills(kind: KillPoint['kind']): Promise<void> {
  await using microsoft = await startMicrosoftServer()
  await using google = await startGoogleServer()
  await using database = await createTestDatabase()
  await using folder = createTestDataFolder()
  const titles = [...addConferences(google), ...addMeetings(microsoft)]
  const shared = {
    DATABASE_URL: database.url,
    HANSARD_MASTER_KEY: MASTER_KEY,
    HANSARD_DATA: folder.data,
    HANSARD_LOG_LEVEL: 'error',
    HANSARD_RECAP: 'off',
  }
  let db: Db | undefined
  const routes = (_: unknown, opened: Db) => void (db = opened)
  // This node only answers requests, so it reads nothing.
  await using api = await startService({ ...shared, HANSARD_ROLES: 'api' }, { routes })
  assert.ok(db)
  await addProject(db)
  const admin = await api.adminClient()
  const ids: string[] = []
  for (const fields of [connectionFields(systemClock), googleFields(systemClock)]) {
    const { body } = await admin.post('/web/connections', fields)
    ids.push((body['connection'] as { id: string }).id)
  }
  const env = { ...folder.env, ...shared }
  const command = [...CURRENT_NODE, PROGRAM, microsoft.origin, google.origin] as const

  const servers = { microsoft, google }
  // Otherwise everything of this provider would be read during the first steps of the other one.
  const other = servers[kind === 'google' ? 'microsoft' : 'google']
  other.fault = () => 'hang'
  const points = KILL_POINTS.filter((point) => point.kind === kind)
  for (const { name, matches, isAnswered = false } of IS_FULL_SIZE ? points : points.slice(-1)) {
    const reached = Promise.withResolvers<void>()
    servers[kind].fault = ({ path }) => {
      if (!matches(path)) return undefined
      reached.resolve()
      return isAnswered ? undefined : 'hang'
    }
    await using killed = await startServiceProcess(env, { command })
    await Promise.race([
      reached.promise,
      killed.exited.then(() => Promise.reject(new Error(`ended before ${name}`))),
    ])
    killed.kill('SIGKILL')
    await killed.exited
    servers[kind].fault = null
  }
  other.fault = null
  await using last = await startServiceProcess(env, { command })
  await eventually(async () => {
    const all = await Promise.all(ids.map((id) => getConnection(admin, id)))
    return all.every(({ transcripts }) => transcripts.imported === TRANSCRIPTS) ? true : null
  }, 120_000)
  const meetings = await listTitles(db)
  assert.deepEqual(
    meetings.map(({ title }) => title),
    titles,
  )
  assert.ok(
    meetings.every(({ title, lines, project }) => {
      const expected = title?.startsWith('Conference') === true ? 3 : 2
      return lines === expected && project === PROJECT
    }),
  )
  const opened = db
  await eventually(async () =>
    (await listTitles(opened)).every(({ size }) => (size ?? 0) > 0) ? true : null,
  )
  assert.equal((await last.stop('SIGTERM')).code, 0)
}

test('two nodes read a connection together, and import each transcript once', async () => {
  await using microsoft = await startMicrosoftServer()
  const titles = addMeetings(microsoft)
  let db: Db | undefined
  const routes = (_: unknown, opened: Db) => void (db = opened)
  const extras = { routes, microsoftHosts: microsoft.hosts }
  await using nodes = await startTwoNodes({}, extras)
  assert.ok(db)
  await addProject(db)
  const admin = await nodes.one.adminClient()
  const { body } = await admin.post('/web/connections', connectionFields(systemClock))
  const { id } = body['connection'] as { id: string }
  await eventually(async () => {
    await admin.post(`/web/connections/${id}/read`)
    const { transcripts } = await getConnection(admin, id)
    return transcripts.imported === TRANSCRIPTS ? true : null
  })
  assert.deepEqual(
    (await listTitles(db)).map(({ title }) => title),
    titles,
  )
  assert.equal(microsoft.requests.filter(isContent).length, TRANSCRIPTS)
})
