import type { PageCaptionRow } from '../bridge/messages.ts'
import type { Caption } from '../platform.ts'
import { isLessComplete, isLineDrawnAgain } from './line-identity.ts'
import { selectUnpublishedText, type CaptionRowPublicationPlan } from './row-output.ts'
import {
  haveSameBeginning,
  isBeginningShown,
  mayBeSameSpeaker,
  countCaptionWords,
} from './text-overlap.ts'

export type TrackedRow = {
  id: string
  speaker: string
  text: string
  /** The place of the row's line among all lines. A line that is drawn again keeps its place. */
  order: number
  /** When the row appeared in the page. */
  appearedAt: number
  changedAt: number
  removedAt: number | null
  /** Whether another row of the page shows this row's line now. */
  isReplaced: boolean
  /** Whether the row certainly shows new speech and no earlier line again. */
  isNewSpeech: boolean
  /** Set while the row may be a second row of another row's line. It is not published until that is decided. */
  suspectedTwin: { of: TrackedRow; since: number; previousRowId: string } | null
  /** The text before the row became empty, and when that was. */
  cleared: { text: string; removedAt: number } | null
  /** Text that is already published: what the row showed when the wire became active. */
  publishedText: string
  /** Texts that the wire is expected to publish soon, oldest first. */
  pendingTexts: Array<{ text: string; at: number }>
  /** The caption id under which the page publishes words that the wire left out. */
  gapCaptionId: string | null
  /** The line that the row shows. Several rows can show one line. */
  line: { output: CaptionRowPublicationPlan | null }
}

/**
 * What a platform shows in one caption row: everything that a speaker says until the next speaker starts, or one
 * utterance. Two neighbouring rows of one speaker are separate speech only in the second case.
 */
export type CaptionRowContent = 'turn' | 'utterance'

type SettleOptions = {
  isEnd?: boolean
  planOutput?: (row: TrackedRow) => CaptionRowPublicationPlan
}

/** Two rows that show the same line differ by at most this time. */
const TWIN_MS = 1_500
const TWIN_WORDS = 4
/** Of two rows that show the same line, one disappears within this time; on a busy machine not sooner. */
const TWIN_SETTLE_MS = 3_000
const REMOVED_RETENTION_MS = 10_000
/** How recently a row must have changed to show the words that are spoken now. */
const SPEAKER_ROW_MS = 5_000
const MAX_ROWS = 500
const MAX_PENDING = 100

