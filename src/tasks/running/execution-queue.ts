import type { Tx } from '../../db/database.ts'
import { CompiledQuery } from 'kysely'
import type { JobEngine } from '../../jobs/jobs.ts'

/** The durable FIFO queue of executions that wait for a node with free capacity. */
export interface ExecutionQueue {
  /** Adds executions in the transaction that creates them. */
  enqueue(tx: Tx, executionIds: readonly string[]): Promise<void>
  /** Removes up to `count` executions from the queue. They stay queued if the transaction does not commit. */
  dequeue(tx: Tx, count: number): Promise<string[]>
  /** Adds the executions without a queue entry and returns their ids. One that was just dequeued may be added again. */
  enqueueMissing(tx: Tx, executionIds: readonly string[]): Promise<string[]>
}

const QUEUE_NAME = 'executions'
const NO_JOB = '00000000-0000-0000-0000-000000000000'

export async function openExecutionQueue({ boss }: JobEngine): Promise<ExecutionQueue> {
  // No job is ever left active: it is removed in the same transaction that assigns its execution to a node.
  await boss.createQueue(QUEUE_NAME, { retryLimit: 0, retentionSeconds: 365 * 86_400 })
  // pg-boss reads a queue with its first use. In a transaction it would wait for a second connection, and there may be none.
  await boss.findJobs(QUEUE_NAME, { id: NO_JOB })
  const add = async (tx: Tx, executionIds: readonly string[]) => {
    if (executionIds.length === 0) return
    const jobs = executionIds.map((executionId) => ({ data: { executionId } }))
    await boss.insert(QUEUE_NAME, jobs, { db: toBossDatabase(tx) })
  }
  return {
    enqueue: add,
    async enqueueMissing(tx, executionIds) {
      if (executionIds.length === 0) return []
      const jobs = await boss.findJobs<{ executionId: string }>(QUEUE_NAME, {
        db: toBossDatabase(tx),
      })
      const queued = new Set(jobs.map(({ data }) => data.executionId))
      const missing = executionIds.filter((id) => !queued.has(id))
      await add(tx, missing)
      return missing
    },
    async dequeue(tx, count) {
      const db = toBossDatabase(tx)
      const jobs = await boss.fetch<{ executionId: string }>(QUEUE_NAME, { batchSize: count, db })
      if (jobs.length === 0) return []
      await boss.deleteJob(
        QUEUE_NAME,
        jobs.map(({ id }) => id),
        { db },
      )
      return jobs.map(({ data }) => data.executionId)
    },
  }
}

function toBossDatabase(tx: Tx) {
  return {
    executeSql: async (text: string, values: unknown[] = []) => {
      const { rows } = await tx.executeQuery(CompiledQuery.raw(text, values))
      return { rows: rows as object[] }
    },
  }
}
