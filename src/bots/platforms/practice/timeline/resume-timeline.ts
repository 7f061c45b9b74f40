import type { PlatformEvent } from '../../platform.ts'
import type { TimelineEntry } from './timeline.ts'

/**
 * Groups of event kinds. A bot that joins later gets only the latest event of each group, and no earlier captions. If
 * captions are on, it is told so.
 */
const LASTING_EVENTS: ReadonlyArray<ReadonlyArray<PlatformEvent['kind']>> = [
  ['lobby', 'admitted'],
  ['people'],
  ['captions lost', 'captions back'],
]

/** The timeline for a bot that joins later: the current situation, then the remaining events. */
export function buildLateJoinTimeline(
  timeline: readonly TimelineEntry[],
  fromMs: number,
): readonly TimelineEntry[] {
  if (fromMs <= 0) return timeline
  const past = timeline.filter(({ atMs }) => atMs < fromMs)
  const over = past.find(({ event }) => event.kind === 'over')
  if (over) return [{ ...over, atMs: fromMs }]
  const standing = LASTING_EVENTS.flatMap((kinds) => {
    const last = past.findLast(({ event }) => kinds.includes(event.kind))
    return last ? [{ ...last, atMs: fromMs }] : []
  })
  const isInCall = standing.some(({ event }) => event.kind === 'admitted')
  const areCaptionsKnown = standing.some(({ event }) => event.kind.startsWith('captions'))
  const captionsOn: TimelineEntry[] =
    isInCall && !areCaptionsKnown ? [{ atMs: fromMs, event: { kind: 'captions back' } }] : []
  return [...standing, ...captionsOn, ...timeline.slice(past.length)]
}
