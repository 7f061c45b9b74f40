/** A normalized word and its position in the text. */
export type SearchToken = {
  word: string
  start: number
  end: number
  /** True for a character in a script without spaces between words. */
  isUnspaced: boolean
}

const WORD_RUN = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu
/** ASCII text takes a faster path without Unicode properties. */
const ASCII_ONLY = /^\p{ASCII}*$/u
const ASCII_WORD_RUN = /[A-Za-z0-9]+/g
/**
 * Scripts without spaces between words. Each character is a token, and the index stores pairs of them. The extensions
 * of Katakana include the long vowel mark.
 */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script_Extensions=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u
const UNSPACED_PARTS = /[^\p{M}]\p{M}*/gu
/** Accents and vowel points that people often omit. Marks in other scripts distinguish words, so they are kept. */
const ACCENTS = /[\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670]/g
const NOT_WORD_CHARACTER = /[^\p{L}\p{N}\p{M}]/gu
/** Letters that Unicode normalization does not split into a base letter and an accent. */
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
  // Arabic letters that people and keyboards use interchangeably, and the stroke that only lengthens a word.
  ى: 'ي',
  ی: 'ي',
  ک: 'ك',
  ة: 'ه',
  ـ: '',
}
const UNSPLITTABLE_LETTERS = new RegExp(`[${Object.keys(BASE_LETTERS).join('')}]`, 'g')
const MAX_WORD_LENGTH = 64
const MAX_TOKENS = 5_000

/** Frequent words of German and related languages, which write compounds as one word. Without accents. */
const COMPOUNDING_LANGUAGE_WORDS = new Set(
  `der das und ist nicht ein eine einen einem einer mit auf wir ich sie zu dem den von im auch sich wird sind haben werden
  bei nach noch oder wie aus zum zur dass kann als fur uber unser unsere wurde wurden konnen muss mussen soll sollen
  het een niet voor wordt worden deze naar ook moet kunnen wij onze
  och att inte ett med som kan ska eller vara blir
  og ikke jeg det som til vil skal eller blev`.split(/\s+/),
)
/** Frequent words of other languages with the same letters, except words that the languages above have too. */
const OTHER_LANGUAGE_WORDS = new Set(
  `the and to that this are you from with they not what but our would should which has been there their
  le la les une est dans pour que qui sur pas nous vous avec au ce
  el las una por para con del como mas
  il che non sono della gli
  os uma nao com do
  jest oraz ve bir icin ile az hogy nem egy`.split(/\s+/),
)
const COMPOUNDING_LANGUAGE_ENDING = /.{4}(?:ung|ungen|keit|keiten|heit|heiten|schaft|schaften)$/

const LATIN_WORD = /^[a-z]+$/
const MIN_COMPOUND_LENGTH = 7
const MIN_FIRST_PART_LENGTH = 3
const MIN_PART_LENGTH = 4
const VOWEL = /[aeiouy]/
/** How a word can begin: with one consonant, or with a group of consonants that can begin a word. */
const CONSONANT_BEGINNING =
  /^(?:[bcdfghjklmnpqrstvwxz]|bl|br|chr|dr|dw|fj|fl|fr|gl|gn|gr|kl|kn|kr|kv|pf|pfl|pfr|ph|pl|pr|ps|qu|rh|sch|schl|schm|schn|schr|schw|sh|sj|sk|skr|sl|sm|sn|sp|spl|spr|st|str|sv|th|tr|ts|tw|vl|vr|wr|zw)[aeiouy]/
/** Beginnings of words with a vowel. A vowel alone does not indicate a new part, because it follows most consonants. */
const VOWEL_BEGINNING =
  /^(?:ab|akt|ampel|amt|an(?!ung|e)|antrag|arbeit|art|auf|aus|auto|ein|eis|energi|ent|erfolg|ergeb|info|inhalt|ins|inter|invest|objekt|ordn|organ|ober|umsatz|um|unter|urlaub|update|uber|aan|uit|onder|over|opp|upp)/
/** Two letters that form one sound, so no part begins between them. */
const INSEPARABLE = /^(?:ch|ck|ph|qu|au|ei|eu|ie|ai|ou)/
/** Endings that are not words. */
const ENDING = /^(?:[a-z]{1,2}ung(?:en)?|[hk]eit(?:en)?)$/

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

/** True if a text is in German or a related language. Correct for most single sentences. */
export function isInCompoundingLanguage(tokens: readonly SearchToken[]): boolean {
  return scoreCompoundingLanguage(tokens) > 0
}

/**
 * Adds 1 for each frequent word of German and related languages, and subtracts 1 for each of other languages. The
 * scores of texts in one language can be added up.
 */
export function scoreCompoundingLanguage(tokens: readonly SearchToken[]): number {
  let balance = 0
  for (const { word } of tokens) {
    if (OTHER_LANGUAGE_WORDS.has(word)) balance -= 1
    else if (COMPOUNDING_LANGUAGE_WORDS.has(word) || COMPOUNDING_LANGUAGE_ENDING.test(word))
      balance += 1
  }
  return balance
}

/**
 * The places where a part of a compound may begin, as the rest of the word from there on: `jahresbudget` has the part
 * `budget`. There is no dictionary, so some are not words; those only make the index larger.
 */
export function listCompoundWordTails(word: string): string[] {
  if (word.length < MIN_COMPOUND_LENGTH || !LATIN_WORD.test(word)) return []
  const parts: string[] = []
  let hasVowel = false
  for (let i = 0; i <= word.length - MIN_PART_LENGTH; i += 1) {
    if (i >= MIN_FIRST_PART_LENGTH && hasVowel && isPartBeginning(word, i))
      parts.push(word.slice(i))
    hasVowel ||= VOWEL.test(word[i] ?? '')
  }
  return parts
}

function isPartBeginning(word: string, at: number): boolean {
  const rest = word.slice(at)
  if (INSEPARABLE.test(word.slice(at - 1)) || ENDING.test(rest)) return false
  return CONSONANT_BEGINNING.test(rest) || VOWEL_BEGINNING.test(rest)
}
