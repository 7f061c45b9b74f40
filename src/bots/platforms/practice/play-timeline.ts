import { once } from 'node:events'
import type { Participant, PlatformEvent } from '../platform.ts'
import type { TimelineEntry } from './timeline.ts'

/** Resolves after the time, or at once when the signal aborts. */
export type Sleep = (ms: number, signal: AbortSignal) => Promise<void>

export type PlaybackOptions = {
  timeline: readonly TimelineEntry[]
  /** Where in the time of the script it begins. */
  fromMs: number
  speed: number
  /** The bot as one of the people. */
  self: Participant
  sleep: Sleep
}

/** Shorter waits are saved up: timers are too coarse for them, and a fast script would fall behind. */
const SHORTEST_WAIT_MS = 10

/** Shows each moment when its time has come. Without an end in the script it goes on until `signal` aborts. */
export async function* playTimeline(
  { timeline, fromMs, speed, self, sleep }: PlaybackOptions,
  signal: AbortSignal,
): AsyncGenerator<PlatformEvent, void, undefined> {
  let [reachedMs, owedMs] = [fromMs, 0]
  for (const { atMs, event } of timeline) {
    owedMs += (atMs - reachedMs) / speed
    reachedMs = atMs
    if (owedMs >= SHORTEST_WAIT_MS && !signal.aborted) {
      const waitMs = Math.floor(owedMs)
      await sleep(waitMs, signal)
      owedMs -= waitMs
    }
    if (signal.aborted) return
    yield event.kind === 'people' ? { ...event, people: [...event.people, self] } : event
    if (event.kind === 'over') return
  }
  if (!signal.aborted) await once(signal, 'abort')
}
