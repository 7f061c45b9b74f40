import type { Db } from '../../../db/database.ts'
import type { SearchTerm, SpellingCorrections } from '../query.ts'
import { canMatchAsPrefix, toQueryWords, type QueryWord } from '../query-words.ts'
import { listCompoundWordTails } from '../words/compound-words.ts'
import { isKoreanWord } from '../words/korean-words.ts'
import { listHyphenatedWords, startsUnspacedPair } from '../words/lexemes.ts'
import { tokenize, type SearchToken } from '../words/tokenize.ts'
import { recogniseLanguage, type RecognisedWord } from './question-language.ts'
import { isUnspacedStopWord, isWeakWord } from './weak-words.ts'

/** Something that a question asks about. A text matches when it has one of the words. */
export type QuestionTerm = {
  words: readonly QueryWord[]
  /** How much the term says about what is asked, from 0 to 1. */
  weight: number
  /** Indexes of the tokens of the question that the term stands for. */
  tokenIndexes: readonly number[]
  /** False for a word in lower case: it cannot be the name of a speaker. */
  canBeName: boolean
}

export type ParsedQuestion = {
  text: string
  tokens: readonly SearchToken[]
  terms: readonly QuestionTerm[]
}

/** A longer question is cut. The limits bound the cost of a hostile question. */
const MAX_LENGTH = 2_000
const MAX_TOKENS = 100
const MAX_TERMS = 24
const WEAK_WORD_WEIGHT = 0.2
const COMPOUNDING_LANGUAGES = new Set(['german', 'dutch', 'swedish', 'norwegian', 'danish'])
const LINKING_LETTER = /s$/
/** Shorter parts are often no words. */
const MIN_TAIL_LENGTH = 5
const MIN_HEAD_LENGTH = 4
const LOWER_CASE = /^\p{Ll}/u

/** Splits a question into terms: no stop words, and each word also in its other forms. The text has no operators. */
export async function parseQuestion(
  db: Db,
  question: string,
  corrections: SpellingCorrections = new Map(),
): Promise<ParsedQuestion> {
  const text = question.slice(0, MAX_LENGTH).toWellFormed().replaceAll('\0', ' ')
  const tokens = tokenize(text).slice(0, MAX_TOKENS)
  const written = tokens.map(({ word, start, end }) => ({
    written: text.slice(start, end).toLowerCase(),
    folded: word,
  }))
  const { language, words } = await recogniseLanguage(db, written)
  const found: QuestionTerm[] = []
  for (const [i, token] of tokens.entries()) {
    const term = token.isUnspaced
      ? toPairTerm(tokens, i)
      : toWordTerm(token, words[i], language, corrections.get(token.word) ?? [])
    if (term === null) continue
    const weight = isWeakWord(token.word, language) ? WEAK_WORD_WEIGHT : 1
    const canBeName = !LOWER_CASE.test(text.slice(token.start))
    found.push({ words: term, weight, tokenIndexes: [i], canBeName })
  }
  const meaningful = new Set(found.flatMap(({ tokenIndexes }) => tokenIndexes))
  const hyphenated = listHyphenatedTerms(text, tokens).filter(({ tokenIndexes }) =>
    tokenIndexes.some((index) => meaningful.has(index)),
  )
  const terms = mergeEqualTerms([...found, ...hyphenated])
  return { text, tokens, terms: terms.slice(0, MAX_TERMS) }
}

/** A character of a script without spaces, with the one after it. The last one of a row is part of the pair before it. */
function toPairTerm(tokens: readonly SearchToken[], index: number): QueryWord[] | null {
  const [previous, token, next] = [tokens[index - 1], tokens[index], tokens[index + 1]]
  if (token === undefined) return null
  const isPair = startsUnspacedPair(token, next)
  if (!isPair && previous !== undefined && startsUnspacedPair(previous, token)) return null
  const characters = isPair ? `${token.word}${next.word}` : token.word
  return isUnspacedStopWord(characters) ? null : [{ word: characters, isPrefix: !isPair }]
}

