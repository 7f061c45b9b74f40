import { setTimeout as sleep } from 'node:timers/promises'

const PAUSE_MS = 20
const LONGEST_PAUSE_MS = 100
/** After this time, an expensive check is polled less often, because it slows down what it waits for. */
const BACK_OFF_AFTER_MS = 300
const PAUSE_PER_CALL_FACTOR = 16

/** Polls until the check returns a value. The limit only keeps a failing test from waiting forever. */
export async function eventually<T>(
  check: () => Promise<T | null> | T | null,
  limitMs = 120_000,
): Promise<T> {
  const began = performance.now()
  for (;;) {
    const checkedAt = performance.now()
    const value = await check()
    if (value !== null) return value
    const now = performance.now()
    if (now - began > limitMs) throw new Error(`the condition was not met within ${limitMs} ms`)
    const pause = now - began < BACK_OFF_AFTER_MS ? 0 : PAUSE_PER_CALL_FACTOR * (now - checkedAt)
    await sleep(Math.min(Math.max(PAUSE_MS, pause), LONGEST_PAUSE_MS))
  }
}
