/** A normalised word and its position in the text. */
export type SearchToken = {
  word: string
  start: number
  end: number
  /** True for a character of a script that puts no spaces between words. */
  isUnspaced: boolean
}

const WORD_RUN = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu
/** ASCII text takes a faster path without Unicode properties. */
const ASCII_ONLY = /^\p{ASCII}*$/u
const ASCII_WORD_RUN = /[A-Za-z0-9]+/g
/**
 * Scripts without spaces between words. Each character is a token, and the index stores pairs of them. The extensions of
 * Katakana include the mark of long vowels.
 */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script_Extensions=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u
const UNSPACED_PARTS = /[^\p{M}]\p{M}*/gu
/** Accents and vowel points that people often omit. Marks of other scripts distinguish words and are not removed. */
const ACCENTS = /[\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670]/g
const NOT_WORD_CHARACTER = /[^\p{L}\p{N}\p{M}]/gu
/** Letters that Unicode normalisation does not split into a base letter and an accent. */
const BASE_LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ł: 'l',
  ı: 'i',
  þ: 'th',
  // Arabic letters that people and keyboards use for each other, and the stroke that only makes a word longer.
  ى: 'ي',
  ی: 'ي',
  ک: 'ك',
  ة: 'ه',
  ـ: '',
}
const UNSPLITTABLE_LETTERS = new RegExp(`[${Object.keys(BASE_LETTERS).join('')}]`, 'g')
const MAX_WORD_LENGTH = 64
const MAX_TOKENS = 5_000

/** The words of a text in order, in lower case and without accents. */
export function tokenize(text: string): SearchToken[] {
  const tokens: SearchToken[] = []
  for (const { 0: run, index } of text.matchAll(
    ASCII_ONLY.test(text) ? ASCII_WORD_RUN : WORD_RUN,
  )) {
    if (tokens.length >= MAX_TOKENS) break
    if (!ASCII_ONLY.test(run) && UNSPACED.test(run)) addUnspacedTokens(tokens, run, index)
    else addToken(tokens, run, index)
  }
  return tokens
}

/** Converts a word to lower case and removes accents, so that `Čapek` and `capek` are the same word. */
export function foldWord(word: string): string {
  if (ASCII_ONLY.test(word)) return word.slice(0, MAX_WORD_LENGTH).toLowerCase()
  return word
    .slice(0, MAX_WORD_LENGTH)
    .normalize('NFKD')
    .replace(ACCENTS, '')
    .toLowerCase()
    .replace(UNSPLITTABLE_LETTERS, (letter) => BASE_LETTERS[letter] ?? letter)
    .replace(ACCENTS, '')
    .normalize('NFC')
    .replace(NOT_WORD_CHARACTER, '')
    .slice(0, MAX_WORD_LENGTH)
}

function addToken(tokens: SearchToken[], run: string, start: number, isUnspaced = false): void {
  const word = foldWord(run)
  if (word !== '') tokens.push({ word, start, end: start + run.length, isUnspaced })
}

function addUnspacedTokens(tokens: SearchToken[], run: string, start: number): void {
  let plain = ''
  for (const { 0: part, index } of run.matchAll(UNSPACED_PARTS)) {
    if (!UNSPACED.test(part)) {
      plain += part
      continue
    }
    if (plain !== '') addToken(tokens, plain, start + index - plain.length)
    plain = ''
    addToken(tokens, part, start + index, true)
  }
  if (plain !== '') addToken(tokens, plain, start + run.length - plain.length)
}