function toWordTerm(
  { word }: SearchToken,
  recognised: RecognisedWord | undefined,
  language: string | null,
  similarWords: readonly string[],
): QueryWord[] | null {
  if (recognised?.isStopWord === true) return null
  const similar = similarWords.map((text) => ({ word: text, isPrefix: false }))
  const stem = recognised?.stem ?? null
  if (stem === null || isKoreanWord(word)) return [...toQueryWords(word, false), ...similar]
  const beginning = commonBeginning(word, stem)
  const isPrefix = canMatchAsPrefix(beginning)
  const parts = COMPOUNDING_LANGUAGES.has(language ?? '') ? listCompoundParts(word) : []
  return [{ word: isPrefix ? beginning : word, isPrefix }, ...parts, ...similar]
}

/** The text may name the thing by a part of the compound: `Vertrag` for `Mietvertrag`, or `Umzug` for `Umzugsfirma`. */
function listCompoundParts(word: string): QueryWord[] {
  const tails = listCompoundWordTails(word)
  const heads = tails.map((tail) => word.slice(0, -tail.length).replace(LINKING_LETTER, ''))
  return [
    ...tails.filter((tail) => tail.length >= MIN_TAIL_LENGTH),
    ...heads.filter((head) => head.length >= MIN_HEAD_LENGTH),
  ].map((part) => ({ word: part, isPrefix: false }))
}

/** A stem may end in other letters than the word: `polici` for `policies`. The index has words and no stems. */
function commonBeginning(word: string, stem: string): string {
  let length = 0
  while (length < stem.length && stem[length] === word[length]) length += 1
  return word.slice(0, length)
}

/** A text may write a hyphenated word in one piece. */
function listHyphenatedTerms(text: string, tokens: readonly SearchToken[]): QuestionTerm[] {
  return listHyphenatedWords(text, tokens).map(({ firstTokenIndex, lastTokenIndex, word }) => ({
    words: [{ word, isPrefix: false }],
    weight: 1,
    tokenIndexes: tokens.map((_, i) => i).slice(firstTokenIndex, lastTokenIndex + 1),
    canBeName: false,
  }))
}

function mergeEqualTerms(terms: readonly QuestionTerm[]): QuestionTerm[] {
  const merged = new Map<string, QuestionTerm>()
  for (const term of terms) {
    const key = term.words.map(({ word, isPrefix }) => `${word}${isPrefix ? '*' : ''}`).join(' ')
    const same = merged.get(key)
    merged.set(key, {
      ...term,
      tokenIndexes: [...(same?.tokenIndexes ?? []), ...term.tokenIndexes],
      canBeName: term.canBeName || same?.canBeName === true,
    })
  }
  return [...merged.values()]
}

/** Matches words of the text only: a name of a speaker has the weight B. */
export function toTextTsQuery({ words }: QuestionTerm): string {
  return `(${words.map(({ word, isPrefix }) => `'${word}':${isPrefix ? '*' : ''}ACD`).join(' | ')})`
}

/** Like `toTextTsQuery`, but a word that may be a name also matches the speaker. */
export function toTextOrSpeakerTsQuery(term: QuestionTerm): string {
  if (!term.canBeName) return toTextTsQuery(term)
  return `(${term.words.map(({ word, isPrefix }) => `'${word}'${isPrefix ? ':*' : ''}`).join(' | ')})`
}

/** The terms as those of a search, to find their positions in a text. */
export function toSearchTerms(terms: readonly QuestionTerm[]): SearchTerm[] {
  return terms.flatMap(({ words: [exact, ...others] }) =>
    exact === undefined
      ? []
      : [
          {
            phrases: [[{ words: [exact, ...others], exact, offset: 0, width: widthOf(exact) }]],
            singleWord: null,
            isQuoted: false,
          },
        ],
  )
}

/** A pair of characters covers two tokens of a text. */
function widthOf({ word }: QueryWord): number {
  return tokenize(word).length
}
