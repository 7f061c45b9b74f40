import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { INSTALLATION_FOLDER } from '../src/config/load-config.ts'
import type { Db } from '../src/db/database.ts'
import { systemClock } from '../src/lib/time/clock.ts'
import { withDatabaseServer } from '../test/support/database/database-server.ts'
import { createTemplate, createTestDatabase } from '../test/support/database/test-database.ts'
import type { HttpClient } from '../test/support/http/http-client.ts'
import { seedMeeting } from '../test/support/meetings/seed-meeting.ts'
import { connectionFields, PROJECT } from '../test/support/microsoft/connection-world.ts'
import { startMicrosoftServer } from '../test/support/microsoft/microsoft-server.ts'
import { addTranscript, addUser, type Tenant } from '../test/support/microsoft/tenant.ts'
import {
  createTestDataFolder,
  CURRENT_NODE,
  startServiceProcess,
} from '../test/support/service/service-process.ts'
import { MASTER_KEY } from '../test/support/service/start-nodes.ts'
import { sharedResources } from '../test/support/shared-resources.ts'
import { startService } from '../test/support/service/start-service.ts'
import { eventually } from '../test/support/time/eventually.ts'

/** The last one has no account here: a connection with a project reads the meetings that this person organizes. */
const ORGANIZERS = ['rosalind@example.com', 'barbara@example.com', 'emmy@example.com'] as const
const TEAM_ORGANIZER = ORGANIZERS[2]
const MEETINGS = 1_000
const KILLS = 3
/** Every tenth meeting of the team was attended by a bot too. */
const BOT_EVERY = 10
const FIRST_DAY = 10_000
const FIRST_DAY_READ = 200
const DONE_MS = 600_000
/** If nothing is read for this long, what the connections wait for is shown. */
const STANDSTILL_MS = 30_000
/** How often the service is asked, to see whether its event loop answers. */
const PROBE_MS = 50

const PROGRAM = join(INSTALLATION_FOLDER, 'test/support/microsoft/serve.ts')

/** A tenant with meetings, and a service that only answers requests. Nodes that read are started as processes. */
async function openWorld(count: number, pageSize: number) {
  await using stack = new AsyncDisposableStack()
  const microsoft = stack.use(await startMicrosoftServer())
  const database = stack.use(await createTestDatabase())
  const folder = stack.use(createTestDataFolder())
  microsoft.tenant.pageSize = pageSize
  const env = {
    DATABASE_URL: database.url,
    HANSARD_MASTER_KEY: MASTER_KEY,
    HANSARD_DATA: folder.data,
    HANSARD_LOG_LEVEL: 'error',
    HANSARD_RECAP: 'off',
  }
  let opened: Db | undefined
  const routes = (_: unknown, db: Db) => void (opened = db)
  const api = stack.use(await startService({ ...env, HANSARD_ROLES: 'api' }, { routes }))
  if (opened === undefined) throw new Error('the service opened no database')
  const db = opened
  const admin = await api.adminClient()
  for (const [i, email] of ORGANIZERS.slice(0, 2).entries())
    await db
      .insertInto('app_user')
      .values({ id: `usr_${i}`, name: email, email, role: 'member' })
      .execute()
  const access = { project: PROJECT, access: 'team', created_by: null, created_at: new Date() }
  await sql`insert into project_access (project, access, created_by, created_at)
    values (${access.project}, ${access.access}, null, ${access.created_at})`.execute(db)
  await addMeetings(db, microsoft.tenant, count)
  const command = [...CURRENT_NODE, PROGRAM, microsoft.hosts.global.graph] as const
  const moved = stack.move()
  return {
    db,
    admin,
    startNode: () => startServiceProcess({ ...folder.env, ...env }, { command }),
    [Symbol.asyncDispose]: () => moved.disposeAsync(),
  }
}

