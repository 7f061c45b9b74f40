import {
  startsUnspacedPair,
  listHyphenatedWords,
  listLexemes,
  type TokenLexemes,
  canMatchAsPrefix,
  toQueryWords,
  type QueryWord,
  stripVersionLetter,
} from './words/lexemes.ts'
import { isInCompoundingLanguage, tokenize, type SearchToken } from './words/tokenize.ts'

/** A position in a phrase that any of the words can match. */
export type PhrasePart = {
  words: readonly QueryWord[]
  /** The word as the person wrote it. */
  exact: QueryWord
  /** Distance from the first part of the phrase, in tokens. */
  offset: number
  /** How many tokens of a text the words cover. Two for a pair of characters. */
  width: number
}
export type SearchPhrase = readonly PhrasePart[]

/** One or several consecutive words of a search. One of the phrases must match. */
export type SearchTerm = {
  /** The term as written and, if it contains hyphens, also without them. */
  phrases: readonly SearchPhrase[]
  /** If the term is a single unquoted word, which may be misspelt, that word; otherwise null. */
  singleWord: string | null
  /** True if the term was in quotation marks, so it must occur exactly as written. */
  isQuoted: boolean
}

/** Maps words that no text contains to similar words that texts do contain. */
export type SpellingCorrections = ReadonlyMap<string, readonly string[]>

const MAX_LENGTH = 1_000
const MAX_TERMS = 12
const MAX_WORDS = 24

/** A match in a text, as string indexes for `text.slice(start, end)`. */
export type SearchMatch = { start: number; end: number }

const MAX_MATCHES = 100

/** Splits a search text into words and "quoted phrases". There are no operators. */
export function parseWordsAndQuotedPhrases(text: string): SearchTerm[] {
  const parts = text.slice(0, MAX_LENGTH).matchAll(/["“”„«»]([^"“”„«»]*)["“”„«»]|[^\s"“”„«»]+/g)
  const terms: SearchTerm[] = []
  for (const { 0: part, 1: quoted } of parts) {
    const term = parseTerm(quoted ?? part, quoted !== undefined)
    if (term !== null) terms.push(term)
    if (terms.length === MAX_TERMS) break
  }
  return terms
}

/** The single unquoted words, which may be misspelt, each with its tsquery. */
export function listTsQueriesByUnquotedWord(terms: readonly SearchTerm[]): Map<string, string> {
  return new Map(
    terms.flatMap((term) =>
      term.singleWord === null ? [] : [[term.singleWord, toTermTsQuery(term, new Map())] as const],
    ),
  )
}

/** The phrases of a term and of the corrections of its word. */
export function listPhrases(term: SearchTerm, corrections: SpellingCorrections): SearchPhrase[] {
  const { phrases, singleWord } = term
  const corrected = singleWord === null ? [] : (corrections.get(singleWord) ?? [])
  return [...phrases, ...corrected.map(toSingleWordPhrase)]
}

function toSingleWordPhrase(word: string): SearchPhrase {
  const exact = { word, isPrefix: false }
  return [{ words: [exact], exact, offset: 0, width: 1 }]
}

function parseTerm(text: string, isQuoted: boolean): SearchTerm | null {
  const tokens = tokenize(text).slice(0, MAX_WORDS)
  if (tokens.length === 0) return null
  const joined = joinHyphenatedWords(text, tokens)
  const [first] = tokens
  return {
    phrases: [tokens, ...(joined === null ? [] : [joined])].map((words) =>
      toPhrase(words, isQuoted),
    ),
    isQuoted,
    singleWord: tokens.length === 1 && !isQuoted && first?.isUnspaced === false ? first.word : null,
  }
}

/** The tokens with each hyphenated word as one token; null if there is none. */
function joinHyphenatedWords(text: string, tokens: readonly SearchToken[]): SearchToken[] | null {
  const joined = [...tokens]
  for (const { firstTokenIndex, lastTokenIndex, word } of listHyphenatedWords(
    text,
    tokens,
  ).toReversed()) {
    const token = tokens[firstTokenIndex]
    if (token)
      joined.splice(firstTokenIndex, lastTokenIndex - firstTokenIndex + 1, { ...token, word })
  }
  return joined.length === tokens.length ? null : joined
}

function toPhrase(tokens: readonly SearchToken[], isExact: boolean): SearchPhrase {
  return tokens.flatMap((token, offset): PhrasePart[] => {
    const [previous, next] = [tokens[offset - 1], tokens[offset + 1]]
    if (startsUnspacedPair(token, next)) {
      const exact = { word: `${token.word}${next.word}`, isPrefix: false }
      return [{ words: [exact], exact, offset, width: 2 }]
    }
    if (token.isUnspaced) {
      // The last of several characters is part of the pair before it. A single one begins a pair or is alone.
      if (previous !== undefined && startsUnspacedPair(previous, token)) return []
      const exact = { word: token.word, isPrefix: true }
      return [{ words: [exact], exact, offset, width: 1 }]
    }
    const words = toQueryWords(token.word, isExact || next !== undefined)
    const version = tokens.length === 1 ? null : stripVersionLetter(token.word)
    if (version !== null) words.push({ word: version, isPrefix: false })
    return [{ words, exact: { word: token.word, isPrefix: false }, offset, width: 1 }]
  })
}

