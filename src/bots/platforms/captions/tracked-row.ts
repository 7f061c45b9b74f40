import {
  isBeginningShown,
  charOffsetAfterWords,
  findTextEndInRow,
  countCaptionWords,
  type WireUtterance,
} from './text-overlap.ts'

export type TrackedPageRow = {
  id: string
  speaker: string
  text: string
  /** The position of the row's line among all lines. A redrawn line keeps its position. */
  order: number
  /** When the row's line appeared in the page. */
  appearedAt: number
  /** When this row itself appeared. */
  addedAt: number
  changedAt: number
  removedAt: number | null
  /** True if the row was removed while earlier lines stayed. Lines that a full list drops are at its beginning. */
  hasLeftMiddle: boolean
  /** True if another row of the page now shows this row's line. */
  isReplaced: boolean
  /** True if the row certainly shows new speech and not an earlier line again. */
  isNewSpeech: boolean
  /** Set while the row may be a second row of another row's line. It is not published until that is decided. */
  suspectedTwin: { of: TrackedPageRow; since: number; previousRowId: string } | null
  /** The row's text before it became empty, and when that happened. */
  cleared: { text: string; removedAt: number } | null
  /** Published text: what the row showed when the wire became active. */
  publishedText: string
  /** Texts that the wire is expected to publish soon, oldest first. */
  pendingTexts: Array<{ text: string; at: number }>
  /** The page publishes words that the wire left out under this caption id. */
  gapCaptionId: string | null
  /** The line that the row shows. Several rows can show one line. */
  line: { output: CaptionRowPublicationPlan | null }
}

/**
 * What a platform shows in one caption row: everything that a speaker says until the next speaker starts, or one
 * utterance. Only in the second case are two neighbouring rows of one speaker separate speech.
 */
export type CaptionRowContent = 'turn' | 'utterance'

/** The page's rows by id, oldest first, including recently removed rows. */
export type TrackedRows = ReadonlyMap<string, TrackedPageRow>

/**
 * What the page publishes of a caption row: the text after `skippedPrefix`, under a caption id. Rows that show the same
 * line share one such object.
 */
export type CaptionRowPublicationPlan = {
  captionId: string
  skippedPrefix: string
  version?: number
}

/** Picks one row of each line, preferably one in the page, and of those the one with the most text. */
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

/** A row shows the words that are being spoken only if it changed this recently. */
const SPEAKER_ROW_MS = 5_000

/** The only name whose rows show the beginning of a text; null if there is none or more than one. */
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

/**
 * Decides from which word on the page publishes a row: after the last word that the wire published, or from the start
 * of an utterance that the wire left unfinished and that continues under its id.
 */
export function planRowPublication(
  { publishedText }: { publishedText: string },
  text: string,
  utterances: readonly WireUtterance[],
  { ownId, isTaken }: { ownId: string; isTaken(captionId: string): boolean },
): CaptionRowPublicationPlan {
  const settled =
    publishedText === ''
      ? 0
      : (findTextEndInRow(publishedText, text)?.words ?? countCaptionWords(publishedText))
  const from = Math.min(settled, countCaptionWords(text))
  const behind = (words: number) => text.slice(0, charOffsetAfterWords(text, words))
  const published = findPublishedEnd(utterances, text, from)
  if (published === null || published.end.words < from)
    return { captionId: ownId, skippedPrefix: behind(from) }
  const { end } = published
  const last = utteranceAtWord(published.utterances, end.shown)
  if (last === null || last.utterance.isFinal || isTaken(last.utterance.captionId)) {
    return { captionId: ownId, skippedPrefix: behind(end.words) }
  }
  const { captionId, version } = last.utterance
  return { captionId, version, skippedPrefix: behind(Math.max(from, end.words - last.shown)) }
}

/**
 * Where the text of the utterances ends in the row. The row may show only the last ones, and then begins with them.
 * `from` is the number of words at its beginning that are already published in another way.
 */
function findPublishedEnd(utterances: readonly WireUtterance[], rowText: string, from: number) {
  for (let first = 0; first === 0 || first < utterances.length; first += 1) {
    const shown = utterances.slice(first)
    const end = findTextEndInRow(shown.map(({ text }) => text).join(' '), rowText)
    if (end !== null && (first === 0 || end.words - end.shown <= from))
      return { utterances: shown, end }
  }
  return null
}

/** The part of a row's text that is not published yet. */
export function selectUnpublishedText(
  { skippedPrefix }: CaptionRowPublicationPlan,
  rowText: string,
): string {
  if (skippedPrefix === '' || rowText.startsWith(skippedPrefix))
    return rowText.slice(skippedPrefix.length).trimStart()
  const end = findTextEndInRow(skippedPrefix, rowText)
  // The row no longer contains the published text, because it replaced its text with a new one.
  if (end === null)
    return rowText.length < skippedPrefix.length ? rowText : rowText.slice(skippedPrefix.length)
  return rowText.slice(end.chars).replace(/^[\s.,;:!?…]+/u, '')
}

/** The utterance with word number `words`, counted over all utterances, and how many of its own words that includes. */
function utteranceAtWord(
  utterances: readonly WireUtterance[],
  words: number,
): { utterance: WireUtterance; shown: number } | null {
  let left = words
  for (const utterance of utterances) {
    const length = countCaptionWords(utterance.text)
    if (left <= length) return { utterance, shown: left }
    left -= length
  }
  return null
}
