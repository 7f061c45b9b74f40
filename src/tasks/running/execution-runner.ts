import { CompiledQuery } from 'kysely'
import type { Db, Tx } from '../../db/database.ts'
import { startClaimLoop } from '../../db/nodes/claim-loop.ts'
import type { NodeMembership } from '../../db/nodes/node-membership.ts'
import { mayNodeClaim } from '../../db/nodes/node-rows.ts'
import type { JobEngine } from '../../jobs/jobs.ts'
import { isDoneBefore } from '../../lib/async/abort.ts'
import type { Log } from '../../log.ts'
import {
  claimExecutions,
  findRunningExecutionsOfNode,
  listQueuedExecutionIds,
  markExecutionsStale,
  type ClaimedExecution,
} from '../executions/execution-store.ts'
import type { LiveOutputs } from './live-output.ts'

/** Runs queued executions, each on one node, with a limit of concurrent ones. */
export interface ExecutionRunner extends AsyncDisposable {
  /** Checks now for queued executions, and for running ones that were ended. */
  wake(): void
  /** Stops these executions if they run here, because their rows have already ended. */
  interrupt(executionIds: readonly string[]): void
  runningCount(): number
}

/** The abort reason of an execution's signal. */
export class ExecutionInterrupted extends Error {
  override readonly name = 'ExecutionInterrupted'
}

/** The durable FIFO queue of executions that wait for a node with free capacity. */
export interface ExecutionQueue {
  /** Adds executions in the transaction that creates them. */
  enqueue(tx: Tx, executionIds: readonly string[]): Promise<void>
  /** Removes up to `count` executions from the queue. They stay queued if the transaction is not committed. */
  dequeue(tx: Tx, count: number): Promise<string[]>
  /** Queues executions that have no queue entry, and returns their ids. A just dequeued one may be added again. */
  enqueueMissing(tx: Tx, executionIds: readonly string[]): Promise<string[]>
}

const QUEUE_NAME = 'executions'
const NO_JOB = '00000000-0000-0000-0000-000000000000'

type Parts = {
  db: Db
  log: Log
  membership: NodeMembership
  /** Aborts when the service is stopping and running executions can no longer finish. */
  graceOver: AbortSignal
  queue: ExecutionQueue
  outputs: LiveOutputs
  concurrency: number
  time(): Promise<Date>
  /** Monotonic clock, in milliseconds. */
  monotonicMs?: () => number
  /** Runs one execution. If `signal` aborts, the promise must settle soon. */
  execute(claimed: ClaimedExecution, signal: AbortSignal): Promise<void>
}

const POLL_INTERVAL_MS = 2_000
/** How often executions of dead nodes are marked as stale, and missing executions are queued again. */
const STALE_CHECK_INTERVAL_MS = 15_000

export function startExecutionRunner(parts: Parts): ExecutionRunner {
  const {
    db,
    log,
    membership,
    graceOver,
    queue,
    concurrency,
    time,
    monotonicMs = () => performance.now(),
  } = parts
  const { nodeId } = membership
  const running = new Map<string, { abort: AbortController; done: Promise<void> }>()
  let staleCheckedAt = -Infinity

  const start = (claimed: ClaimedExecution) => {
    const abort = new AbortController()
    const done = parts
      .execute(claimed, abort.signal)
      .catch((error: unknown) => {
        // This node still owns the execution, so the next round of the claim loop marks it as stale.
        log.error({ err: error, executionId: claimed.id }, 'failed to end an execution')
      })
      .finally(() => {
        running.delete(claimed.id)
        loop.wake()
      })
    running.set(claimed.id, { abort, done })
  }
  const claim = async () => {
    const free = concurrency - running.size
    if (free <= 0) return
    const now = await time()
    const { dequeued, claimed } = await db.transaction().execute(async (tx) => {
      if (!(await mayNodeClaim(tx, nodeId))) return { dequeued: 0, claimed: [] }
      const ids = await queue.dequeue(tx, free)
      return { dequeued: ids.length, claimed: await claimExecutions(tx, ids, nodeId, now) }
    })
    for (const execution of claimed) start(execution)
    // Some dequeued executions had been cancelled, so this node has capacity for others.
    if (claimed.length < dequeued) loop.wake()
  }
  /** Marks these executions of this node as stale, or without `ids` all executions of dead nodes. */
  const markStale = async (ids?: string[]) => {
    for (const id of await markExecutionsStale(db, await time(), nodeId, ids)) {
      log.warn({ executionId: id }, 'marked an execution as stale')
      parts.outputs.notify(id)
    }
  }
  /** Queues waiting executions without a queue entry, because a backup does not contain the queue. */
  const queueMissing = async () => {
    const missing = await db
      .transaction()
      .execute(async (tx) => queue.enqueueMissing(tx, await listQueuedExecutionIds(tx)))
    for (const id of missing) log.warn({ executionId: id }, 'queued an execution again')
  }
  const interrupt = (id: string) =>
    running.get(id)?.abort.abort(new ExecutionInterrupted('the execution is over'))

  membership.onNodeLost(() => {
    staleCheckedAt = -Infinity
  })
  const loop = startClaimLoop({
    what: 'executions',
    log,
    membership,
    pollMs: POLL_INTERVAL_MS,
    running,
    async beforeRound() {
      if (monotonicMs() - staleCheckedAt <= STALE_CHECK_INTERVAL_MS) return
      await markStale()
      await queueMissing()
      staleCheckedAt = monotonicMs()
    },
    findOwned: () => findRunningExecutionsOfNode(db, nodeId),
    stop: (_, id) => interrupt(id),
    releaseOrphans: (rows) => markStale(rows.map(({ id }) => id)),
    claim,
  })

  return {
    wake: loop.wake,
    interrupt: (ids) => ids.forEach(interrupt),
    runningCount: () => running.size,
    async [Symbol.asyncDispose]() {
      await loop[Symbol.asyncDispose]()
      const allDone = () => Promise.all([...running.values()].map(({ done }) => done))
      if (await isDoneBefore(allDone(), graceOver)) return
      const ids = [...running.keys()]
      await markStale(ids)
      for (const id of ids) interrupt(id)
      await allDone()
    },
  }
}

export async function openExecutionQueue({ boss }: JobEngine): Promise<ExecutionQueue> {
  // No job is ever left active: the transaction that assigns its execution to a node also removes the job.
  await boss.createQueue(QUEUE_NAME, { retryLimit: 0, retentionSeconds: 365 * 86_400 })
  // pg-boss reads a queue at its first use. In a transaction that would need a second connection, and none may be free.
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
