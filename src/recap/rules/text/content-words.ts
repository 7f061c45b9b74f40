import { UNSPACED_CHARACTER } from '../../../lib/text/split-words.ts'
import { foldText } from './fold-text.ts'

/** A word that carries meaning. Words with the same `stem` count as the same word. */
export type ContentWord = { stem: string; text: string }

const WORD = /[\p{L}\p{N}][\p{L}\p{N}\p{M}'-]*/gu
const NUMBER = /^\p{N}+$/u
/** An article or pronoun that is written together with the next word, as in "l'agence" or "d'accord". */
const ELISION = /^(?:l|d|j|qu|n|s|c|m|t)'/
const MIN_CHARS = 3
/** Words with the same beginning count as the same word: a light stemmer that needs no table for a language. */
const STEM_CHARS = 6

const wordSegmenter = new Intl.Segmenter('en', { granularity: 'word' })

/** The words of a text without stop words, numbers and very short words. */
export function listContentWords(
  text: string,
  stopWords: ReadonlySet<string>,
  isNameWord: (foldedWord: string) => boolean,
): ContentWord[] {
  if (UNSPACED_CHARACTER.test(text)) return listSegmentedWords(text)
  const words: ContentWord[] = []
  for (const [raw] of text.matchAll(WORD)) {
    const folded = foldText(raw)
    const elided = ELISION.exec(folded)?.[0].length ?? 0
    const word = folded.slice(elided)
    if (word.length < MIN_CHARS || NUMBER.test(word)) continue
    if (stopWords.has(word) || word.includes("'") || isNameWord(word)) continue
    words.push({ stem: toStem(word), text: raw.slice(elided) })
  }
  return words
}

function listSegmentedWords(text: string): ContentWord[] {
  return [...wordSegmenter.segment(text)]
    .filter(({ isWordLike, segment }) => isWordLike === true && segment.length > 1)
    .map(({ segment }) => ({ stem: segment, text: segment }))
}

function toStem(word: string): string {
  if (word.length > STEM_CHARS) return word.slice(0, STEM_CHARS)
  return word.length > 4 ? word.replace(/(?:es|s|e|n)$/, '') : word.replace(/s$/, '')
}
