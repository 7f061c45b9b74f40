import { systemTimers, type Timers } from '../time/clock.ts'

/** A sleep that `wake` ends early. A `wake` without a running sleep ends the next sleep immediately. */
export interface WakeableSleep {
  wake(): void
  /** Sleeps for `ms`, or with Infinity until `wake`. Only one sleep may run at a time. True if `wake` ended it. */
  sleep(ms: number): Promise<boolean>
}

/** Work that is repeated until disposed. Disposing waits for the current round. */
interface WakeableLoop extends AsyncDisposable {
  /** Starts the next round now. The first call starts the loop. */
  wake(): void
}

type Options = {
  /** Aborted when the loop is disposed, so that a round can end early. */
  closing: AbortController
  /** Resolves with the milliseconds until the next round. */
  round(): Promise<number>
  /** Reports a failed round, unless the loop is being disposed. Returns the milliseconds until the next round. */
  onError(error: unknown): number
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

export function createWakeableLoop({ closing, round, onError }: Options): WakeableLoop {
  const wakeUp = createWakeableSleep()
  const runRound = async (): Promise<number> => {
    try {
      return await round()
    } catch (error) {
      return closing.signal.aborted ? 0 : onError(error)
    }
  }
  const loop = async () => {
    while (!closing.signal.aborted) await wakeUp.sleep(await runRound())
  }
  let looping: Promise<void> | null = null
  return {
    wake() {
      looping ??= loop()
      wakeUp.wake()
    },
    async [Symbol.asyncDispose]() {
      closing.abort()
      wakeUp.wake()
      await looping
    },
  }
}
