import { setNewest } from '../../../lib/newest-entries.ts'
import type { PageCaptionRow } from '../bridge/messages.ts'
import type { Caption } from '../platform.ts'
import {
  isLineDrawnAgain,
  decideTwin,
  isPublishedLineDrawnAgain,
  joinLine,
  relateNewRow,
  type RowRelation,
} from './row-twins.ts'
import {
  selectUnpublishedText,
  type CaptionRowPublicationPlan,
  findSpeakerOfText,
  pickLeadRows,
  type CaptionRowContent,
  type TrackedPageRow,
  type TrackedRows,
} from './tracked-row.ts'

type SettleOptions = {
  isEnd?: boolean
  planOutput?: (row: TrackedPageRow) => CaptionRowPublicationPlan
}

const REMOVED_RETENTION_MS = 10_000
const MAX_ROWS = 500
const MAX_PENDING = 100
/** Platforms correct a text only within a shorter time. */
const UNCHANGED_MS = 15_000

/** Tracks the page's caption rows, including recently removed ones. */
export function createPageCaptionRowTracker(rowContent: CaptionRowContent) {
  const rows = new Map<string, TrackedPageRow>()
  let lines = 0
  let clearings = 0

  function addRow(change: PageCaptionRow, at: number, active: 'wire' | 'page'): TrackedPageRow {
    const { removed, sibling, suspectedTwin } = relateNewRow(rows, change, at, rowContent)
    const isNewSpeech = active === 'page' && !sibling && change.previousRowId !== undefined
    const order = sibling?.order ?? ++lines
    const row = createTrackedRow(change, at, { sibling, suspectedTwin, order, isNewSpeech })
    if (active === 'page') row.line.output ??= { captionId: change.rowId, skippedPrefix: '' }
    if (removed !== undefined) {
      row.pendingTexts = removed.pendingTexts
      Object.assign(removed, { pendingTexts: [], isReplaced: true })
    }
    setNewest(rows, row.id, row, MAX_ROWS)
    return row
  }
  /**
   * Decides about suspected twins, and returns the captions of rows that this decision publishes late. `isEnd`: no
   * decision can wait. `planOutput` is given while the page is active.
   */
  function settleTwins(at: number, { isEnd = false, planOutput }: SettleOptions = {}): Caption[] {
    return [...rows.values()].flatMap((row) => {
      if (row.suspectedTwin === null) return []
      const decision = decideTwin(rows, row, row.suspectedTwin, at)
      if (decision === 'wait' && !isEnd) return []
      const { of: twin, since } = row.suspectedTwin
      row.suspectedTwin = null
      const late = { startedMs: at - since, changedMs: at - row.changedAt }
      if (decision === 'same line') joinLine(row, twin)
      else startNewLine(row, planOutput)
      if (decision === 'same line' && row.removedAt !== null) return []
      return caption(row).map((one) => ({ ...one, late }))
    })
  }
  /** Starts a new caption for a row that was empty, unless it shows the earlier text again. */
  function resumeCleared(row: TrackedPageRow, text: string, at: number): void {
    if (row.cleared === null || text === '') return
    const isSame = isLineDrawnAgain(row.cleared, text, at, true)
    row.cleared = null
    if (isSame || row.line.output === null) return
    row.line = { output: { captionId: `${row.id}/again${++clearings}`, skippedPrefix: '' } }
    row.isNewSpeech = true
  }
  function caption(row: TrackedPageRow, shown = row.text): Caption[] {
    const isShown = [...rows.values()].some(
      (other) => other.line === row.line && other.removedAt === null,
    )
    return toCaptions(row, shown, isShown)
  }
  /** Rows that show a line which no other row has replaced. Rows that may be the second row of a line are left out. */
  function listRows(): TrackedPageRow[] {
    return [...rows.values()].filter((row) => !row.isReplaced && row.suspectedTwin === null)
  }

  return {
    all: listRows,
    /** The row that changed last, even if it is no longer in the page. */
    lastChanged: () => [...rows.values()].toSorted((a, b) => a.changedAt - b.changedAt).at(-1),
    leadRows: () => pickLeadRows(listRows()),
    caption,
    settleTwins,
    findSpeaker: (text: string, minWords: number, at: number) =>
      findSpeakerOfText(rows, text, minWords, at),
    /** Records a change of a caption row; null if nothing has changed. */
    update(change: PageCaptionRow, at: number, active: 'wire' | 'page'): TrackedPageRow | null {
      const known = rows.get(change.rowId)
      if (known === undefined && change.text === '') return null
      const row = known ?? addRow(change, at, active)
      const isBack = row.removedAt !== null && !change.isGone
      if (change.isGone) markRemoved(rows, row, at)
      else Object.assign(row, { removedAt: null, isReplaced: false })
      // One message can remove a row and carry its last text.
      const isNew = row.text !== change.text || row.speaker !== change.speaker
      if (!isNew && !isBack) return change.isGone ? row : null
      if (change.text === '' && row.text !== '') row.cleared = { text: row.text, removedAt: at }
      else if (active === 'page') resumeCleared(row, change.text, at)
      Object.assign(row, { text: change.text, speaker: change.speaker, changedAt: at })
      if (active === 'wire')
        row.pendingTexts = [...row.pendingTexts, { text: row.text, at }].slice(-MAX_PENDING)
      return row
    },
    isPublishedLineDrawnAgain: (row: TrackedPageRow, firstText: { text: string; at: number }) =>
      isPublishedLineDrawnAgain(rows, row, firstText),
    markPublished(): void {
      for (const row of rows.values()) {
        const published = { publishedText: row.text, pendingTexts: [], gapCaptionId: null }
        Object.assign(row, published, { isNewSpeech: false, suspectedTwin: null })
        // Rows of the same line keep sharing it.
        row.line.output = null
      }
    },
    /** Drops due pending texts of rows whose line is led by another row, because that row's check covers them. */
    dropDueTextsOfOtherRows(at: number, waitMs: number): void {
      const listed = listRows()
      const leads = new Set(pickLeadRows(listed))
      for (const row of listed)
        if (!leads.has(row))
          row.pendingTexts = row.pendingTexts.filter((pending) => at - pending.at < waitMs)
    },
    markUnchangedPublished: (at: number) => markUnchangedPublished(rows, at),
    removeExpired(at: number): void {
      for (const { id, removedAt, pendingTexts } of rows.values()) {
        const isOld = removedAt !== null && at - removedAt > REMOVED_RETENTION_MS
        if (isOld && pendingTexts.length === 0) rows.delete(id)
      }
    },
  }
}

