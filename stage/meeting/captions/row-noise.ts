import type { StageEvent } from '../page-protocol.ts'
import type { Knobs } from '../knobs.ts'
import type { CaptionRowChange } from './caption-rows.ts'

/** Every so many changes a row vanishes for a moment, where the knob asks for it. */
const GAP_EVERY = 5
const TWIN_EVERY = 7
const EXTRA_ROW_MS = 500

type RunLater = (ms: number, act: () => void) => void

/** Turns changes of rows into what a page sees of them: with seeds, twins and gaps where the knobs say so. */
export function createRowNoise(
  knobs: Knobs,
  send: (event: StageEvent) => void,
  later: RunLater,
): (change: CaptionRowChange) => void {
  const changes = new Map<string, number>()
  const away = new Map<string, CaptionRowChange>()

  function show({ rowId, speaker, text, isGone }: CaptionRowChange): void {
    send(isGone ? { kind: 'row gone', rowId } : { kind: 'row', rowId, speaker, text })
  }
  function shortly(rowId: string, { speaker, text }: CaptionRowChange): void {
    send({ kind: 'row', rowId, speaker, text })
    later(EXTRA_ROW_MS, () => send({ kind: 'row gone', rowId }))
  }
  /** The last change that came while the row was away shows when it comes back. */
  function takeAway(change: CaptionRowChange): void {
    away.set(change.rowId, change)
    send({ kind: 'row gone', rowId: change.rowId })
    later(knobs.removalGapMs, () => {
      const last = away.get(change.rowId)
      away.delete(change.rowId)
      if (last) show(last)
    })
  }

  return (change) => {
    const { rowId } = change
    const count = (changes.get(rowId) ?? 0) + 1
    changes.set(rowId, count)
    if (away.has(rowId)) away.set(rowId, change)
    else if (knobs.removalGapMs > 0 && count % GAP_EVERY === 0) takeAway(change)
    else {
      if (knobs.hasSeedRows && count === 1) shortly(`${rowId}-seed`, change)
      show(change)
      if (knobs.hasTwinRows && count % TWIN_EVERY === 0) shortly(`${rowId}-twin-${count}`, change)
    }
  }
}
