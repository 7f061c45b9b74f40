import type { Sighting } from '../platform.ts'
import type { Moment } from './timeline.ts'

/** Of each kind only the latest still holds; what was said meanwhile nobody repeats. */
const STANDING: ReadonlyArray<ReadonlyArray<Sighting['seen']>> = [
  ['lobby', 'admitted'],
  ['people'],
  ['captions lost', 'captions back'],
]

/** The moments for a bot that comes when the meeting has gone on for a while: how things stand, then the rest. */
export function momentsFrom(moments: readonly Moment[], fromMs: number): readonly Moment[] {
  if (fromMs <= 0) return moments
  const past = moments.filter(({ atMs }) => atMs < fromMs)
  const over = past.find(({ sighting }) => sighting.seen === 'over')
  if (over) return [{ ...over, atMs: fromMs }]
  const standing = STANDING.flatMap((kinds) => {
    const last = past.findLast(({ sighting }) => kinds.includes(sighting.seen))
    return last && last.sighting.seen !== 'captions back' ? [{ ...last, atMs: fromMs }] : []
  })
  return [...standing, ...moments.slice(past.length)]
}