async function addMeetings(db: Db, tenant: Tenant, count: number): Promise<void> {
  const users = ORGANIZERS.map((address) => addUser(tenant, address))
  const first = Date.now() - 20 * 3_600_000
  for (let i = 0; i < count; i += 1) {
    const user = users[i % users.length]
    if (user === undefined) continue
    const createdAt = new Date(first + i * 5_000)
    const room = `19:meeting_bench${i}@thread.v2`
    const joinUrl = `https://teams.microsoft.com/l/meetup-join/${encodeURIComponent(room)}/0?context=${encodeURIComponent('{"Tid":"72f988bf-86f1-41af-91ab-2d7cd011db47"}')}`
    addTranscript(tenant, user, { subject: `Meeting ${i}`, createdAt, joinUrl })
    if (user.address === TEAM_ORGANIZER && i % BOT_EVERY === 2)
      await seedMeeting(db, {
        platform: 'microsoft_teams',
        room,
        project: PROJECT,
        status: 'ended',
        started_at: createdAt,
        ended_at: new Date(createdAt.getTime() + 600_000),
        title: `Meeting ${i}`,
      })
  }
}

async function addConnections(admin: HttpClient): Promise<void> {
  const fields = connectionFields(systemClock)
  const all = [
    { ...fields, name: 'Private', organizers: ORGANIZERS.slice(0, 2), project: null },
    { ...fields, name: 'Team', organizers: [TEAM_ORGANIZER] },
  ]
  for (const connection of all) {
    const { status, body } = await admin.post('/web/connections', connection)
    if (status !== 201) throw new Error(JSON.stringify(body))
  }
}

async function countTranscripts(db: Db, state: 'imported' | 'any'): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from connection_transcript
    where ${state} = 'any' or state = ${state}`.execute(db)
  return rows[0]?.n ?? 0
}

/** Waits without more load than a person who looks now and then. */
async function waitForCount(db: Db, state: 'imported' | 'any', count: number): Promise<void> {
  const until = Date.now() + DONE_MS
  let last = { found: -1, at: 0 }
  for (;;) {
    const found = await countTranscripts(db, state)
    if (found >= count) return
    if (Date.now() > until) throw new Error(`not all were read: ${await describeStates(db)}`)
    if (found > last.found) last = { found, at: Date.now() }
    else if (Date.now() - last.at > STANDSTILL_MS) {
      console.log(`  no progress: ${await describeStates(db)}`)
      last.at = Date.now()
    }
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
}

async function describeStates(db: Db): Promise<string> {
  const { rows } = await sql<{ text: string }>`
    select organizer || ' ' || state || ' ' || coalesce(problem, '') || ' ' || count(*) as text
    from connection_transcript group by organizer, state, problem
    union all select name || ' ' || coalesce(problem, '') || ' ' || coalesce(problem_detail, '') || ' owner '
      || coalesce(owner, 'none') || ' next ' || next_poll_at from connection`.execute(db)
  return rows.map(({ text }) => text).join('; ')
}

/** Reads all meetings while nodes are killed, and checks what is stored. */
async function readWithKills(count: number): Promise<void> {
  await using world = await openWorld(count, 100)
  const { db, admin } = world
  await addConnections(admin)
  const startedAt = performance.now()
  for (let kill = 1; kill <= KILLS; kill += 1) {
    await using node = await world.startNode()
    await waitForCount(db, 'imported', Math.floor((count * kill) / (KILLS + 1)))
    node.kill('SIGKILL')
    await node.exited
    console.log(`  kill ${kill} after ${await countTranscripts(db, 'imported')} meetings`)
  }
  await using last = await world.startNode()
  await waitForCount(db, 'imported', count)
  await eventually(async () => ((await countUnwritten(db)) === 0 ? true : null), DONE_MS)
  const seconds = (performance.now() - startedAt) / 1_000
  console.log(`  ${count} meetings in ${seconds.toFixed(0)} s, with ${KILLS} restarts`)
  await checkMeetings(db, count)
  await last.stop('SIGTERM')
}

async function countUnwritten(db: Db): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from meeting
    where document_path is not null and document_size = 0`.execute(db)
  return rows[0]?.n ?? 0
}

