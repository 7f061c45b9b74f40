import type { TimelineEntry } from '../../../src/bots/platforms/practice/timeline.ts'

/** The steps in which a script's `say` grows. */
const SCRIPT_CADENCE_MS = 330

/** The same moments with another pace for captions that grow; everything else stays where it is. */
export function paceCaptions(
  moments: readonly TimelineEntry[],
  cadenceMs: number,
): TimelineEntry[] {
  const growing = new Map<string, { fromMs: number; steps: number }>()
  return moments
    .map((moment) => {
      if (moment.event.kind !== 'caption') return moment
      const { captionId } = moment.event
      const run = growing.get(captionId)
      const isNext =
        run !== undefined && moment.atMs === run.fromMs + (run.steps + 1) * SCRIPT_CADENCE_MS
      const next = isNext ? { ...run, steps: run.steps + 1 } : { fromMs: moment.atMs, steps: 0 }
      growing.set(captionId, next)
      return { ...moment, atMs: next.fromMs + next.steps * cadenceMs }
    })
    .toSorted((a, b) => a.atMs - b.atMs)
}

/**
 * A growing text as it looks before it is settled: the last word cut short by a full stop, and everything
 * within `depth` characters of the end without capitals and punctuation.
 */
export function roughenEnd(text: string, depth: number): string {
  if (depth === 0) return text
  const start = Math.max(0, text.length - depth)
  const space = text.indexOf(' ', start)
  const border = start === 0 ? 0 : space < 0 ? text.length : space + 1
  const rough = text
    .slice(border)
    .toLowerCase()
    .replace(/[.,;:!?]+(?=\s|$)/g, '')
  return `${text.slice(0, border)}${rough}.`
}
