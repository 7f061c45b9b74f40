import { CompiledQuery } from 'kysely'
import type { Jobs } from '../../jobs/jobs.ts'
import type { Tx } from '../task-store.ts'

/** Executions that wait for a node with room: durable, in order, and part of the transaction that makes them. */
export interface ExecutionQueue {
  enqueue(tx: Tx, executionIds: readonly string[]): Promise<void>
  /** Takes up to so many. They come back when the transaction does not commit. */
  dequeue(tx: Tx, count: number): Promise<string[]>
  /** Adds those that are not in it, and answers which. One that is taken meanwhile may be among them. */
  enqueueMissing(tx: Tx, executionIds: readonly string[]): Promise<string[]>
}

const QUEUE_NAME = 'executions'

export async function openExecutionQueue({ boss }: Jobs): Promise<ExecutionQueue> {
  // Nothing is ever left active: a job is taken and removed in the transaction that gives its execution an owner.
  await boss.createQueue(QUEUE_NAME, { retryLimit: 0, retentionSeconds: 365 * 86_400 })
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
