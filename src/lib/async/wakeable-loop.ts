import { createWakeableSleep } from './wake-up.ts'

/** Work that is repeated until it is disposed. Disposing waits for the current round. */
export interface WakeableLoop extends AsyncDisposable {
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
