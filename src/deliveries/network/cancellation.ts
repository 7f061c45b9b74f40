import { onAbort } from '../../lib/async/on-abort.ts'
import { CallbackTimeoutError } from './delivery-errors.ts'

/** What ends a post before its answer does. There is one for every post, and a signal would cost far more. */
export interface Cancellation extends Disposable {
  isCancelled(): boolean
  /** Why; undefined while it is not over. */
  reason(): unknown
  /** One at a time. */
  onCancel(run: () => void): void
}

/** Over when the time is up or the signal says stop. */
export function createCancellation(limitMs: number, signal: AbortSignal): Cancellation {
  let over: { reason: unknown } | null = null
  let tell = () => {}
  const end = (reason: unknown) => {
    if (over !== null) return
    over = { reason }
    tell()
  }
  const timer = setTimeout(() => end(new CallbackTimeoutError('The time is up')), limitMs)
  const forget = onAbort(signal, () => end(signal.reason))
  return {
    isCancelled: () => over !== null,
    reason: () => over?.reason,
    onCancel(run) {
      tell = run
    },
    [Symbol.dispose]() {
      clearTimeout(timer)
      forget()
    },
  }
}
