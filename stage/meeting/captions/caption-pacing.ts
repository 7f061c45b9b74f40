import type { TimelineEntry } from '../../../src/bots/platforms/practice/timeline.ts'

/** In a practice script, the `say` step grows at this interval. */
const SCRIPT_CADENCE_MS = 330

/** Spreads the changes of growing captions over another interval. All other entries keep their times. */
export function paceCaptions(
  entries: readonly TimelineEntry[],
  cadenceMs: number,
): TimelineEntry[] {
  const growing = new Map<string, { fromMs: number; steps: number }>()
  return entries
    .map((entry) => {
      if (entry.event.kind !== 'caption') return entry
      const { captionId } = entry.event
      const run = growing.get(captionId)
      const isNext =
        run !== undefined && entry.atMs === run.fromMs + (run.steps + 1) * SCRIPT_CADENCE_MS
      const next = isNext ? { ...run, steps: run.steps + 1 } : { fromMs: entry.atMs, steps: 0 }
      growing.set(captionId, next)
      return { ...entry, atMs: next.fromMs + next.steps * cadenceMs }
    })
    .toSorted((a, b) => a.atMs - b.atMs)
}

/** A growing text before its last correction: no capitals or marks in the last `depth` characters, then a full stop. */
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
