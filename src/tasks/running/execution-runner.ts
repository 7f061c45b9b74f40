import type { Db } from '../../db/database.ts'
import type { NodeMembership } from '../../db/nodes/node-membership.ts'
import { createWakeUp } from '../../lib/async/wake-up.ts'
import type { Log } from '../../log.ts'
import {
  claimExecutions,
  findOwnedExecutions,
  findQueuedExecutions,
  markExecutionsStale,
  type ClaimedExecution,
} from '../execution-store.ts'
import type { LiveOutputs } from './live-output.ts'
import type { ExecutionQueue } from './execution-queue.ts'

/** Carries out executions: each on one node, so many at once, and none for ever. */
export interface ExecutionRunner extends AsyncDisposable {
  /** Executions wait, or some may be over: look now. */
  wake(): void
  /** These are over in the database: whoever is at them here stops. */
  interrupt(executionIds: readonly string[]): void
  runningCount(): number
}

/** Why the signal of an execution aborts. */
export class ExecutionInterrupted extends Error {
  override readonly name = 'ExecutionInterrupted'
}

type Parts = {
  db: Db
  log: Log
  presence: NodeMembership
  queue: ExecutionQueue
  outputs: LiveOutputs
  concurrency: number
  time(): Promise<Date>
  /** Milliseconds that never go back. */
  steady?: () => number
  /** Comes to an end soon after the signal aborts. */
  execute(claimed: ClaimedExecution, signal: AbortSignal): Promise<void>
}

const POLL_INTERVAL_MS = 2_000
/** Executions of nodes that are gone are looked for at once when that is noticed, and so often in any case; likewise lost ones. */
const STALE_CHECK_INTERVAL_MS = 15_000
/** The process has ten seconds for all of its end. */
const SHUTDOWN_TIMEOUT_MS = 5_000

export function startExecutionRunner(parts: Parts): ExecutionRunner {
  const { db, log, presence, queue, concurrency, time, steady = () => performance.now() } = parts
  const { nodeId } = presence
  const running = new Map<string, { abort: AbortController; done: Promise<void> }>()
  const wakeUp = createWakeUp()
  const closing = new AbortController()
  let lookedAt = -Infinity

  const begin = (claimed: ClaimedExecution) => {
    const abort = new AbortController()
    const done = parts
      .execute(claimed, abort.signal)
      .catch((error: unknown) => {
        // The row is still ours and nobody is at it: the next round gives it up.
        log.error({ err: error, executionId: claimed.id }, 'execution not ended')
      })
      .finally(() => {
        running.delete(claimed.id)
        wakeUp.wake()
      })
    running.set(claimed.id, { abort, done })
  }
  const take = async () => {
    const free = concurrency - running.size
    if (free <= 0) return
    const now = await time()
    const { taken, claimed } = await db.transaction().execute(async (tx) => {
      const ids = await queue.dequeue(tx, free)
      return { taken: ids.length, claimed: await claimExecutions(tx, ids, nodeId, now) }
    })
    for (const one of claimed) begin(one)
    // Some were cancelled while they waited: there is room for others.
    if (claimed.length < taken) wakeUp.wake()
  }
  /** Rows and work are compared both ways: what has only one of them is put right. */
  const compare = async () => {
    const known = [...running.keys()]
    const held = new Set((await findOwnedExecutions(db, nodeId)).map(({ id }) => id))
    for (const id of known) if (!held.has(id)) interrupt(id)
    const orphans = [...held].filter((id) => !running.has(id))
    await giveUp(orphans)
  }
  const giveUp = async (ids?: string[]) => {
    const given = await markExecutionsStale(db, await time(), nodeId, ids)
    for (const id of given) {
      log.warn({ executionId: id }, 'execution stale')
      parts.outputs.notify(id)
    }
  }
  /** A restore brings executions that wait, and not the jobs by which they would be taken. */
  const queueLost = async () => {
    const lost = await db
      .transaction()
      .execute(async (tx) => queue.enqueueMissing(tx, await findQueuedExecutions(tx)))
    for (const id of lost) log.warn({ executionId: id }, 'execution queued again')
  }
  const interrupt = (id: string) =>
    running.get(id)?.abort.abort(new ExecutionInterrupted('the execution is over'))
  const round = async () => {
    if (steady() - lookedAt > STALE_CHECK_INTERVAL_MS) {
      await giveUp()
      await queueLost()
      lookedAt = steady()
    }
    await compare()
    if (!closing.signal.aborted) await take()
  }
  const loop = async () => {
    while (!closing.signal.aborted) {
      try {
        await round()
      } catch (error) {
        if (!closing.signal.aborted) log.error({ err: error }, 'executions not looked after')
      }
      await wakeUp.sleep(POLL_INTERVAL_MS)
    }
  }
  presence.onNodeLost(() => {
    lookedAt = -Infinity
    wakeUp.wake()
  })
  const looping = loop()

  return {
    wake: wakeUp.wake,
    interrupt: (ids) => ids.forEach(interrupt),
    runningCount: () => running.size,
    async [Symbol.asyncDispose]() {
      closing.abort()
      wakeUp.wake()
      await looping
      const all = () => Promise.all([...running.values()].map(({ done }) => done))
      if (!(await isDoneWithin(all(), SHUTDOWN_TIMEOUT_MS))) {
        const ids = [...running.keys()]
        await giveUp(ids)
        for (const id of ids) interrupt(id)
        await all()
      }
    },
  }
}

function isDoneWithin(work: Promise<unknown>, ms: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve(false), ms)
    work.then(
      () => {
        clearTimeout(timer)
        resolve(true)
      },
      (error: unknown) => {
        clearTimeout(timer)
        reject(error instanceof Error ? error : new Error(String(error)))
      },
    )
  })
}
