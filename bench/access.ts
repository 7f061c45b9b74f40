import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import { createAccountsArea } from '../src/accounts/area.ts'
import { COMMAND_LINE_ACTOR } from '../src/accounts/audit.ts'
import { createVerifiedSecretBox } from '../src/accounts/master-key.ts'
import type { Db } from '../src/db/database.ts'
import { systemClock } from '../src/lib/time/clock.ts'
import { createLog } from '../src/log.ts'
import { PROJECTS_ROOT } from '../src/projects/document-ref.ts'
import { openInstance, openInstanceDatabase, readMasterKey } from './support/instance.ts'

const PROJECTS = 10_000
const PEOPLE = 1_000
/** All requests are measured in turns, several times, so that other load affects them all. */
const PASSES = 10
/** Not counted: the first requests of a kind are slower, because their code is not optimised yet. */
const WARM_UP_PASSES = 2
const ROUNDS_OF_PASS = 25
/** Fewer than an ended meeting has, but enough that a list has several rows of one meeting, as in real use. */
const DELIVERIES_OF_MEETING = 10
const ACTIONS_OF_MEETING = 3
const GOAL = 1.3
/** PostgreSQL publishes its counters within a shorter time. */
const QUIET_MS = 15_000

/** `rare` is in one of a thousand segments, `common` in every second one. */
const PATHS: Record<string, string> = {
  projects: '/api/v1/projects?limit=100',
  meetings: '/api/v1/meetings?limit=100',
  actions: '/api/v1/actions?limit=100',
  deliveries: '/api/v1/deliveries?limit=100',
  tasks: '/api/v1/tasks',
  'rare word': '/api/v1/search?q=zanzibar&limit=20',
  'common word': '/api/v1/search?q=budget&limit=20',
  'two words': '/api/v1/search?q=budget+harbour&limit=20',
  'misspelt word': '/api/v1/search?q=zanzibur&limit=20',
}

type Times = { without: number[]; with: number[] }

export const access = {
  about: 'lists and searches with permissions against without, at 10,000 projects and 1,000 people',
  async run() {
    await using stack = new AsyncDisposableStack()
    const instance = stack.use(await openInstance())
    const { db } = stack.use(await openInstanceDatabase(instance.data))
    await fill(db)
    await writeDocuments(db, instance.data)
    await sql`vacuum analyze`.execute(db)
    const personal = await createPersonalToken(db, instance.data)
    const readAsPerson = async (path: string) => {
      const url = `http://127.0.0.1:${instance.port}${path}`
      return (await fetch(url, { headers: { 'x-api-key': personal } })).text()
    }
    const times = new Map<string, Times>(
      Object.keys(PATHS).map((name) => [name, { without: [], with: [] }]),
    )
    for (let pass = 0; pass < PASSES; pass += 1) {
      for (const [name, path] of Object.entries(PATHS)) {
        for (let round = 0; round < ROUNDS_OF_PASS; round += 1) {
          const timeWithout = await timed(() => instance.read(path))
          const timeWith = await timed(() => readAsPerson(path))
          if (pass < WARM_UP_PASSES) continue
          times.get(name)?.without.push(timeWithout)
          times.get(name)?.with.push(timeWith)
        }
      }
    }
    let worst = 0
    for (const [name, measured] of times) {
      const [without, withAccess] = [median(measured.without), median(measured.with)]
      const ratio = withAccess / without
      worst = Math.max(worst, ratio)
      console.log(
        `  ${name.padEnd(14)} ${without.toFixed(1)} ms without, ${withAccess.toFixed(1)} ms with: ${ratio.toFixed(2)} times`,
      )
    }
    console.log(`  worst          ${worst.toFixed(2)} times (goal: at most ${GOAL})`)
  },
}

