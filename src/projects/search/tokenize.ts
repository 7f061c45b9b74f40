/** A normalised word and its position in the text. */
export type SearchToken = { word: string; start: number; end: number }

const WORD_RUN = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu
/** ASCII text takes a faster path without Unicode properties. */
const ASCII_ONLY = /^\p{ASCII}*$/u
const ASCII_WORD_RUN = /[A-Za-z0-9]+/g
/** Scripts without spaces between words. Each character counts as a word, and several characters as a phrase. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u
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
}
const UNSPLITTABLE_LETTERS = /[ßæœøđðłıþ]/g
const MAX_WORD_LENGTH = 64
const MAX_TOKENS = 5_000
/** The highest word position that a PostgreSQL tsvector can store. */
const MAX_POSITION = 16_383
/** Distance between text and speaker positions, so that no phrase matches across the two. */
const SPEAKER_GAP = 8

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

/** A PostgreSQL tsvector of the words and their positions. The words of the speaker's name have weight B. */
export function toSearchVector(text: string, speaker = ''): string {
  const positions = new Map<string, string[]>()
  const addPosition = (word: string, position: number, weight: string) => {
    const entry = `${Math.min(position, MAX_POSITION)}${weight}`
    const existing = positions.get(word)
    if (existing === undefined) positions.set(word, [entry])
    else existing.push(entry)
  }
  const textTokens = tokenize(text)
  textTokens.forEach(({ word }, i) => addPosition(word, i + 1, ''))
  tokenize(speaker).forEach(({ word }, i) =>
    addPosition(word, textTokens.length + SPEAKER_GAP + i, 'B'),
  )
  // Words contain only letters and digits, so nothing needs escaping.
  return Array.from(positions, ([word, entries]) => `'${word}':${entries.join(',')}`).join(' ')
}

function addToken(tokens: SearchToken[], run: string, start: number): void {
  const word = foldWord(run)
  if (word !== '') tokens.push({ word, start, end: start + run.length })
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
    addToken(tokens, part, start + index)
  }
  if (plain !== '') addToken(tokens, plain, start + run.length - plain.length)
}
