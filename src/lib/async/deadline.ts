export type DeadlineResult<T> =
  | { ended: 'done'; value: T }
  /** The time was up. */
  | { ended: 'late' }
  /** The outer signal aborted. */
  | { ended: 'aborted' }

/**
 * Runs work that has to stop when the time is up or the signal aborts, and does not wait for work that does not
 * stop. What becomes of it then is nobody's concern any more.
 */
export function runWithDeadline<T>(
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
        inner.abort(new Error(ended === 'late' ? 'the time is up' : 'it is over'))
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
