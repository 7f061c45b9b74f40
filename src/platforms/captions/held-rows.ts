import type { PageRow } from '../bridge/messages.ts'
import type { Caption } from '../platform.ts'
import { unsaidIn, type Telling } from './telling.ts'
import { beginAlike, mayBeOne, wordCount } from './told.ts'

export type HeldRow = {
  id: string
  speaker: string
  text: string
  /** When it came into the page. */
  since: number
  changedAt: number
  goneAt: number | null
  /** Told for certain: what it showed when the wire began to speak. */
  base: string
  /** Texts that the wire should have told soon after, oldest first. */
  waiting: Array<{ text: string; at: number }>
  /** The id under which the page tells what the wire is leaving out just now. */
  gap: string | null
  telling: Telling | null
}

/** A line that is drawn again comes back within this time, also under another row. */
const COMEBACK_MS = 2_000
const TWIN_MS = 1_500
const TWIN_WORDS = 4
const KEPT_GONE_MS = 10_000
const MAX_ROWS = 500
const MAX_WAITING = 100

/** The rows of the page as they are now, and a while longer. */
export function createHeldRows() {
  const rows = new Map<string, HeldRow>()

  /** The row that showed this line a moment ago. */
  function siblingOf(change: PageRow, at: number): HeldRow | undefined {
    return [...rows.values()].findLast((row) => {
      if (!mayBeOne(row.speaker, change.speaker) || !beginAlike(row.text, change.text)) return false
      if (row.goneAt !== null) return at - row.goneAt <= COMEBACK_MS
      const isLong = Math.min(wordCount(row.text), wordCount(change.text)) >= TWIN_WORDS
      return isLong && at - row.changedAt <= TWIN_MS
    })
  }
  function open(change: PageRow, at: number, leader: 'wire' | 'page'): HeldRow {
    const sibling = siblingOf(change, at)
    const plain: Telling | null = leader === 'page' ? { captionId: change.rowId, prefix: '' } : null
    const isTold = sibling?.telling !== null && sibling?.telling !== undefined
    const row: HeldRow = {
      id: change.rowId,
      speaker: change.speaker,
      text: '',
      since: sibling?.since ?? at,
      changedAt: at,
      goneAt: null,
      base: sibling?.base ?? '',
      waiting: [],
      gap: null,
      telling: isTold && sibling ? sibling.telling : plain,
    }
    rows.set(row.id, row)
    if (rows.size > MAX_ROWS) rows.delete(rows.keys().next().value ?? '')
    return row
  }

  return {
    all: () => [...rows.values()],
    /** Null when nothing has changed. */
    see(change: PageRow, at: number, leader: 'wire' | 'page'): HeldRow | null {
      const known = rows.get(change.rowId)
      if (known === undefined && (change.isGone || change.text === '')) return null
      const row = known ?? open(change, at, leader)
      if (change.isGone) {
        row.goneAt ??= at
        return row
      }
      const isBack = row.goneAt !== null
      row.goneAt = null
      if (row.text === change.text && row.speaker === change.speaker && !isBack) return null
      Object.assign(row, { text: change.text, speaker: change.speaker, changedAt: at })
      if (leader === 'wire')
        row.waiting = [...row.waiting, { text: row.text, at }].slice(-MAX_WAITING)
      return row
    },
    /** The row as a caption; none while all of it has been told by the wire. */
    caption(row: HeldRow): Caption[] {
      const { telling, speaker } = row
      const text = telling === null ? '' : unsaidIn(telling, row.text)
      if (telling === null || text === '') return []
      const { captionId, version } = telling
      if (version !== undefined) telling.version = version + 1
      const isShown = [...rows.values()].some(
        (other) => other.telling === telling && other.goneAt === null,
      )
      return [
        {
          captionId,
          speaker,
          text,
          ...(version !== undefined && { version: version + 1 }),
          ...(!isShown && { isGone: true }),
        },
      ]
    },
    /** Everything that is shown has been told by somebody. */
    settle(): void {
      for (const row of rows.values())
        Object.assign(row, { base: row.text, waiting: [], gap: null, telling: null })
    },
    forget(at: number): void {
      for (const row of rows.values()) {
        const isOver =
          row.goneAt !== null && at - row.goneAt > KEPT_GONE_MS && row.waiting.length === 0
        if (isOver) rows.delete(row.id)
      }
    },
  }
}
