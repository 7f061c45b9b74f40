import { setTimeout as sleep } from 'node:timers/promises'

/** Asks again until there is an answer; for what happens behind a request. Fails after half a minute, or the limit. */
export async function eventually<T>(
  ask: () => Promise<T | null> | T | null,
  limitMs = 30_000,
): Promise<T> {
  const deadline = performance.now() + limitMs
  for (;;) {
    const answer = await ask()
    if (answer !== null) return answer
    if (performance.now() > deadline) throw new Error(`it did not happen within ${limitMs} ms`)
    await sleep(20)
  }
}
