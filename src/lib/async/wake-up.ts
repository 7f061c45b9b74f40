import { systemTimers, type Timers } from '../time/timers.ts'

/** A sleep that can be ended early. A call that comes while nobody sleeps ends the next sleep at once. */
export interface WakeUp {
  wake(): void
  /** One sleeper at a time; Infinity: until woken. True when it was woken, false when the time was up. */
  sleep(ms: number): Promise<boolean>
}

export function createWakeUp(timers: Timers = systemTimers): WakeUp {
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
