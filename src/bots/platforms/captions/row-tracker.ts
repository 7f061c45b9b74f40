import type { PageCaptionRow } from '../bridge/messages.ts'
import type { Caption } from '../platform.ts'
import { selectUnpublishedText, type CaptionRowPublicationPlan } from './row-output.ts'
import {
  haveSameBeginning,
  isPossibleCorrection,
  mayBeSameSpeaker,
  countCaptionWords,
} from './text-overlap.ts'

export type TrackedPageRow = {
  id: string
  speaker: string
  text: string
  /** When the row appeared in the page. */
  appearedAt: number
  changedAt: number
  removedAt: number | null
  /** Whether another row of the page shows this row's line now. */
  isReplaced: boolean
  /** Text that is already published: what the row showed when the wire became active. */
  publishedText: string
  /** Texts that the wire is expected to publish soon, oldest first. */
  pendingTexts: Array<{ text: string; at: number }>
  /** The caption id under which the page publishes words that the wire left out. */
  gapCaptionId: string | null
  output: CaptionRowPublicationPlan | null
}

/** A line that the page draws again reappears within this time, possibly as another row. */
const REAPPEAR_MS = 2_000
const DUPLICATE_ROW_MS = 1_500
const DUPLICATE_ROW_WORDS = 4
const REMOVED_RETENTION_MS = 10_000
const MAX_ROWS = 500
const MAX_PENDING = 100

/** Tracks the caption rows of the page, including rows that were removed recently. */
export function createPageCaptionRowTracker() {
  const rows = new Map<string, TrackedPageRow>()

  /** The row that showed this line shortly before. Only the newest row is still being corrected. */
  function siblingOf(change: PageCaptionRow, at: number): TrackedPageRow | undefined {
    const newest = [...rows.values()].at(-1)
    return [...rows.values()].findLast((row) => {
      if (!mayBeSameSpeaker(row.speaker, change.speaker)) return false
      const isBack = row.removedAt !== null && at - row.removedAt <= REAPPEAR_MS
      if (isBack && row === newest && isPossibleCorrection(row.text, change.text)) return true
      if (!haveSameBeginning(row.text, change.text)) return false
      if (row.removedAt !== null) return isBack
      const isLong =
        Math.min(countCaptionWords(row.text), countCaptionWords(change.text)) >= DUPLICATE_ROW_WORDS
      return isLong && at - row.changedAt <= DUPLICATE_ROW_MS
    })
  }
  function addRow(change: PageCaptionRow, at: number, active: 'wire' | 'page'): TrackedPageRow {
    const sibling = siblingOf(change, at)
    const pageOutput: CaptionRowPublicationPlan | null =
      active === 'page' ? { captionId: change.rowId, skippedPrefix: '' } : null
    const isPublished = sibling?.output !== null && sibling?.output !== undefined
    const row: TrackedPageRow = {
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
      output: isPublished && sibling ? sibling.output : pageOutput,
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
    /** Rows that show a line which no other row has replaced. */
    all: () => [...rows.values()].filter(({ isReplaced }) => !isReplaced),
    /** Records a change of a caption row; null when the row is the same as before. */
    update(change: PageCaptionRow, at: number, active: 'wire' | 'page'): TrackedPageRow | null {
      const known = rows.get(change.rowId)
      if (known === undefined && change.text === '') return null
      const row = known ?? addRow(change, at, active)
      const isBack = row.removedAt !== null && !change.isGone
      if (change.isGone) row.removedAt ??= at
      else Object.assign(row, { removedAt: null, isReplaced: false })
      // One message can remove a row and carry its last text.
      const isNew = row.text !== change.text || row.speaker !== change.speaker
      if (!isNew && !isBack) return change.isGone ? row : null
      Object.assign(row, { text: change.text, speaker: change.speaker, changedAt: at })
      if (active === 'wire')
        row.pendingTexts = [...row.pendingTexts, { text: row.text, at }].slice(-MAX_PENDING)
      return row
    },
    /** Pending texts that the row no longer contains, because a shorter text replaced them. */
    replacedTexts({ pendingTexts, text }: TrackedPageRow): string[] {
      const texts = [...pendingTexts.map((one) => one.text), text]
      return texts.filter((one, i) => (texts[i + 1]?.length ?? Infinity) < one.length / 2)
    },
    /**
     * At most one caption with the row's text that is not published yet; empty when the wire has published all of it.
     */
    caption(row: TrackedPageRow, shown = row.text): Caption[] {
      const { output, speaker } = row
      const text = output === null ? '' : selectUnpublishedText(output, shown)
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
    /** Marks all text in the rows as published. */
    markPublished(): void {
      for (const row of rows.values())
        Object.assign(row, {
          publishedText: row.text,
          pendingTexts: [],
          gapCaptionId: null,
          output: null,
        })
    },
    removeExpired(at: number): void {
      for (const row of rows.values()) {
        const isExpired =
          row.removedAt !== null &&
          at - row.removedAt > REMOVED_RETENTION_MS &&
          row.pendingTexts.length === 0
        if (isExpired) rows.delete(row.id)
      }
    },
  }
}
