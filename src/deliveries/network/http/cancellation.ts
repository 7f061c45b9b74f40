import { onAbort } from '../../../lib/async/on-abort.ts'
import { CallbackTimeoutError } from '../delivery-errors.ts'

/** Cancels one request. Used instead of a combined AbortSignal, which would be much slower. */
export interface RequestCancellation extends Disposable {
  isCancelled(): boolean
  /** The reason for the cancellation; undefined while the request is not cancelled. */
  reason(): unknown
  /** Sets the callback for the cancellation. A second call replaces the first callback. */
  onCancel(run: () => void): void
}

/** Creates a cancellation that cancels its request when the time limit passes or the signal aborts. */
export function createRequestCancellation(
  limitMs: number,
  signal: AbortSignal,
): RequestCancellation {
  let cancelled: { reason: unknown } | null = null
  let notify = () => {}
  const cancel = (reason: unknown) => {
    if (cancelled !== null) return
    cancelled = { reason }
    notify()
  }
  const timeout = () => cancel(new CallbackTimeoutError('The callback timed out'))
  const timer = setTimeout(timeout, limitMs)
  const removeListener = onAbort(signal, () => cancel(signal.reason))
  return {
    isCancelled: () => cancelled !== null,
    reason: () => cancelled?.reason,
    onCancel(run) {
      notify = run
    },
    [Symbol.dispose]() {
      clearTimeout(timer)
      removeListener()
    },
  }
}
