import { createWakeableSleep } from '../../lib/async/wake-up.ts'
import { systemTimers, type Timers } from '../../lib/time/clock.ts'
import type { Log } from '../../log.ts'
import type { NodeMembership } from './node-membership.ts'

/** While nothing runs, a node looks this often for rows that it owns, for example because a response was lost. */
const LOOK_FOR_ORPHANS_MS = 5_000

/** Claims rows for this node until disposed. Disposing waits for the current round and does not stop running work. */
export interface ClaimLoop extends AsyncDisposable {
  /** Starts the next round immediately. */
  wake(): void
}

/** One kind of work that nodes claim row by row: meetings, lanes or executions. */
export type ClaimLoopOptions<Row extends { id: string }, Work> = {
  /** What the loop claims, in the plural, for log messages. Example: `meeting leases`. */
  what: string
  log: Log
  membership: Pick<NodeMembership, 'onNodeLost' | 'hasFreshHeartbeat'>
  pollMs: number
  timers?: Timers
  /** The work that runs on this node, by row id. */
  running: ReadonlyMap<string, Work>
  /** Runs at the start of each round. */
  beforeRound?(): Promise<void>
  /** The rows that this node owns according to the database. */
  findOwned(): Promise<readonly Row[]>
  /** Adapts work that runs here to its row, which still exists. */
  update?(work: Work, row: Row): void
  /** Stops the work, because this node no longer owns the row or the row is finished. */
  stop(work: Work, id: string): void
  /** Releases rows that this node owns without running work, for example after a failed start. */
  releaseOrphans(rows: readonly Row[]): Promise<void>
  /** Claims further rows and starts their work, while this node has capacity. */
  claim(): Promise<void>
}

/** A row that this node may work on. The fence rises with every claim, so a former owner can't store anything. */
type Claimed = { fence: number }

type LeasedWorkOptions<Claim extends Claimed> = Pick<
  ClaimLoopOptions<{ id: string }, unknown>,
  'what' | 'log' | 'membership' | 'pollMs'
> & {
  idOf(claim: Claim): string
  /** The rows that this node owns according to the database. */
  findOwned(): Promise<ReadonlyArray<{ id: string; fence: number }>>
  /** Claims rows and starts each of them, while the running ones leave capacity. */
  claim(running: readonly Claim[], start: (claim: Claim) => void): Promise<void>
  /** Works on one row until it is finished or the signal aborts. */
  run(claim: Claim, signal: AbortSignal): Promise<void>
  /** Releases a row for any node, if this claim still owns it. */
  release(lease: { id: string; fence: number }): Promise<void>
  /** Releases a row after an unexpected error, so that it is tried again later. */
  postpone(claim: Claim): Promise<void>
}

/**
 * In each round, compares the rows that this node owns with the work that runs here, then claims more. A node without a
 * fresh heartbeat claims nothing.
 */
export function startClaimLoop<Row extends { id: string }, Work>(
  parts: ClaimLoopOptions<Row, Work>,
): ClaimLoop {
  const { what, log, membership, pollMs, timers = systemTimers, running } = parts
  const wakeUp = createWakeableSleep(timers)
  const closing = new AbortController()
  /** No row was owned when they were last read, and nothing has run since. */
  let ownsNothingUntil = -Infinity

  const reconcile = async () => {
    if (running.size === 0 && timers.now() < ownsNothingUntil) return
    // Copied before the read, so that work that ends during the read is not treated as lost.
    const runningBefore = [...running]
    const owned = new Map((await parts.findOwned()).map((row) => [row.id, row]))
    for (const [id, work] of runningBefore) {
      const row = owned.get(id)
      if (row === undefined) parts.stop(work, id)
      else parts.update?.(work, row)
    }
    const orphans = [...owned.values()].filter(({ id }) => !running.has(id))
    if (orphans.length > 0) await parts.releaseOrphans(orphans)
    ownsNothingUntil = owned.size > 0 ? -Infinity : timers.now() + LOOK_FOR_ORPHANS_MS
  }
  const loop = async () => {
    while (!closing.signal.aborted) {
      try {
        await parts.beforeRound?.()
        await reconcile()
        if (!closing.signal.aborted && membership.hasFreshHeartbeat()) await parts.claim()
      } catch (error) {
        // A claim may have been stored although its response was lost.
        ownsNothingUntil = -Infinity
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

/** Claims rows and works on each of them in the background. Disposing aborts the work and waits until it has ended. */
export function startLeasedWork<Claim extends Claimed>(parts: LeasedWorkOptions<Claim>): ClaimLoop {
  const { what, log, membership, pollMs, idOf } = parts
  const running = new Map<string, { claim: Claim; abort: AbortController }>()
  /** All work that has not ended, including work that was aborted because its row was claimed again. */
  const works = new Set<Promise<void>>()

  const start = (claim: Claim) => {
    const id = idOf(claim)
    const abort = new AbortController()
    const work = async () => {
      try {
        await parts.run(claim, abort.signal)
      } catch (error) {
        if (abort.signal.aborted) return parts.release({ id, fence: claim.fence })
        log.error({ err: error, id }, `failed to work on one of the ${what}`)
        await parts.postpone(claim)
      }
    }
    const done = work()
      .catch((error: unknown) => log.error({ err: error, id }, `failed to release ${what}`))
      .finally(() => {
        works.delete(done)
        if (running.get(id)?.abort === abort) running.delete(id)
        loop.wake()
      })
    works.add(done)
    // Earlier work has lost its lease, because the row was changed and claimed again since this round began.
    running.get(id)?.abort.abort()
    running.set(id, { claim, abort })
  }
  const loop = startClaimLoop({
    what,
    log,
    membership,
    pollMs,
    running,
    findOwned: parts.findOwned,
    update: (work, row) => row.fence !== work.claim.fence && work.abort.abort(),
    stop: (work) => work.abort.abort(),
    async releaseOrphans(rows) {
      for (const row of rows) await parts.release(row)
    },
    claim: () =>
      parts.claim(
        [...running.values()].map(({ claim }) => claim),
        start,
      ),
  })

  const abortAll = () => running.forEach(({ abort }) => abort.abort())
  return {
    wake: loop.wake,
    async [Symbol.asyncDispose]() {
      // The current round may wait for the database and start further work, so work is aborted before and after it.
      abortAll()
      await loop[Symbol.asyncDispose]()
      abortAll()
      await Promise.all(works)
    },
  }
}
