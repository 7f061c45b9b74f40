import { setTimeout as sleep } from 'node:timers/promises'

/** How a piece of work with a time limit ended. `done`: it finished in time. */
export type DeadlineResult<T> =
  | { ended: 'done'; value: T }
  /** The time limit passed. */
  | { ended: 'late' }
  /** The caller's signal aborted. */
  | { ended: 'aborted' }

const callbacksBySignal = new WeakMap<AbortSignal, Set<() => void>>()

/**
 * Runs work with a time limit. When the limit passes or `signal` aborts, `inner` aborts and the result is returned
 * without waiting for work that ignores `inner`. An error of such late work is dropped.
 */
export function runUntilDeadlineOrAbort<T>(
  ms: number,
  signal: AbortSignal,
  work: (inner: AbortSignal) => Promise<T>,
): Promise<DeadlineResult<T>> {
  const inner = new AbortController()
  return new Promise<DeadlineResult<T>>((resolve, reject) => {
    const settle = (end: () => void) => {
      clearTimeout(timer)
      signal.removeEventListener('abort', onAbort)
      end()
    }
    const stop = (ended: 'late' | 'aborted') =>
      settle(() => {
        resolve({ ended })
        inner.abort(new Error(ended === 'late' ? 'the time limit has passed' : 'aborted'))
      })
    const onAbort = () => stop('aborted')
    const timer = setTimeout(() => stop('late'), ms)
    signal.addEventListener('abort', onAbort, { once: true })
    if (signal.aborted) return onAbort()
    work(inner.signal).then(
      (value) => settle(() => resolve({ ended: 'done', value })),
      (error: unknown) => settle(() => reject(error)),
    )
  })
}

const NEVER_ABORTED = new AbortController().signal

/**
 * Waits for a promise at most `ms` milliseconds. True if it was fulfilled in time. Its work is not stopped. Rejects if
 * the promise rejects in time.
 */
export async function isDoneWithin(promise: Promise<unknown>, ms: number): Promise<boolean> {
  return (await runUntilDeadlineOrAbort(ms, NEVER_ABORTED, () => promise)).ended === 'done'
}

/** Waits for a promise until the signal aborts. True if it was fulfilled by then. Its work is not stopped. */
export async function isDoneBefore(
  promise: Promise<unknown>,
  signal: AbortSignal,
): Promise<boolean> {
  if (signal.aborted) return isDoneWithin(promise, 0)
  const aborted = Promise.withResolvers<false>()
  const unsubscribe = onAbort(signal, () => aborted.resolve(false))
  try {
    return await Promise.race([promise.then(() => true), aborted.promise])
  } finally {
    unsubscribe()
  }
}

/**
 * Like `isDoneWithin`, but in several steps. If this process was paused for longer than the whole time, the events of
 * the pause are handled before the time is up.
 */
export async function isDoneWithinSteps(
  promise: Promise<unknown>,
  { ms, steps }: { ms: number; steps: number },
): Promise<boolean> {
  for (let step = 0; step < steps; step += 1)
    if (await isDoneWithin(promise, ms / steps)) return true
  return false
}

/**
 * Calls `run` once when the signal aborts. The returned function unsubscribes. All callbacks of a signal share one
 * event listener, because adding and removing listeners is slow on hot paths.
 */
export function onAbort(signal: AbortSignal, run: () => void): () => void {
  let callbacks = callbacksBySignal.get(signal)
  if (callbacks === undefined) {
    const all = new Set<() => void>()
    callbacksBySignal.set(signal, all)
    signal.addEventListener('abort', () => all.forEach((one) => one()), { once: true })
    callbacks = all
  }
  const all = callbacks
  // A new function each time, so that the same `run` can be registered twice.
  const callback = () => run()
  all.add(callback)
  return () => void all.delete(callback)
}

/** Waits for work until the signal aborts, then rejects with the signal's reason. The work itself continues. */
export async function abortable<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const aborted = Promise.withResolvers<never>()
  const reject = () => aborted.reject(signal.reason as Error)
  const unsubscribe = onAbort(signal, reject)
  if (signal.aborted) reject()
  try {
    return await Promise.race([aborted.promise, work])
  } finally {
    unsubscribe()
  }
}

/** Sleeps until the time is over or the signal aborts. */
export async function sleepUnlessAborted(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await sleep(ms, undefined, { signal })
  } catch (error) {
    if (!signal.aborted) throw error
  }
}
