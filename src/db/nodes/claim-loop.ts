import { createWakeableSleep } from '../../lib/async/wake-up.ts'
import { systemTimers, type Timers } from '../../lib/time/timers.ts'
import type { Log } from '../../log.ts'
import type { NodeMembership } from './node-membership.ts'

/** Claims rows for this node until it is disposed. Disposing waits for the current round and leaves running work alone. */
export interface ClaimLoop extends AsyncDisposable {
  /** Starts the next round immediately. */
  wake(): void
}

/** One kind of work that nodes claim row by row: meetings, lanes or executions. */
export type ClaimLoopOptions<Row extends { id: string }, Work> = {
  /** What the loop claims, in the plural, for log messages; for example `meeting leases`. */
  what: string
  log: Log
  membership: Pick<NodeMembership, 'onNodeLost' | 'hasFreshHeartbeat'>
  pollMs: number
  timers?: Timers
  /** The work that runs on this node, by the id of its row. */
  running: ReadonlyMap<string, Work>
  /** Runs at the start of each round. */
  beforeRound?(): Promise<void>
  /** The rows that this node owns according to the database. */
  findOwned(): Promise<readonly Row[]>
  /** The row exists and its work runs here: adapts the work to the row. */
  update?(work: Work, row: Row): void
  /** This node does not own the row any more, or the row is finished: stops the work. */
  stop(work: Work, id: string): void
  /** This node owns rows for which nothing runs here, for example after a failed start: releases them. */
  releaseOrphans(rows: readonly Row[]): Promise<void>
  /** Claims further rows and starts their work, as far as this node has capacity. */
  claim(): Promise<void>
}

/**
 * In each round: reconciles the rows this node owns with the work that runs here, then claims more. A node without a
 * fresh heartbeat claims nothing.
 */
export function startClaimLoop<Row extends { id: string }, Work>(
  parts: ClaimLoopOptions<Row, Work>,
): ClaimLoop {
  const { what, log, membership, pollMs, timers = systemTimers, running } = parts
  const wakeUp = createWakeableSleep(timers)
  const closing = new AbortController()

  const reconcile = async () => {
    // Taken before the read: work that ends during the read must not count as lost.
    const runningBefore = [...running]
    const owned = new Map((await parts.findOwned()).map((row) => [row.id, row]))
    for (const [id, work] of runningBefore) {
      const row = owned.get(id)
      if (row === undefined) parts.stop(work, id)
      else parts.update?.(work, row)
    }
    const orphans = [...owned.values()].filter(({ id }) => !running.has(id))
    if (orphans.length > 0) await parts.releaseOrphans(orphans)
  }
  const loop = async () => {
    while (!closing.signal.aborted) {
      try {
        await parts.beforeRound?.()
        await reconcile()
        if (!closing.signal.aborted && membership.hasFreshHeartbeat()) await parts.claim()
      } catch (error) {
        if (!closing.signal.aborted) log.error({ err: error }, `failed to renew or claim ${what}`)
      }
      await wakeUp.sleep(pollMs)
    }
  }
  membership.onNodeLost(wakeUp.wake)
  const looping = loop()

  return {
    wake: wakeUp.wake,
    async [Symbol.asyncDispose]() {
      closing.abort()
      wakeUp.wake()
      await looping
    },
  }
}
