import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createConcurrencyLimit } from '../../src/lib/async/queues.ts'
import { createTestDataFolder } from '../../test/support/service/service-process.ts'
import { openModelServer } from '../../test/support/tasks/model-server.ts'
import { eventually } from '../../test/support/time/eventually.ts'
import { openCluster, type Cluster } from '../cluster/cluster.ts'
import type { FaultRow } from '../fault-row.ts'

const SIZES = { full: { tasks: 200, minutes: 5 }, short: { tasks: 20, minutes: 1 } }
const CREATED_AT_ONCE = 10
const MINUTE_MS = 60_000
/** When a node is killed, relative to each minute's due time. */
const KILL_OFFSETS_MS = [150, 30, 600, -20, 300]
const MODEL_MS = 100
/** All executions have ended this long after the last due time. */
const ENDED_MS = 120_000

export const tasksWithKills: FaultRow = {
  about: '200 tasks run every minute for five minutes, and each minute a node is killed',
  async run(context) {
    const { tasks, minutes } = context.isShort ? SIZES.short : SIZES.full
    await using stack = new AsyncDisposableStack()
    const beforeEachWord = () => sleep(MODEL_MS)
    const model = stack.use(await openModelServer(() => ({ words: ['Done'], beforeEachWord })))
    const folder = stack.use(createTestDataFolder())
    mkdirSync(join(folder.data, 'scheduled-prompts'), { recursive: true })
    writeFileSync(join(folder.data, 'scheduled-prompts/p.md'), '---\ntools: []\n---\nDo it')
    const env = {
      HANSARD_AI_MODEL: 'openai-compatible/m',
      HANSARD_AI_BASE_URL: model.url,
      HANSARD_TASKS_CONCURRENCY: '20',
    }
    const cluster = stack.use(await openCluster({ folder, env }))
    try {
      await createTasks(cluster, tasks)
      const firstAt = Math.ceil(Date.now() / MINUTE_MS) * MINUTE_MS
      for (let minute = 0; minute < minutes; minute += 1)
        await killAt(cluster, minute, firstAt + minute * MINUTE_MS)
      const lastAt = firstAt + (minutes - 1) * MINUTE_MS
      return await judgeExecutions(cluster, { tasks, minutes, firstAt, lastAt })
    } finally {
      for (const node of cluster.nodes) context.saveLog(node.name, node.log())
    }
  },
}

async function createTasks(cluster: Cluster, count: number): Promise<void> {
  const [node] = cluster.nodes
  if (node === undefined) throw new Error('there is no node')
  const create = async (i: number) => {
    const body = { name: `task-${i}`, promptName: 'p', cronExpression: '* * * * *' }
    const { status } = await cluster.call(node, 'POST', '/api/v1/tasks', { body })
    if (status !== 201) throw new Error(`creating a task answered ${status}`)
  }
  const limit = createConcurrencyLimit(CREATED_AT_ONCE)
  await Promise.all(Array.from({ length: count }, (_, i) => limit(() => create(i))))
}

/** Kills a node near the due time and starts it again. */
async function killAt(cluster: Cluster, minute: number, dueAt: number): Promise<void> {
  const node = cluster.nodes[minute % cluster.nodes.length]
  if (node === undefined) throw new Error('there is no node')
  const killAtMs = dueAt + (KILL_OFFSETS_MS[minute % KILL_OFFSETS_MS.length] ?? 0)
  await sleep(Math.max(0, killAtMs - Date.now()))
  await node.kill()
  await node.start()
}

type Expected = { tasks: number; minutes: number; firstAt: number; lastAt: number }
type ExecutionRow = { name: string; at: Date; status: string; isRunning: boolean; count: number }

async function judgeExecutions(cluster: Cluster, expected: Expected) {
  const { tasks, minutes, firstAt, lastAt } = expected
  const rows = await eventually(async () => {
    const found = await readExecutions(cluster, firstAt, lastAt)
    const isOpen = found.some(({ isRunning }) => isRunning)
    const isLate = Date.now() > lastAt + ENDED_MS
    return isLate || (!isOpen && found.length >= tasks * minutes) ? found : null
  }, ENDED_MS * 3)
  const count = (status: string) => rows.filter((row) => row.status === status).length
  const missing = tasks * minutes - rows.length
  const doubled = rows.filter((row) => row.count > 1).length
  const other = rows.length - count('completed') - count('stale')
  const problems: string[] = []
  if (missing !== 0) problems.push(`${missing} due times without an execution`)
  if (doubled > 0) problems.push(`${doubled} due times with more than one execution`)
  if (other > 0) problems.push(`${other} executions are neither completed nor stale`)
  return {
    figure: `${tasks * minutes} due times, ${minutes} kills: ${missing} missing, ${doubled} doubled, ${count('completed')} completed, ${count('stale')} stale because their node was killed`,
    values: { dueTimes: tasks * minutes, missing, doubled, stale: count('stale'), other },
    problems,
  }
}

/** One row for each task and due time. It is running if any of its executions is running. */
function readExecutions(cluster: Cluster, firstAt: number, lastAt: number) {
  return cluster.database.query<ExecutionRow>(
    `select name, scheduled_for as at, min(status) as status,
       bool_or(status = 'running') as "isRunning", count(*)::int as count
     from execution join task on task.id = task_id
     where scheduled_for between $1 and $2 group by name, scheduled_for`,
    [new Date(firstAt), new Date(lastAt)],
  )
}