/** Each meeting once, in order, and where only the right people can read it. */
async function checkMeetings(db: Db, count: number): Promise<void> {
  const { rows } = await sql<{ title: string; project: string; organizer: string; lines: number }>`
    select m.title, m.project, t.organizer, m.segment_count as lines
    from connection_transcript t join meeting m on m.id = t.meeting_id
    order by t.began_at`.execute(db)
  const { rows: all } = await sql<{ n: number }>`select count(*)::int as n from meeting`.execute(db)
  const { rows: private_ } = await sql<{ project: string; email: string }>`
    select p.project, u.email from project_access p
    join project_member pm on pm.project = p.project join app_user u on u.id = pm.user_id
    where p.access = 'private'`.execute(db)
  const { rows: late } = await sql<{ n: number }>`select count(*)::int as n from (
      select t.began_at, lag(t.began_at) over (partition by t.organizer order by m.imported_at, m.id) as previous
      from connection_transcript t join meeting m on m.id = t.meeting_id where m.imported_at is not null
    ) as stored where previous > began_at`.execute(db)
  const isRight = ({ project, organizer }: { project: string; organizer: string }) =>
    organizer === TEAM_ORGANIZER
      ? project === PROJECT
      : private_.some((one) => one.project === project && one.email === organizer)
  report('each once', rows.length === count && all[0]?.n === count)
  report(
    'each with its own title and lines',
    rows.every(({ title, lines }, i) => title === `Meeting ${i}` && lines === 2),
  )
  report('in order', late[0]?.n === 0)
  report('under the right access', rows.every(isRight) && private_.length === 2)
}

function report(what: string, ok: boolean): void {
  console.log(`  ${ok ? 'yes' : 'NO '}  ${what}`)
  if (!ok) process.exitCode = 1
}

/** A first day with thousands of transcripts: how much memory the service takes, and how long it does not answer. */
async function readFirstDay(count: number): Promise<void> {
  await using world = await openWorld(count, 500)
  const { db, admin } = world
  await using node = await world.startNode()
  const { pid } = node
  const before = readRssMb(pid)
  let largest = before
  let slowest = 0
  const stopped = new AbortController()
  const probing = (async () => {
    while (!stopped.signal.aborted) {
      const at = performance.now()
      await (await fetch(`${node.url}/health`)).arrayBuffer()
      slowest = Math.max(slowest, performance.now() - at)
      largest = Math.max(largest, readRssMb(pid))
      await new Promise((resolve) => setTimeout(resolve, PROBE_MS))
    }
  })()
  const startedAt = performance.now()
  await addConnections(admin)
  await waitForCount(db, 'any', count)
  const found = (performance.now() - startedAt) / 1_000
  await waitForCount(db, 'imported', Math.min(count, FIRST_DAY_READ))
  stopped.abort()
  await probing
  console.log(
    `  ${count} found in ${found.toFixed(1)} s; RSS ${before.toFixed(0)} MB before, at most ${largest.toFixed(0)} MB; ` +
      `slowest answer of /health ${slowest.toFixed(0)} ms`,
  )
  await node.stop('SIGTERM')
}

function readRssMb(pid: number): number {
  const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kilobytes) / 1_024
}

export const connections = {
  about:
    'official transcripts: MEETINGS are read with kill -9 in between, then many are found at once',
  async run([meetings = MEETINGS, firstDay = FIRST_DAY]: ReadonlyArray<string | number> = []) {
    const scratch = mkdtempSync(join(tmpdir(), 'hansard-bench-'))
    await withDatabaseServer(join(scratch, 'server'), async (server) => {
      const template = await createTemplate(server)
      const env = { TEST_DATABASE_URL: server, TEST_TEMPLATE: template, TEST_SCRATCH: scratch }
      Object.assign(process.env, env)
      try {
        if (Number(meetings) > 0) await readWithKills(Number(meetings))
        if (Number(firstDay) > 0) await readFirstDay(Number(firstDay))
      } finally {
        await sharedResources.disposeAsync()
      }
    })
    rmSync(scratch, { recursive: true, force: true })
  },
}
