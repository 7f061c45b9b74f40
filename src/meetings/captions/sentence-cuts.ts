import { safeCut } from '../sanitize/text.ts'

/** A terminator with closing quotes, then white space; scripts without spaces need none. */
const SENTENCE_END = /(?:[.!?…؟]+["'”’»)\]]*(?=\s|$))|(?:[。！？｡]+["”’»）」』]*)/gu

/** Words whose full stop does not end a sentence, and single initials. */
const ABBREVIATION = /(?:^|[\s(])(?:mr|mrs|ms|dr|prof|st|vs|etc|e\.g|i\.e|no|approx|\p{Lu})\.$/iu

/** Positions in `text` right behind the end of a sentence. */
export function sentenceEnds(text: string): number[] {
  const ends: number[] = []
  for (const match of text.matchAll(SENTENCE_END)) {
    const end = match.index + match[0].length
    if (!ABBREVIATION.test(text.slice(Math.max(0, end - 10), end))) ends.push(end)
  }
  return ends
}

export type LengthCaps = { sentenceCapChars: number; wordCapChars: number }

/** Where to cut text that is too long for one piece: at a sentence if there is one, else at a word, else anywhere. */
export function findCut(text: string, longest: number, caps: LengthCaps): number {
  const ends = sentenceEnds(text.slice(0, Math.min(longest, caps.wordCapChars) + 1)).filter(
    (end) => end <= longest && end <= caps.wordCapChars,
  )
  const early = ends.findLast((end) => end <= caps.sentenceCapChars) ?? ends[0]
  if (early !== undefined) return early
  const limit = Math.min(longest, caps.wordCapChars)
  const space = text.slice(0, limit + 1).search(/\s\S*$/u)
  return space > 0 ? space : safeCut(text, limit)
}

/** `text` in pieces of bearable length; together they are the text. */
export function splitLongText(text: string, caps: LengthCaps): string[] {
  const cut: string[] = []
  let rest = text
  while (rest.length > caps.wordCapChars) {
    const end = findCut(rest, rest.length, caps)
    cut.push(rest.slice(0, end))
    rest = rest.slice(end)
  }
  return [...cut, rest]
}
