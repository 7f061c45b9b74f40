import type { StageEvent } from '../page-protocol.ts'
import type { Knobs } from '../knobs.ts'
import type { CaptionRowChange } from './caption-rows.ts'

/** With the knob `removalGapMs`, every fifth change removes the row for that time. */
const GAP_EVERY = 5
const TWIN_EVERY = 7
const EXTRA_ROW_MS = 500

type RunLater = (ms: number, act: () => void) => void

/** Sends row changes to the pages, with the extra rows and gaps that the knobs request. */
export function createRowNoise(
  knobs: Knobs,
  send: (event: StageEvent) => void,
  later: RunLater,
): (change: CaptionRowChange) => void {
  const changes = new Map<string, number>()
  const removed = new Map<string, CaptionRowChange>()

  function show({ rowId, speaker, text, isGone }: CaptionRowChange): void {
    send(isGone ? { kind: 'row gone', rowId } : { kind: 'row', rowId, speaker, text })
  }
  function showBriefly(rowId: string, { speaker, text }: CaptionRowChange): void {
    send({ kind: 'row', rowId, speaker, text })
    later(EXTRA_ROW_MS, () => send({ kind: 'row gone', rowId }))
  }
  /** When the row returns, it shows its latest change. */
  function removeForGap(change: CaptionRowChange): void {
    removed.set(change.rowId, change)
    send({ kind: 'row gone', rowId: change.rowId })
    later(knobs.removalGapMs, () => {
      const last = removed.get(change.rowId)
      removed.delete(change.rowId)
      if (last) show(last)
    })
  }

  return (change) => {
    const { rowId } = change
    const count = (changes.get(rowId) ?? 0) + 1
    changes.set(rowId, count)
    if (removed.has(rowId)) removed.set(rowId, change)
    else if (knobs.removalGapMs > 0 && count % GAP_EVERY === 0) removeForGap(change)
    else {
      if (knobs.hasSeedRows && count === 1) showBriefly(`${rowId}-seed`, change)
      show(change)
      if (knobs.hasTwinRows && count % TWIN_EVERY === 0)
        showBriefly(`${rowId}-twin-${count}`, change)
    }
  }
}
