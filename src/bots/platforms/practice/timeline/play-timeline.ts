import { once } from 'node:events'
import type { Participant, PlatformEvent } from '../../platform.ts'
import type { TimelineEntry } from './timeline.ts'

/** A function that waits: it resolves after the time, or immediately when the signal aborts. */
export type AbortableSleep = (ms: number, signal: AbortSignal) => Promise<void>

export type PlaybackOptions = {
  timeline: readonly TimelineEntry[]
  /** The script time at which playing starts. */
  fromMs: number
  speed: number
  /** The bot as a participant. */
  self: Participant
  sleep: AbortableSleep
}

/** Shorter waits are added up, because timers are too coarse for them and a fast script would fall behind. */
const SHORTEST_WAIT_MS = 10

/** Yields each event at its time. A script without an end runs until `signal` aborts. */
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
