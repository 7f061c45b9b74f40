import { once } from 'node:events'
import type { Person, Sighting } from '../platform.ts'
import type { Moment } from './timeline.ts'

/** Resolves after the time, or at once when the signal aborts. */
export type Sleep = (ms: number, signal: AbortSignal) => Promise<void>

export type Performance = {
  moments: readonly Moment[]
  /** Where in the time of the script it begins. */
  fromMs: number
  speed: number
  /** The bot as one of the people. */
  self: Person
  sleep: Sleep
}

/** Shorter waits are saved up: timers are too coarse for them, and a fast script would fall behind. */
const SHORTEST_WAIT_MS = 10

/** Shows each moment when its time has come. Without an end in the script it goes on until `signal` aborts. */
export async function* play(
  { moments, fromMs, speed, self, sleep }: Performance,
  signal: AbortSignal,
): AsyncGenerator<Sighting, void, undefined> {
  let [reachedMs, owedMs] = [fromMs, 0]
  for (const { atMs, sighting } of moments) {
    owedMs += (atMs - reachedMs) / speed
    reachedMs = atMs
    if (owedMs >= SHORTEST_WAIT_MS && !signal.aborted) {
      const waitMs = Math.floor(owedMs)
      await sleep(waitMs, signal)
      owedMs -= waitMs
    }
    if (signal.aborted) return
    yield sighting.seen === 'people'
      ? { ...sighting, people: [...sighting.people, self] }
      : sighting
    if (sighting.seen === 'over') return
  }
  if (!signal.aborted) await once(signal, 'abort')
}
