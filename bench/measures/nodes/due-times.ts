import { setTimeout as sleep } from 'node:timers/promises'
import type { Cluster } from '../../../faults/cluster/cluster.ts'
import { createConcurrencyLimit } from '../../../src/lib/async/queues.ts'
import { eventually } from '../../../test/support/time/eventually.ts'

const MINUTE_MS = 60_000
const CREATED_AT_ONCE = 10
/** All executions have ended this long after their due time. */
const ENDED_MS = 90_000
/** A sample prompt that every instance has. */
const PROMPT = 'daily-digest'

export type DueTimeCounts = {
  dueTimes: number
  missing: number
  doubled: number
  /** Executions that were interrupted because their node died. They may have had effects, so they are not repeated. */
  stale: number
}

/** Creates tasks that run every minute. */
export async function createMinuteTasks(
  cluster: Cluster,
  target: { url(): string },
  count: number,
): Promise<void> {
  const limit = createConcurrencyLimit(CREATED_AT_ONCE)
  const create = async (i: number) => {
    const body = { name: `task-${i}`, promptName: PROMPT, cronExpression: '* * * * *' }
    const { status, body: answer } = await cluster.call(target, 'POST', '/api/v1/tasks', { body })
    if (status !== 201)
      throw new Error(`creating a task answered ${status} ${JSON.stringify(answer)}`)
  }
  await Promise.all(Array.from({ length: count }, (_, i) => limit(() => create(i))))
}

/** Finds the next full minute that is at least `beforeMs` away, waits until `beforeMs` before it, and returns it. */
export async function waitForDueTime(beforeMs: number): Promise<number> {
  const dueAt = Math.ceil((Date.now() + beforeMs) / MINUTE_MS) * MINUTE_MS
  await sleep(dueAt - beforeMs - Date.now())
  return dueAt
}

/** Counts the executions of all due times from `firstAt` to `lastAt` after they have ended. */
export async function countDueTimes(
  cluster: Cluster,
  { tasks, firstAt, lastAt }: { tasks: number; firstAt: number; lastAt: number },
): Promise<DueTimeCounts> {
  const dueTimes = tasks * (Math.floor((lastAt - firstAt) / MINUTE_MS) + 1)
  const rows = await eventually(async () => {
    const found = await cluster.database.query<{ count: number; open: number; stale: number }>(
      `select count(*)::int as count,
         (count(*) filter (where status in ('running', 'queued')))::int as open,
         (count(*) filter (where status = 'stale'))::int as stale
       from execution where scheduled_for between $1 and $2 group by task_id, scheduled_for`,
      [new Date(firstAt), new Date(lastAt)],
    )
    const isDone = found.length >= dueTimes && found.every(({ open }) => open === 0)
    return isDone || Date.now() > lastAt + ENDED_MS ? found : null
  }, ENDED_MS * 2)
  return {
    dueTimes,
    missing: dueTimes - rows.length,
    doubled: rows.filter(({ count }) => count > 1).length,
    stale: rows.reduce((sum, { stale }) => sum + stale, 0),
  }
}
