/** A word as search knows it, and where it stands in the text. */
export type SearchToken = { word: string; start: number; end: number }

const WORD_RUN = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu
/** Plain letters need none of the knowledge of the world's scripts. */
const ASCII_ONLY = /^\p{ASCII}*$/u
const ASCII_WORD_RUN = /[A-Za-z0-9]+/g
/** Written without spaces between words: every character is a word, and several of them are a phrase. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u
const UNSPACED_PARTS = /[^\p{M}]\p{M}*/gu
/** Accents and vowel points that people leave out. The signs of other scripts are letters of their own. */
const ACCENTS = /[\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670]/g
const NO_LETTER = /[^\p{L}\p{N}\p{M}]/gu
/** Letters that do not come apart into a plain one and an accent. */
const PLAIN_LETTERS: Readonly<Record<string, string>> = {
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
const SPECIAL = /[ßæœøđðłıþ]/g
const MAX_WORD = 64
const MAX_TOKENS = 5_000
/** The database counts no further. */
const MAX_POSITION = 16_383
/** Who speaks stands apart from what is said: no phrase leads from the one to the other. */
const SPEAKER_GAP = 8

/** The words of a text, without case and accents, in their order. */
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

/** Small letters without accents: `Čapek` and `capek` are the same word. */
export function foldWord(word: string): string {
  if (ASCII_ONLY.test(word)) return word.slice(0, MAX_WORD).toLowerCase()
  return word
    .slice(0, MAX_WORD)
    .normalize('NFKD')
    .replace(ACCENTS, '')
    .toLowerCase()
    .replace(SPECIAL, (letter) => PLAIN_LETTERS[letter] ?? letter)
    .replace(ACCENTS, '')
    .normalize('NFC')
    .replace(NO_LETTER, '')
    .slice(0, MAX_WORD)
}

/** What the database keeps to search in: words with their places; those of the speaker have weight B. */
export function toSearchVector(text: string, speaker = ''): string {
  const places = new Map<string, string[]>()
  const put = (word: string, place: number, weight: string) => {
    const mark = `${Math.min(place, MAX_POSITION)}${weight}`
    const known = places.get(word)
    if (known === undefined) places.set(word, [mark])
    else known.push(mark)
  }
  const said = tokenize(text)
  said.forEach(({ word }, i) => put(word, i + 1, ''))
  tokenize(speaker).forEach(({ word }, i) => put(word, said.length + SPEAKER_GAP + i, 'B'))
  // Words hold letters and digits only, so there is nothing to escape.
  return Array.from(places, ([word, marks]) => `'${word}':${marks.join(',')}`).join(' ')
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
