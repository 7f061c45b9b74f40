import { setTimeout as sleep } from 'node:timers/promises'

const PAUSE_MS = 20
const LONGEST_PAUSE_MS = 100
/** What takes long to happen is asked for less often when the question is dear: it takes time from what it waits for. */
const BACK_OFF_AFTER_MS = 300
const PAUSE_PER_CALL_FACTOR = 8

/** Asks again until there is an answer; for what happens behind a request. Fails after two minutes, or the limit: a machine may stand still for a while. */
export async function eventually<T>(
  ask: () => Promise<T | null> | T | null,
  limitMs = 120_000,
): Promise<T> {
  const began = performance.now()
  for (;;) {
    const asked = performance.now()
    const answer = await ask()
    if (answer !== null) return answer
    const now = performance.now()
    if (now - began > limitMs) throw new Error(`it did not happen within ${limitMs} ms`)
    const pause = now - began < BACK_OFF_AFTER_MS ? 0 : PAUSE_PER_CALL_FACTOR * (now - asked)
    await sleep(Math.min(Math.max(PAUSE_MS, pause), LONGEST_PAUSE_MS))
  }
}
