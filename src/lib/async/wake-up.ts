import { systemTimers, type Timers } from '../time/clock.ts'

type Options = {
  /** Aborted when the loop is disposed, so that a round can end early. */
  closing: AbortController
  /** Resolves with the milliseconds until the next round. */
  round(): Promise<number>
  /** Reports a failed round, unless the loop is being disposed. Returns the milliseconds until the next round. */
  onError(error: unknown): number
}

/** A sleep that `wake` ends early. A `wake` without a running sleep ends the next sleep immediately. */
export function createWakeableSleep(timers: Timers = systemTimers) {
  let isWoken = false
  let end: (() => void) | null = null
  return {
    wake(): void {
      isWoken = true
      end?.()
    },
    /** Sleeps for `ms`, or with Infinity until `wake`. Only one sleep may run at a time. True if `wake` ended it. */
    async sleep(ms: number): Promise<boolean> {
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

export type WakeableSleep = ReturnType<typeof createWakeableSleep>

/** Work that is repeated until disposed. Disposing waits for the current round. */
export function createWakeableLoop({ closing, round, onError }: Options) {
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
    /** Starts the next round now. The first call starts the loop. */
    wake(): void {
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
