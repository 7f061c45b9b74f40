import { charOffsetAfterWords, findTextEnd, wordCount, type WireUtterance } from './text-overlap.ts'

/** How the page tells a row: all behind `prefix`, under an id. Rows that show the same line share it. */
export type RowOutput = { captionId: string; prefix: string; version?: number }

/**
 * From which word on the page tells a text of a row, given what the wire told of it: behind the last word that
 * was told, or from the beginning of an utterance that the wire left open and that goes on under its own id.
 */
export function planRowOutput(
  { publishedText }: { publishedText: string },
  text: string,
  utterances: readonly WireUtterance[],
  { ownId, isTaken }: { ownId: string; isTaken(captionId: string): boolean },
): RowOutput {
  const settled =
    publishedText === '' ? 0 : (findTextEnd(publishedText, text)?.words ?? wordCount(publishedText))
  const from = Math.min(settled, wordCount(text))
  const behind = (words: number) => text.slice(0, charOffsetAfterWords(text, words))
  const end = findTextEnd(utterances.map((utterance) => utterance.text).join(' '), text)
  if (end === null || end.words < from) return { captionId: ownId, prefix: behind(from) }
  const last = utteranceAtWord(utterances, end.shown)
  if (last === null || last.utterance.isFinal || isTaken(last.utterance.captionId)) {
    return { captionId: ownId, prefix: behind(end.words) }
  }
  const { captionId, version } = last.utterance
  return { captionId, version, prefix: behind(Math.max(from, end.words - last.shown)) }
}

/** What there is to tell of a text: all that is behind what was told. */
export function unpublishedText({ prefix }: RowOutput, text: string): string {
  if (prefix === '' || text.startsWith(prefix)) return text.slice(prefix.length).trimStart()
  const end = findTextEnd(prefix, text)
  // The page has let go of the old text and begun anew.
  if (end === null) return text.length < prefix.length ? text : text.slice(prefix.length)
  return text.slice(end.chars).replace(/^[\s.,;:!?…]+/u, '')
}

/** The utterance with the given word of all their words, and how many of its own words that makes. */
function utteranceAtWord(
  utterances: readonly WireUtterance[],
  words: number,
): { utterance: WireUtterance; shown: number } | null {
  let left = words
  for (const utterance of utterances) {
    const length = wordCount(utterance.text)
    if (left <= length) return { utterance, shown: left }
    left -= length
  }
  return null
}
