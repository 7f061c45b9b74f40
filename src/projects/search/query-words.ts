import { stripQueryWordClitics } from './words/clitics.ts'
import { isKoreanWord, listKoreanParticleForms, stripKoreanEnding } from './words/korean-words.ts'

/** A word of a search. With `isPrefix` it also matches longer words that begin with it. */
export type QueryWord = { word: string; isPrefix: boolean }

/** Shorter prefixes match too many words. A Korean syllable has as much meaning as several letters. */
const MIN_PREFIX_LENGTH = 3
const MIN_KOREAN_PREFIX_LENGTH = 2

/** Whether a word is long enough to match as a prefix. */
export function canMatchAsPrefix(word: string): boolean {
  return word.length >= (isKoreanWord(word) ? MIN_KOREAN_PREFIX_LENGTH : MIN_PREFIX_LENGTH)
}

/** The words that a word of a search text stands for, itself first. `isExact`: it was quoted, or more words follow it. */
export function toQueryWords(word: string, isExact: boolean): QueryWord[] {
  if (isKoreanWord(word)) return toKoreanQueryWords(word, isExact)
  if (isExact || !canMatchAsPrefix(word)) return [{ word, isPrefix: false }]
  const stem = stripQueryWordClitics(word)
  const words = stem === null ? [word] : [word, stem]
  return words.map((text) => ({ word: text, isPrefix: true }))
}

/** Particles follow a Korean noun without a space, so even an exact word matches with them. */
function toKoreanQueryWords(word: string, isExact: boolean): QueryWord[] {
  const stem = stripKoreanEnding(word)
  if (!isExact && canMatchAsPrefix(stem)) return [{ word: stem, isPrefix: true }]
  return listKoreanParticleForms(word).map((text) => ({ word: text, isPrefix: false }))
}
