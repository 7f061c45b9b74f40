import { startClaimLoop, type ClaimLoop, type ClaimLoopOptions } from './claim-loop.ts'

/** A row that this node may work on. The fence rises with every claim, so that a former owner can store nothing. */
type Claimed = { fence: number }

export type LeasedWorkOptions<Claim extends Claimed> = Pick<
  ClaimLoopOptions<{ id: string }, unknown>,
  'what' | 'log' | 'membership' | 'pollMs'
> & {
  idOf(claim: Claim): string
  /** The rows that this node owns according to the database. */
  findOwned(): Promise<ReadonlyArray<{ id: string; fence: number }>>
  /** Claims rows and starts each of them, as far as the running ones leave room. */
  claim(running: readonly Claim[], start: (claim: Claim) => void): Promise<void>
  /** Works on one row until it is finished or the signal aborts. */
  run(claim: Claim, signal: AbortSignal): Promise<void>
  /** Gives a row back for any node, if this claim still owns it. */
  release(lease: { id: string; fence: number }): Promise<void>
  /** Gives a row back after an unexpected error, to be tried later. */
  postpone(claim: Claim): Promise<void>
}

/** Claims rows and works on them, each in the background. Disposing aborts the work and waits until it has ended. */
export function startLeasedWork<Claim extends Claimed>(parts: LeasedWorkOptions<Claim>): ClaimLoop {
  const { what, log, membership, pollMs, idOf } = parts
  const running = new Map<string, { claim: Claim; abort: AbortController }>()
  /** All work that has not ended, also what was aborted because its row was claimed again. */
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
    // Earlier work has lost its lease: the row was changed and claimed again since this round began.
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
      // The current round may wait for the database and may start further work, so work is aborted before and after it.
      abortAll()
      await loop[Symbol.asyncDispose]()
      abortAll()
      await Promise.all(works)
    },
  }
}
