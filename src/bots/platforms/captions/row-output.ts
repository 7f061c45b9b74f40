import {
  charOffsetAfterWords,
  findTextEndInRow,
  countCaptionWords,
  type WireUtterance,
} from './text-overlap.ts'

/**
 * What the page publishes of a caption row: the text after `skippedPrefix`, under a caption id. Rows that show the same line
 * share one such object.
 */
export type CaptionRowPublicationPlan = {
  captionId: string
  skippedPrefix: string
  version?: number
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
 * Where the text of the utterances ends in the row. The row may show only the last of them, and then begins with these;
 * `from` is the number of words at its beginning that are published otherwise.
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
  // The published text is no longer in the row: the row replaced its text with a new one.
  if (end === null)
    return rowText.length < skippedPrefix.length ? rowText : rowText.slice(skippedPrefix.length)
  return rowText.slice(end.chars).replace(/^[\s.,;:!?…]+/u, '')
}

/**
 * The utterance that contains word number `words`, counted over all utterances, and how many of its own words that
 * includes.
 */
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
