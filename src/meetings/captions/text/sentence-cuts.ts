import { findCutBetweenCharacters } from '../../sanitize/text.ts'

/** A sentence terminator with closing quotes, followed by white space except in scripts without spaces. */
const SENTENCE_END = /(?:(?<![.!?…؟])[.!?…؟]+["'”’»)\]]*(?=\s|$))|(?:[。！？｡]+["”’»）」』]*)/gu

/** Abbreviations and single initials, whose full stop does not end a sentence. */
const ABBREVIATION = /(?:^|[\s(])(?:mr|mrs|ms|dr|prof|st|vs|etc|e\.g|i\.e|no|approx|\p{Lu})\.$/iu

/** Positions in `text` directly after the end of a sentence. */
export function findSentenceEnds(text: string): number[] {
  const ends: number[] = []
  for (const match of text.matchAll(SENTENCE_END)) {
    const end = match.index + match[0].length
    if (!ABBREVIATION.test(text.slice(Math.max(0, end - 10), end))) ends.push(end)
  }
  return ends
}

export type SegmentLengthCaps = { sentenceCapChars: number; wordCapChars: number }

/**
 * Where to cut text that is too long for one segment: after a sentence if possible, else after a word, else at the
 * limit.
 */
export function findSegmentCut(text: string, maxLength: number, caps: SegmentLengthCaps): number {
  const ends = findSentenceEnds(text.slice(0, Math.min(maxLength, caps.wordCapChars) + 1)).filter(
    (end) => end <= maxLength && end <= caps.wordCapChars,
  )
  const early = ends.findLast((end) => end <= caps.sentenceCapChars) ?? ends[0]
  if (early !== undefined) return early
  const limit = Math.min(maxLength, caps.wordCapChars)
  const space = text.slice(0, limit + 1).search(/\s\S*$/u)
  return space > 0 ? space : findCutBetweenCharacters(text, limit)
}

/** Splits `text` into pieces no longer than `wordCapChars`. No character is lost. */
export function splitLongText(text: string, caps: SegmentLengthCaps): string[] {
  const pieces: string[] = []
  let rest = text
  while (rest.length > caps.wordCapChars) {
    const end = findSegmentCut(rest, rest.length, caps)
    pieces.push(rest.slice(0, end))
    rest = rest.slice(end)
  }
  return [...pieces, rest]
}
