import type { Timers } from '../../lib/time/timers.ts'

/** Calls `onLate` when a time has passed without being set again or stopped. */
export interface Watchdog {
  set(ms: number): void
  stop(): void
  isSet(): boolean
}

export function createWatchdog(timers: Timers, onLate: () => void): Watchdog {
  let cancel: (() => void) | null = null
  const stop = () => {
    cancel?.()
    cancel = null
  }
  return {
    set(ms) {
      stop()
      cancel = timers.after(ms, onLate)
    },
    stop,
    isSet: () => cancel !== null,
  }
}
