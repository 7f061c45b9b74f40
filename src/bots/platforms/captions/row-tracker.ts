import type { PageCaptionRow } from '../bridge/messages.ts'
import type { Caption } from '../platform.ts'
import { unpublishedText, type RowOutput } from './row-output.ts'
import { haveSameBeginning, isReworded, mayBeSameSpeaker, wordCount } from './text-overlap.ts'

export type TrackedRow = {
  id: string
  speaker: string
  text: string
  /** When it came into the page. */
  appearedAt: number
  changedAt: number
  removedAt: number | null
  /** Another row shows its line now. */
  isReplaced: boolean
  /** Told for certain: what it showed when the wire began to speak. */
  publishedText: string
  /** Texts that the wire should have told soon after, oldest first. */
  pendingTexts: Array<{ text: string; at: number }>
  /** The id under which the page tells what the wire is leaving out just now. */
  gapCaptionId: string | null
  output: RowOutput | null
}

/** A line that is drawn again comes back within this time, also under another row. */
const REAPPEAR_MS = 2_000
const TWIN_MS = 1_500
const TWIN_WORDS = 4
const REMOVED_RETENTION_MS = 10_000
const MAX_ROWS = 500
const MAX_WAITING = 100

/** The rows of the page as they are now, and a while longer. */
export function createPageRowTracker() {
  const rows = new Map<string, TrackedRow>()

  /** The row that showed this line a moment ago. Only the newest one is still being put into other words. */
  function siblingOf(change: PageCaptionRow, at: number): TrackedRow | undefined {
    const newest = [...rows.values()].at(-1)
    return [...rows.values()].findLast((row) => {
      if (!mayBeSameSpeaker(row.speaker, change.speaker)) return false
      const isBack = row.removedAt !== null && at - row.removedAt <= REAPPEAR_MS
      if (isBack && row === newest && isReworded(row.text, change.text)) return true
      if (!haveSameBeginning(row.text, change.text)) return false
      if (row.removedAt !== null) return isBack
      const isLong = Math.min(wordCount(row.text), wordCount(change.text)) >= TWIN_WORDS
      return isLong && at - row.changedAt <= TWIN_MS
    })
  }
  function open(change: PageCaptionRow, at: number, leader: 'wire' | 'page'): TrackedRow {
    const sibling = siblingOf(change, at)
    const plain: RowOutput | null =
      leader === 'page' ? { captionId: change.rowId, prefix: '' } : null
    const isTold = sibling?.output !== null && sibling?.output !== undefined
    const row: TrackedRow = {
      id: change.rowId,
      speaker: change.speaker,
      text: '',
      appearedAt: sibling?.appearedAt ?? at,
      changedAt: at,
      removedAt: null,
      isReplaced: false,
      publishedText: sibling?.publishedText ?? '',
      pendingTexts: [],
      gapCaptionId: null,
      output: isTold && sibling ? sibling.output : plain,
    }
    if (sibling !== undefined && sibling.removedAt !== null) {
      row.pendingTexts = sibling.pendingTexts
      Object.assign(sibling, { pendingTexts: [], isReplaced: true })
    }
    rows.set(row.id, row)
    if (rows.size > MAX_ROWS) rows.delete(rows.keys().next().value ?? '')
    return row
  }

  return {
    /** Those that show a line of their own. */
    all: () => [...rows.values()].filter(({ isReplaced }) => !isReplaced),
    /** Null when nothing has changed. */
    see(change: PageCaptionRow, at: number, leader: 'wire' | 'page'): TrackedRow | null {
      const known = rows.get(change.rowId)
      if (known === undefined && change.text === '') return null
      const row = known ?? open(change, at, leader)
      const isBack = row.removedAt !== null && !change.isGone
      if (change.isGone) row.removedAt ??= at
      else Object.assign(row, { removedAt: null, isReplaced: false })
      // A row may go with its last words: they left the page in one message.
      const isNew = row.text !== change.text || row.speaker !== change.speaker
      if (!isNew && !isBack) return change.isGone ? row : null
      Object.assign(row, { text: change.text, speaker: change.speaker, changedAt: at })
      if (leader === 'wire')
        row.pendingTexts = [...row.pendingTexts, { text: row.text, at }].slice(-MAX_WAITING)
      return row
    },
    /** Texts that the row has let go of while they waited: what followed them is shorter. */
    dropped({ pendingTexts, text }: TrackedRow): string[] {
      const texts = [...pendingTexts.map((one) => one.text), text]
      return texts.filter((one, i) => (texts[i + 1]?.length ?? Infinity) < one.length / 2)
    },
    /** The row as a caption; none while all of it has been told by the wire. */
    caption(row: TrackedRow, shown = row.text): Caption[] {
      const { output, speaker } = row
      const text = output === null ? '' : unpublishedText(output, shown)
      if (output === null || text === '') return []
      const { captionId, version } = output
      if (version !== undefined) output.version = version + 1
      const isShown = [...rows.values()].some(
        (other) => other.output === output && other.removedAt === null,
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
        Object.assign(row, {
          publishedText: row.text,
          pendingTexts: [],
          gapCaptionId: null,
          output: null,
        })
    },
    forget(at: number): void {
      for (const row of rows.values()) {
        const isOver =
          row.removedAt !== null &&
          at - row.removedAt > REMOVED_RETENTION_MS &&
          row.pendingTexts.length === 0
        if (isOver) rows.delete(row.id)
      }
    },
  }
}
