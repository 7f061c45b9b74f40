import { setTimeout as sleep } from 'node:timers/promises'

/** Asks again until there is an answer; for what happens behind a request. Fails after half a minute. */
export async function eventually<T>(ask: () => Promise<T | null> | T | null): Promise<T> {
  const deadline = performance.now() + 30_000
  for (;;) {
    const answer = await ask()
    if (answer !== null) return answer
    if (performance.now() > deadline) throw new Error('it did not happen within half a minute')
    await sleep(20)
  }
}
