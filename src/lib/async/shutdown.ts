import { systemTimers, type Timers } from '../time/clock.ts'
import { onAbort } from './abort.ts'
import { preventUnhandledRejection } from './await-later.ts'

/** The stop of the service, as its parts see it. It begins for all at once, and they share its grace period. */
export interface Shutdown {
  /** Aborts when the stop begins. No new work begins, and running work has to end. */
  readonly begun: AbortSignal
  /** Aborts when parts must no longer wait for something that may never answer, such as a model or a meeting page. */
  readonly graceOver: AbortSignal
}

export interface ShutdownController extends Shutdown, Disposable {
  begin(): void
  /** Milliseconds since the stop began. 0 before. */
  elapsedMs(): number
}

export function createShutdown(graceMs: number, timers: Timers = systemTimers): ShutdownController {
  const [begun, graceOver] = [new AbortController(), new AbortController()]
  let begunAt: number | null = null
  let cancelTimer = () => {}
  return {
    begun: begun.signal,
    graceOver: graceOver.signal,
    begin() {
      if (begunAt !== null) return
      begunAt = timers.now()
      cancelTimer = timers.after(graceMs, () => graceOver.abort())
      begun.abort()
    },
    elapsedMs: () => (begunAt === null ? 0 : timers.now() - begunAt),
    [Symbol.dispose]: () => cancelTimer(),
  }
}

/** Stops a part once: when the shutdown begins or the part is disposed. Disposing waits until it has stopped. */
export function stopOnShutdown(
  { begun }: Pick<Shutdown, 'begun'>,
  part: AsyncDisposable,
): AsyncDisposable {
  let stopping: Promise<void> | null = null
  const stopOnce = () => (stopping ??= preventUnhandledRejection(dispose(part)))
  const unsubscribe = onAbort(begun, () => void stopOnce())
  return {
    async [Symbol.asyncDispose]() {
      unsubscribe()
      await stopOnce()
    },
  }
}

async function dispose(part: AsyncDisposable): Promise<void> {
  await part[Symbol.asyncDispose]()
}