/** Every fifth project is private and has five members. A person is a member of ten private projects. */
async function fill(db: Db): Promise<void> {
  const statements = [
    sql`insert into app_user (id, email, name, role, password_hash)
      select 'usr_' || i, 'p' || i || '@example.com', 'Person ' || i, 'member', 'none'
      from generate_series(1, ${PEOPLE}) i`,
    sql`insert into project (id) select 'p' || i from generate_series(1, ${PROJECTS}) i`,
    sql`insert into project_access (project, access, created_at)
      select 'p' || i, case when i % 5 = 0 then 'private' else 'team' end, now()
      from generate_series(1, ${PROJECTS}) i`,
    sql`insert into project_member (project, user_id, role, added_at)
      select 'p' || i, 'usr_' || (1 + (i / 5 * 5 + k) % ${PEOPLE}), 'editor', now()
      from generate_series(5, ${PROJECTS}, 5) i, generate_series(0, 4) k on conflict do nothing`,
    sql`insert into meeting (id, platform, url, room, label, title, project, callback_url, options, status, reason,
        started_at, ended_at, segment_count, words_version, tasks_started)
      select 'meeting_' || i, 'practice', 'practice://standup', 'r' || i, 'Standup', 'Meeting ' || i,
        'p' || (1 + i % ${PROJECTS}), 'listen:bench', '{}', 'ended', 'stopped', now() - i * interval '1 minute',
        now() - i * interval '1 minute', 30, 1, true
      from generate_series(1, ${PROJECTS}) i`,
    sql`insert into segment (meeting_id, number, caption_id, speaker, text, started_at, words)
      select m.id, n, 'c' || n, 'Ana', t.text, m.started_at + n * interval '5 seconds', to_tsvector('simple', t.text)
      from meeting m, generate_series(1, 30) n, lateral (
        select 'we talk about ' || case when n % 2 = 0 then 'the budget' else 'the harbour' end || ' ' || n
          || case when n = 1 and right(m.id, 2) = '00' then ' zanzibar' else '' end as text) t`,
    sql`insert into word (word, grams) values ('zanzibar', array['  z',' za','zan','anz','nzi','zib','iba','bar','ar '])
      on conflict do nothing`,
    // Already made, so that the service does not make them during the measurement.
    sql`insert into recap (meeting_id, step, method, data, created_at, made_at)
      select id, 'done', 'rules', '{}', started_at, started_at from meeting`,
    sql`insert into action_item (id, meeting_id, number, text, segment_numbers, source, found_text, created_at)
      select 'action_' || id || '_' || n, id, n, 'Send it', '{1}', 'rules', 'x', started_at
      from meeting, generate_series(1, ${ACTIONS_OF_MEETING}) n`,
    sql`insert into delivery_attempt (id, lane_id, meeting_id, sequence, type, started_at, duration_ms, outcome, status, answer)
      select 'dlv_' || id || '_' || n, 'lane', id, n, 'meeting_status', started_at + n * interval '1 second', 1, 'delivered', 200, ''
      from meeting, generate_series(1, ${DELIVERIES_OF_MEETING}) n`,
    sql`insert into task (id, name, prompt_name, timezone, enabled, timeout_ms, project, created_at, updated_at)
      select 'task_' || i, 't' || i, 'p', 'UTC', false, 1000, 'p' || i * 10, now(), now() from generate_series(1, 200) i`,
  ]
  // In one transaction, so that the service never sees meetings without their recaps.
  await db.transaction().execute(async (tx) => {
    for (const statement of statements) await statement.execute(tx)
  })
}

/** Gives every project a document, and waits until the service has read all of them and compared all folders. */
async function writeDocuments(db: Db, data: string): Promise<void> {
  for (let i = 1; i <= PROJECTS; i += 1) {
    const folder = join(data, PROJECTS_ROOT, `p${i}`)
    const subject = i % 2 === 0 ? 'budget' : 'harbour'
    mkdirSync(folder, { recursive: true })
    writeFileSync(
      join(folder, 'README.md'),
      `the ${subject} of p${i}${i % 1_000 === 0 ? ' zanzibar' : ''}\n`,
    )
  }
  for (let count = 0; count < PROJECTS;) {
    await setTimeout(500)
    const { total } = await db
      .selectFrom('document')
      .select((eb) => eb.fn.countAll<string>().as('total'))
      .executeTakeFirstOrThrow()
    count = Number(total)
  }
  await waitForUnchangedProjects(db)
}

/** The comparison changes the row of each project, and would keep disturbing every second request. */
async function waitForUnchangedProjects(db: Db): Promise<void> {
  const countChanges = async () => {
    const { rows } = await sql<{ changes: string }>`
      select n_tup_ins + n_tup_upd as changes from pg_stat_user_tables where relname = 'project'`.execute(
      db,
    )
    return rows[0]?.changes
  }
  for (let last = await countChanges(), quietSince = performance.now(); ;) {
    await setTimeout(1_000)
    const changes = await countChanges()
    if (changes !== last) quietSince = performance.now()
    last = changes
    if (performance.now() - quietSince > QUIET_MS) return
  }
}

async function createPersonalToken(db: Db, data: string): Promise<string> {
  const secretBox = await createVerifiedSecretBox(db, readMasterKey(data))
  const log = createLog('error')
  const { tokens } = createAccountsArea({ db, clock: systemClock, secretBox, log })
  const wanted = { name: 'bench', scopes: null, expiresAt: null, creatorId: 'usr_500' }
  return (await tokens.create(wanted, COMMAND_LINE_ACTOR)).apiKey
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await work()
  return performance.now() - began
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}