/** Tracks the caption rows of the page, including rows that were removed recently. */
export function createPageRowTracker(rowContent: CaptionRowContent) {
  const rows = new Map<string, TrackedRow>()
  let lines = 0
  let clearings = 0

  /** Whether a row below `previousRowId` can be the line of `row`: no later line is above it. */
  function isInPlace(row: TrackedRow, previousRowId: string | undefined): boolean {
    const previous = rows.get(previousRowId ?? '')
    return previous === undefined || previous === row || previous.order < row.order
  }
  /** The row that showed this line shortly before. Only the newest row is still being corrected. */
  function findRemovedRow(change: PageCaptionRow, at: number): TrackedRow | undefined {
    const newest = [...rows.values()].at(-1)
    return [...rows.values()].findLast((row) => {
      const { text, removedAt, isReplaced } = row
      if (removedAt === null || isReplaced || !mayBeSameSpeaker(row.speaker, change.speaker))
        return false
      return (
        isInPlace(row, change.previousRowId) &&
        isLineDrawnAgain({ text, removedAt }, change.text, at, row === newest)
      )
    })
  }
  /** A visible row that may show the same line. */
  function findTwin({ speaker, text }: PageCaptionRow, at: number): TrackedRow | undefined {
    return [...rows.values()].findLast(
      (row) =>
        row.removedAt === null &&
        mayBeSameSpeaker(row.speaker, speaker) &&
        at - row.changedAt <= TWIN_MS &&
        haveSameBeginning(row.text, text),
    )
  }
  /** Whether the twin is certain. Without the place of the row, long texts count as the same line. */
  function isCertainTwin(twin: TrackedRow, { previousRowId, text }: PageCaptionRow): boolean {
    // Two rows without a name can be two speakers.
    if (previousRowId !== undefined)
      return rowContent === 'turn' && previousRowId === twin.id && twin.speaker !== ''
    return Math.min(countCaptionWords(twin.text), countCaptionWords(text)) >= TWIN_WORDS
  }
  function addRow(change: PageCaptionRow, at: number, active: 'wire' | 'page'): TrackedRow {
    const removed = findRemovedRow(change, at)
    const twin = removed === undefined ? findTwin(change, at) : undefined
    const sibling = removed ?? (twin && isCertainTwin(twin, change) ? twin : undefined)
    const { previousRowId } = change
    const row: TrackedRow = {
      id: change.rowId,
      speaker: change.speaker,
      text: '',
      order: sibling?.order ?? ++lines,
      appearedAt: sibling?.appearedAt ?? at,
      changedAt: at,
      removedAt: null,
      isReplaced: false,
      isNewSpeech: active === 'page' && sibling === undefined && previousRowId !== undefined,
      suspectedTwin:
        sibling === undefined && twin !== undefined && previousRowId !== undefined
          ? { of: twin, since: at, previousRowId }
          : null,
      cleared: null,
      publishedText: sibling?.publishedText ?? '',
      pendingTexts: [],
      gapCaptionId: null,
      line: sibling?.line ?? { output: null },
    }
    if (active === 'page') row.line.output ??= { captionId: change.rowId, prefix: '' }
    if (removed !== undefined) {
      row.pendingTexts = removed.pendingTexts
      Object.assign(removed, { pendingTexts: [], isReplaced: true })
    }
    rows.set(row.id, row)
    if (rows.size > MAX_ROWS) rows.delete(rows.keys().next().value ?? '')
    return row
  }
  /** Decides whether a suspected twin is the other row's line. */
  function decideTwin(row: TrackedRow, at: number): 'wait' | 'same line' | 'new speech' {
    if (row.suspectedTwin === null) return 'new speech'
    const { of: twin, since, previousRowId } = row.suspectedTwin
    // A row that did not change itself differs only because the other row was corrected.
    if (row.changedAt > since && !haveSameBeginning(twin.text, row.text)) return 'new speech'
    if (twin.removedAt !== null) {
      const isSame = isInPlace(twin, previousRowId) && !isLessComplete(row.text, twin.text)
      return isSame ? 'same line' : 'new speech'
    }
    if (row.removedAt !== null)
      return countCaptionWords(row.text) > countCaptionWords(twin.text) ? 'new speech' : 'same line'
    // Two rows of one line grow together. While they do, they are not separate speech.
    const togetherAt = Math.min(twin.changedAt, row.changedAt)
    return at - Math.max(since, togetherAt) >= TWIN_SETTLE_MS ? 'new speech' : 'wait'
  }
  /**
   * Decides suspected twins, and returns the captions of rows that are published late because of the decision.
   * `isEnd`: no decision can wait. `planOutput` is given while the page is active.
   */
  function settleTwins(at: number, { isEnd = false, planOutput }: SettleOptions = {}): Caption[] {
    return [...rows.values()].flatMap((row) => {
      if (row.suspectedTwin === null) return []
      const decision = decideTwin(row, at)
      if (decision === 'wait' && !isEnd) return []
      const { of: twin } = row.suspectedTwin
      row.suspectedTwin = null
      if (decision === 'same line') {
        joinLine(row, twin)
        return row.removedAt === null ? caption(row) : []
      }
      if (planOutput) row.line.output ??= planOutput(row)
      const late = { startedMs: at - row.appearedAt, changedMs: at - row.changedAt }
      return caption(row).map((one) => ({ ...one, late }))
    })
  }
  /** Makes a row show the line of another row. One of the two rows is no longer in the page. */
  function joinLine(row: TrackedRow, twin: TrackedRow): void {
    const { line, order, appearedAt, publishedText } = twin
    const pendingTexts = row.removedAt === null ? [...twin.pendingTexts, ...row.pendingTexts] : []
    Object.assign(row, { line, order, appearedAt, publishedText, isNewSpeech: false, pendingTexts })
    if (row.removedAt !== null) row.isReplaced = true
    else Object.assign(twin, { isReplaced: true, pendingTexts: [] })
  }
  /** Starts a new caption for a row that was empty, unless it shows the text from before again. */
  function resumeCleared(row: TrackedRow, text: string, at: number): void {
    if (row.cleared === null || text === '') return
    const isSame = isLineDrawnAgain(row.cleared, text, at, true)
    row.cleared = null
    if (isSame || row.line.output === null) return
    row.line = { output: { captionId: `${row.id}/again${++clearings}`, prefix: '' } }
    row.isNewSpeech = true
  }
  /**
   * At most one caption with the row's text that is not published yet; empty when the wire has published all of it.
   */
  function caption(row: TrackedRow, shown = row.text): Caption[] {
    const { speaker, isNewSpeech } = row
    const { output } = row.line
    const text = output === null ? '' : selectUnpublishedText(output, shown)
    if (output === null || text === '' || row.suspectedTwin !== null) return []
    const isShown = [...rows.values()].some(
      (other) => other.line === row.line && other.removedAt === null,
    )
    // Another row shows the same line, perhaps with newer text.
    if (isShown && row.removedAt !== null) return []
    const { captionId, version } = output
    if (version !== undefined) output.version = version + 1
    return [
      {
        captionId,
        speaker,
        text,
        ...(version !== undefined && { version: version + 1 }),
        ...(!isShown && { isGone: true }),
        ...(isNewSpeech && { isNewSpeech }),
      },
    ]
  }

  function listRows(): TrackedRow[] {
    return [...rows.values()].filter(
      ({ isReplaced, suspectedTwin }) => !isReplaced && suspectedTwin === null,
    )
  }

  return {
    /** Rows that show a line which no other row has replaced, without rows that may be a second row of a line. */
    all: listRows,
    /** One row of each line: one that is in the page if there is one, and of those the one with the most text. */
    leadRows(): TrackedRow[] {
      const leads = new Map<TrackedRow['line'], TrackedRow>()
      for (const row of listRows()) {
        const lead = leads.get(row.line)
        if (lead === undefined || isAhead(row, lead)) leads.set(row.line, row)
      }
      return [...leads.values()]
    },
    /** Records a change of a caption row; null when the row is the same as before. */
    update(change: PageCaptionRow, at: number, active: 'wire' | 'page'): TrackedRow | null {
      const known = rows.get(change.rowId)
      if (known === undefined && change.text === '') return null
      const row = known ?? addRow(change, at, active)
      const isBack = row.removedAt !== null && !change.isGone
      if (change.isGone) row.removedAt ??= at
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
    /** Pending texts that the row no longer contains, because a shorter text replaced them. */
    replacedTexts({
      pendingTexts,
      text,
      changedAt,
    }: TrackedRow): Array<{ text: string; at: number }> {
      const texts = [...pendingTexts, { text, at: changedAt }]
      return texts.filter((one, i) => (texts[i + 1]?.text.length ?? Infinity) < one.text.length / 2)
    },
    caption,
    settleTwins,
    /** The only name whose rows show the beginning of a text; null when there is none or more than one. */
    findSpeaker(text: string, minWords: number, at: number): string | null {
      const names = [...rows.values()].flatMap((row) =>
        row.speaker !== '' &&
        at - row.changedAt <= SPEAKER_ROW_MS &&
        isBeginningShown(text, row.text, minWords)
          ? [row.speaker]
          : [],
      )
      const [name] = names
      return name !== undefined && names.every((other) => other === name) ? name : null
    },
    /** Marks all text in the rows as published. */
    markPublished(): void {
      for (const row of rows.values())
        Object.assign(row, {
          publishedText: row.text,
          pendingTexts: [],
          gapCaptionId: null,
          line: { output: null },
          isNewSpeech: false,
          suspectedTwin: null,
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

function isAhead(row: TrackedRow, other: TrackedRow): boolean {
  const [isShown, isOtherShown] = [row.removedAt === null, other.removedAt === null]
  return isShown === isOtherShown ? row.text.length > other.text.length : isShown
}
