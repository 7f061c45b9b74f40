import { UNSPACED_CHARACTER } from '../../../lib/text/words.ts'

const ASCII = /^[\0-\x7f]*$/
/** Letters that Unicode does not decompose. */
const UNDECOMPOSED: Readonly<Record<string, string>> = {
  ß: 's',
  œ: 'o',
  æ: 'a',
  ø: 'o',
  ı: 'i',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 't',
}

/** A word with content. Words with the same `stem` are treated as the same word. */
export type ContentWord = { stem: string; text: string }

const WORD = /[\p{L}\p{N}][\p{L}\p{N}\p{M}'-]*/gu
const NUMBER = /^\p{N}+$/u
/** An article or pronoun attached to the next word, as in "l'agence" or "d'accord". */
const ELISION = /^(?:l|d|j|qu|n|s|c|m|t)'/
const MIN_CHARS = 3
/** Words with the same beginning are treated as the same: a light stemmer that needs no table per language. */
const STEM_CHARS = 6

const wordSegmenter = new Intl.Segmenter('en', { granularity: 'word' })

/** Puts text on one line, with straight apostrophes and composed letters. */
export function toPlainLine(text: string): string {
  return text.normalize('NFC').replaceAll(/[’‘ʼ]/g, "'").replaceAll(/\s+/gu, ' ').trim()
}

/** Converts to lower case without accents. The length stays the same, so that positions are valid in both texts. */
export function foldText(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase()
  let folded = ''
  for (let i = 0; i < text.length; i += 1) folded += foldCharacter(text.charAt(i))
  return folded
}

function foldCharacter(character: string): string {
  if (character < '\x80') return character.toLowerCase()
  const lower = character.toLowerCase()
  return UNDECOMPOSED[lower] ?? (lower.normalize('NFD').charAt(0) || character)
}

/** The words of a text, without stop words, numbers and very short words. */
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
