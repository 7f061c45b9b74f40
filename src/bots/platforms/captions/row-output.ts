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
  const end = findTextEndInRow(utterances.map((utterance) => utterance.text).join(' '), text)
  if (end === null || end.words < from) return { captionId: ownId, skippedPrefix: behind(from) }
  const last = utteranceAtWord(utterances, end.shown)
  if (last === null || last.utterance.isFinal || isTaken(last.utterance.captionId)) {
    return { captionId: ownId, skippedPrefix: behind(end.words) }
  }
  const { captionId, version } = last.utterance
  return { captionId, version, skippedPrefix: behind(Math.max(from, end.words - last.shown)) }
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
