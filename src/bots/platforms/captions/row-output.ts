import { charOffsetAfterWords, findTextEnd, wordCount, type WireUtterance } from './text-overlap.ts'

/** How the page publishes a row: the text after `prefix`, under a caption id. Rows that show the same line share it. */
export type RowOutput = { captionId: string; prefix: string; version?: number }

/**
 * Decides from which word on the page publishes a row: after the last word that the wire published, or from the start
 * of an utterance that the wire left unfinished and that continues under its id.
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

/** The part of a row's text that is not published yet. */
export function unpublishedText({ prefix }: RowOutput, text: string): string {
  if (prefix === '' || text.startsWith(prefix)) return text.slice(prefix.length).trimStart()
  const end = findTextEnd(prefix, text)
  // The row replaced its text with a new one.
  if (end === null) return text.length < prefix.length ? text : text.slice(prefix.length)
  return text.slice(end.chars).replace(/^[\s.,;:!?…]+/u, '')
}

/**
 * The utterance that contains the word at the given position of all words, and how many of its words that includes.
 */
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
