import { onAbort } from '../../lib/on-abort.ts'
import { TimeUpError } from './failures.ts'

/** What ends a post before its answer does. There is one for every post, and a signal would cost far more. */
export interface Ending extends Disposable {
  isOver(): boolean
  /** Why; undefined while it is not over. */
  reason(): unknown
  /** One at a time. */
  onOver(run: () => void): void
}

/** Over when the time is up or the signal says stop. */
export function createEnding(limitMs: number, signal: AbortSignal): Ending {
  let over: { reason: unknown } | null = null
  let tell = () => {}
  const end = (reason: unknown) => {
    if (over !== null) return
    over = { reason }
    tell()
  }
  const timer = setTimeout(() => end(new TimeUpError('The time is up')), limitMs)
  const forget = onAbort(signal, () => end(signal.reason))
  return {
    isOver: () => over !== null,
    reason: () => over?.reason,
    onOver(run) {
      tell = run
    },
    [Symbol.dispose]() {
      clearTimeout(timer)
      forget()
    },
  }
}
