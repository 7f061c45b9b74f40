import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Db } from '../src/db/database.ts'
import { openInstanceDatabase, openInstance, type Instance } from './support/instance.ts'
import { memoryInUse } from './support/memory.ts'
import { measureNextRun } from './measures/next-run.ts'

const FEW = 100
const MANY = 100_000
const DUE = 1_000
const IDLE_SECONDS = 3
const IDLE_STRETCHES = 9

export const tasks = {
  about:
    '100,000 scheduled tasks of which 1,000 are due at once; an idle scheduler; history; next runs',
  async run() {
    measureNextRun()
    await using instance = await openInstance({ HANSARD_TASKS_CONCURRENCY: '4' })
    await using beside = await openInstanceDatabase(instance.data)
    const { db } = beside
    await addTasks(db, 0, FEW)
    await measureIdle(instance, FEW)
    await addTasks(db, FEW, MANY)
    await measureIdle(instance, MANY)
    await measureDue(instance, db)
    await measureHistory(instance, db)
  },
}

/** Adds tasks that are due in a year, each at another minute. */
async function addTasks(db: Db, from: number, to: number): Promise<void> {
  await sql`
    insert into task (id, name, prompt_name, cron_expression, timezone, enabled, timeout_ms,
      next_run_at, due_at, created_at, updated_at)
    select 'task_' || i, 'task' || i, 'daily-digest', '0 0 1 1 *', 'UTC', true, 60000,
      now() + interval '300 days' + make_interval(mins => i % 50000),
      now() + interval '300 days' + make_interval(mins => i % 50000), now(), now()
    from generate_series(${from}::int, ${to}::int - 1) as i
  `.execute(db)
  await sql`analyze task`.execute(db)
}

/** The median of several periods, because a garbage collection may slow down a single one. */
async function measureIdle({ call }: Instance, count: number): Promise<void> {
  await wakeScheduler(call)
  await sleep(3_000)
  const shares: number[] = []
  for (let i = 0; i < IDLE_STRETCHES; i += 1) {
    const before = process.cpuUsage()
    await sleep(IDLE_SECONDS * 1000)
    const { user, system } = process.cpuUsage(before)
    shares.push((user + system) / 1e4 / IDLE_SECONDS)
  }
  const percent = shares.toSorted((a, b) => a - b)[IDLE_STRETCHES >> 1] ?? 0
  const { heap, rss } = memoryInUse()
  console.log(
    `  idle, ${String(count).padStart(6)} tasks   ${percent.toFixed(2)} % of a core, heap ${mb(heap)}, process ${mb(rss)}`,
  )
}

/** How long after the due time all executions are stored, and how long until the four with a free slot start. */
async function measureDue({ call }: Instance, db: Db): Promise<void> {
  const { rows } = await sql<{ at: Date }>`
    update task set next_run_at = at, due_at = at
    from (select date_trunc('second', now()) + interval '3 s' as at) as due
    where substr(name, 5)::int % 100 = 0 returning at
  `.execute(db)
  const dueAt = rows[0]?.at.getTime() ?? 0
  await wakeScheduler(call)
  const stored: Array<{ count: number; lateMs: number }> = []
  for (let count = 0; count < DUE;) {
    await sleep(10)
    const { rows: found } = await sql<{
      n: number
    }>`select count(*)::int as n from execution`.execute(db)
    count = found[0]?.n ?? 0
    stored.push({ count, lateMs: Date.now() - dueAt })
  }
  const lateness = (share: number) => stored.find(({ count }) => count >= share * DUE)?.lateMs
  console.log(
    `  ${DUE} due at once: stored p50/p99 ${lateness(0.5)} / ${lateness(0.99)} ms after their time`,
  )
  const { rows: begun } = await sql<{ ms: number }>`
    select (extract(epoch from max(late)) * 1000)::float8 as ms from (
      select started_at - scheduled_for as late from execution
      where owner is not null order by started_at limit 4
    ) as first
  `.execute(db)
  const lateMs = (begun[0]?.ms ?? 0).toFixed(0)
  console.log(`  the four there is room for have begun ${lateMs} ms after it (goal: below 2000)`)
}

async function measureHistory({ call }: Instance, db: Db): Promise<void> {
  await sql`delete from execution`.execute(db)
  for (const [task, count] of [
    [1, 100],
    [2, 100_000],
  ] as const) {
    await sql`
      insert into execution (id, task_id, number, execution_type, trigger_type, status, created_at,
        started_at, completed_at, output)
      select 'execution_' || ${task}::int || '_' || i, 'task_' || ${task}::int, i, 'schedule', 'manual',
        'completed', now(), now(), now(), 'said'
      from generate_series(1, ${count}::int) as i
    `.execute(db)
    await sql`update task set last_number = ${count} where id = 'task_' || ${task}::int`.execute(db)
  }
  await sql`analyze execution`.execute(db)
  const pages: Array<[about: string, path: string]> = [
    ['100 executions, first page', 'task1/history'],
    ['100,000 executions, first page', 'task2/history'],
    ['100,000 executions, last page', 'task2/history?offset=99950'],
  ]
  for (const [about, path] of pages) {
    const times: number[] = []
    for (let i = 0; i < 60; i += 1) {
      const began = performance.now()
      await call('GET', `/api/v1/tasks/${path}`)
      times.push(performance.now() - began)
    }
    const median = times.toSorted((a, b) => a - b)[30] ?? 0
    console.log(`  history of ${about.padEnd(31)} ${median.toFixed(2)} ms`)
  }
}

async function wakeScheduler(call: Instance['call']): Promise<void> {
  const { status } = await call('PUT', '/api/v1/tasks/task1', {})
  if (status !== 200) throw new Error(`status ${status}`)
}

function mb(bytes: number): string {
  return `${(bytes / 1024 ** 2).toFixed(0)} MB`
}