/**
 * Marks checked text that has not changed for long as published. In a page that keeps all rows of a long meeting, the
 * wire's history is too short to find it again.
 */
function markUnchangedPublished(rows: TrackedRows, at: number): void {
  for (const row of rows.values())
    if (row.pendingTexts.length === 0 && at - row.changedAt > UNCHANGED_MS)
      row.publishedText = row.text
}

function startNewLine(row: TrackedPageRow, planOutput: SettleOptions['planOutput']): void {
  row.isNewSpeech = true
  if (planOutput) row.line.output ??= planOutput(row)
}

function markRemoved(rows: TrackedRows, row: TrackedPageRow, at: number): void {
  if (row.removedAt !== null) return
  row.removedAt = at
  row.hasLeftMiddle = [...rows.values()].some(
    (other) => other.removedAt === null && other.order < row.order,
  )
}

function createTrackedRow(
  { rowId, speaker }: PageCaptionRow,
  at: number,
  {
    sibling,
    ...known
  }: Pick<TrackedPageRow, 'suspectedTwin' | 'order' | 'isNewSpeech'> & Pick<RowRelation, 'sibling'>,
): TrackedPageRow {
  return {
    ...known,
    id: rowId,
    speaker,
    text: '',
    appearedAt: sibling?.appearedAt ?? at,
    addedAt: at,
    changedAt: at,
    removedAt: null,
    hasLeftMiddle: false,
    isReplaced: false,
    cleared: null,
    publishedText: sibling?.publishedText ?? '',
    pendingTexts: [],
    gapCaptionId: null,
    line: sibling?.line ?? { output: null },
  }
}

/**
 * At most one caption with the unpublished text of the row; empty if the wire has published all of it. `isShown`: a row
 * with the same line is in the page.
 */
function toCaptions(row: TrackedPageRow, shown: string, isShown: boolean): Caption[] {
  const { speaker, isNewSpeech } = row
  const { output } = row.line
  const text = output === null ? '' : selectUnpublishedText(output, shown)
  if (output === null || text === '' || row.suspectedTwin !== null) return []
  // Another row shows the same line, perhaps with newer text.
  if (isShown && row.removedAt !== null) return []
  if (output.version !== undefined) output.version += 1
  const { captionId, version } = output
  return [
    {
      captionId,
      speaker,
      text,
      ...(version !== undefined && { version }),
      ...(!isShown && { isGone: true }),
      ...(isNewSpeech && { isNewSpeech }),
    },
  ]
}