/** The terms as a PostgreSQL tsquery. Words only contain letters, marks and digits, so nothing needs escaping. */
export function toTsQuery(terms: readonly SearchTerm[], corrections: SpellingCorrections): string {
  return terms.map((term) => toTermTsQuery(term, corrections)).join(' & ')
}

export function toTermTsQuery(term: SearchTerm, corrections: SpellingCorrections): string {
  return `(${listPhrases(term, corrections).map(formatPhrase).join(' | ')})`
}

/** A tsquery for texts of which only the words are known, without positions. */
export function toPositionlessTsQuery(
  terms: readonly SearchTerm[],
  corrections: SpellingCorrections,
): string {
  const formatWords = (phrase: SearchPhrase) =>
    `(${phrase.map(({ words }) => formatPart(words)).join(' & ')})`
  return terms
    .map((term) => `(${listPhrases(term, corrections).map(formatWords).join(' | ')})`)
    .join(' & ')
}

/** A tsquery for exact matches of any term. Used to rank them first. */
export function toExactTsQuery(terms: readonly SearchTerm[]): string {
  return terms
    .map(({ phrases: [phrase = []] }) => phrase.map((part) => ({ ...part, words: [part.exact] })))
    .map((phrase) => `(${formatPhrase(phrase)})`)
    .join(' | ')
}

/** A tsquery that matches the speaker's name. Null if the name contains no words. */
export function toSpeakerTsQuery(speaker: string): string | null {
  const tokens = tokenize(speaker).slice(0, MAX_WORDS)
  if (tokens.length === 0) return null
  return toPhrase(tokens, true)
    .map(({ exact: { word, isPrefix } }) => {
      return `'${word}':${isPrefix || canMatchAsPrefix(word) ? '*' : ''}B`
    })
    .join(' & ')
}

function formatPhrase(phrase: SearchPhrase): string {
  return phrase
    .map(({ words, offset }, i) => {
      const distance = offset - (phrase[i - 1]?.offset ?? offset)
      const operator = distance === 1 ? '<->' : `<${distance}>`
      return i === 0 ? formatPart(words) : ` ${operator} ${formatPart(words)}`
    })
    .join('')
}

function formatPart(words: readonly QueryWord[]): string {
  const formatted = words.map(({ word, isPrefix }) => `'${word}'${isPrefix ? ':*' : ''}`)
  return formatted.length === 1 ? formatted.join('') : `(${formatted.join(' | ')})`
}

/** The words in a text that match the search terms. Matching characters without spaces between them are one match. */
export function findMatchingWordPositions(
  text: string,
  terms: readonly SearchTerm[],
  corrections: SpellingCorrections,
): SearchMatch[] {
  const tokens = tokenize(text)
  const isCompounding = isInCompoundingLanguage(tokens)
  const lexemes = listLexemes(text, tokens, isCompounding)
  const matching = new Set<number>()
  for (const term of terms) {
    const phrases = listPhrases(term, corrections)
    const found = findPhrases(lexemes, phrases)
    // The index knows the language of the whole document, but this text may show no sign of it.
    const isAnyFound = found.length > 0 || isCompounding
    const matches = isAnyFound ? found : findPhrases(listLexemes(text, tokens, true), phrases)
    for (const index of matches) matching.add(index)
  }
  return mergeAdjacent(tokens.filter((_, i) => matching.has(i))).slice(0, MAX_MATCHES)
}

/** The indexes of all tokens that are part of a match of a phrase. */
function findPhrases(lexemes: readonly TokenLexemes[], phrases: readonly SearchPhrase[]): number[] {
  const found: number[] = []
  for (const phrase of phrases) {
    for (let start = 0; start < lexemes.length; start += 1) {
      if (!phrase.every(({ words, offset }) => isAnyAt(lexemes[start + offset], words))) continue
      for (const { offset, width } of phrase)
        for (let i = 0; i < width; i += 1) found.push(start + offset + i)
    }
  }
  return found
}

function isAnyAt(lexemes: TokenLexemes | undefined, words: readonly QueryWord[]): boolean {
  if (lexemes === undefined) return false
  return words.some(({ word, isPrefix }) => {
    const isMatch = (lexeme: string) => (isPrefix ? lexeme.startsWith(word) : lexeme === word)
    const { joined, parts } = lexemes
    return isMatch(lexemes.word) || (joined !== null && isMatch(joined)) || parts.some(isMatch)
  })
}

function mergeAdjacent(tokens: readonly SearchToken[]): SearchMatch[] {
  const matches: SearchMatch[] = []
  for (const { start, end } of tokens) {
    const last = matches.at(-1)
    if (last?.end === start) last.end = end
    else matches.push({ start, end })
  }
  return matches
}
