import type { AreaContext } from '../../db/context.ts'
import { startClaimLoop } from '../../db/nodes/claim-loop.ts'
import type { NodeMembership } from '../../db/nodes/node-membership.ts'
import { isDoneBefore } from '../../lib/async/abort.ts'
import {
  claimExecutions,
  findRunningExecutionsOfNode,
  markExecutionsStale,
  type ClaimedExecution,
} from '../executions/execution-store.ts'
import type { LiveOutputs } from './live-output.ts'

/** The abort reason of an execution's signal. */
export class ExecutionInterrupted extends Error {
  override readonly name = 'ExecutionInterrupted'
}

type Parts = AreaContext & {
  membership: NodeMembership
  /** Aborts when the service is stopping and running executions can no longer finish. */
  graceOver: AbortSignal
  outputs: LiveOutputs
  concurrency: number
  /** Monotonic clock, in milliseconds. */
  monotonicMs?: () => number
  /** Runs one execution. If `signal` aborts, the promise must settle soon. */
  execute(claimed: ClaimedExecution, signal: AbortSignal): Promise<void>
}

const POLL_INTERVAL_MS = 2_000
/** How often executions of dead nodes are marked as stale. */
const STALE_CHECK_INTERVAL_MS = 15_000

/** Runs queued executions, each on one node, with a limit of concurrent ones. */
export function startExecutionRunner(parts: Parts) {
  const {
    db,
    log,
    membership,
    graceOver,
    concurrency,
    clock,
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
    for (const execution of await claimExecutions(db, nodeId, clock.now(), free)) start(execution)
  }
  /** Marks these executions of this node as stale, or without `ids` all executions of dead nodes. */
  const markStale = async (ids?: string[]) => {
    for (const id of await markExecutionsStale(db, clock.now(), nodeId, ids)) {
      log.warn({ executionId: id }, 'marked an execution as stale')
      parts.outputs.notify(id)
    }
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
      staleCheckedAt = monotonicMs()
    },
    findOwned: () => findRunningExecutionsOfNode(db, nodeId),
    stop: (_, id) => interrupt(id),
    releaseOrphans: (rows) => markStale(rows.map(({ id }) => id)),
    claim,
  })

  return {
    /** Checks now for queued executions, and for running ones that were ended. */
    wake: loop.wake,
    /** Stops these executions if they run here, because their rows have already ended. */
    interrupt: (ids: readonly string[]) => ids.forEach(interrupt),
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

export type ExecutionRunner = ReturnType<typeof startExecutionRunner>
