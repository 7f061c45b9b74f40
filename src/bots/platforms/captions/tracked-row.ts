import type { CaptionRowPublicationPlan } from './row-output.ts'
import { isBeginningShown } from './text-overlap.ts'

export type TrackedPageRow = {
  id: string
  speaker: string
  text: string
  /** The place of the row's line among all lines. A line that is drawn again keeps its place. */
  order: number
  /** When the line of the row appeared in the page. */
  appearedAt: number
  /** When this row itself appeared. */
  addedAt: number
  changedAt: number
  removedAt: number | null
  /** Whether the row was removed while earlier lines stayed. Lines that leave a full list leave at its beginning. */
  hasLeftMiddle: boolean
  /** Whether another row of the page shows this row's line now. */
  isReplaced: boolean
  /** Whether the row certainly shows new speech and no earlier line again. */
  isNewSpeech: boolean
  /** Set while the row may be a second row of another row's line. It is not published until that is decided. */
  suspectedTwin: { of: TrackedPageRow; since: number; previousRowId: string } | null
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

/** The rows of a page by their ids, oldest first, with rows that were removed recently. */
export type TrackedRows = ReadonlyMap<string, TrackedPageRow>

/** One row of each line: one that is in the page if there is one, and of those the one with the most text. */
export function pickLeadRows(rows: readonly TrackedPageRow[]): TrackedPageRow[] {
  const leads = new Map<TrackedPageRow['line'], TrackedPageRow>()
  for (const row of rows) {
    const lead = leads.get(row.line)
    if (lead === undefined || isAhead(row, lead)) leads.set(row.line, row)
  }
  return [...leads.values()]
}

function isAhead(row: TrackedPageRow, other: TrackedPageRow): boolean {
  const [isShown, isOtherShown] = [row.removedAt === null, other.removedAt === null]
  return isShown === isOtherShown ? row.text.length > other.text.length : isShown
}

/** Pending texts that the row no longer contains, because a shorter text replaced them. */
export function listReplacedTexts({
  pendingTexts,
  text,
  changedAt,
}: TrackedPageRow): Array<{ text: string; at: number }> {
  const texts = [...pendingTexts, { text, at: changedAt }]
  return texts.filter((one, i) => (texts[i + 1]?.text.length ?? Infinity) < one.text.length / 2)
}

/** How recently a row must have changed to show the words that are spoken now. */
const SPEAKER_ROW_MS = 5_000

/** The only name whose rows show the beginning of a text; null when there is none or more than one. */
export function findSpeakerOfText(
  rows: TrackedRows,
  text: string,
  minWords: number,
  at: number,
): string | null {
  const names = [...rows.values()].flatMap((row) =>
    row.speaker !== '' &&
    at - row.changedAt <= SPEAKER_ROW_MS &&
    isBeginningShown(text, row.text, minWords)
      ? [row.speaker]
      : [],
  )
  const [name] = names
  return name !== undefined && names.every((other) => other === name) ? name : null
}
