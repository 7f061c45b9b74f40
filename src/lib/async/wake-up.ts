import { systemTimers, type Timers } from '../time/timers.ts'

/** A sleep that `wake` ends early. A `wake` without a running sleep ends the next sleep immediately. */
export interface WakeableSleep {
  wake(): void
  /**
   * Sleeps for `ms`, or with Infinity until `wake`; only one sleep may run at a time. Returns true when woken, false
   * when the time has passed.
   */
  sleep(ms: number): Promise<boolean>
}

export function createWakeableSleep(timers: Timers = systemTimers): WakeableSleep {
  let isWoken = false
  let end: (() => void) | null = null
  return {
    wake() {
      isWoken = true
      end?.()
    },
    async sleep(ms) {
      if (!isWoken && ms > 0) {
        await new Promise<void>((resolve) => {
          const cancel = ms === Infinity ? () => undefined : timers.after(ms, resolve)
          end = () => {
            cancel()
            resolve()
          }
        })
      }
      end = null
      const wasWoken = isWoken
      isWoken = false
      return wasWoken
    },
  }
}
