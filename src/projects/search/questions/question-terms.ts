import { sql } from 'kysely'
import type { Db } from '../../../db/database.ts'
import type { SearchTerm, SpellingCorrections } from '../query.ts'
import {
  listHyphenatedWords,
  startsUnspacedPair,
  canMatchAsPrefix,
  toQueryWords,
  type QueryWord,
  isKoreanWord,
} from '../words/lexemes.ts'
import { listCompoundWordTails, tokenize, type SearchToken } from '../words/tokenize.ts'

/** Something that a question asks about. A text matches if it contains one of the words. */
export type QuestionTerm = {
  words: readonly QueryWord[]
  /** How much the term says about the subject of the question, from 0 to 1. */
  weight: number
  /** Indexes of the question's tokens that the term represents. */
  tokenIndexes: readonly number[]
  /** False for a word in lower case, because it cannot be a speaker's name. */
  canBeName: boolean
}

export type ParsedQuestion = {
  text: string
  tokens: readonly SearchToken[]
  terms: readonly QuestionTerm[]
}

/** Longer questions are cut. The limits bound the cost of a hostile question. */
const MAX_LENGTH = 2_000
const MAX_TOKENS = 100
const MAX_TERMS = 24
const WEAK_WORD_WEIGHT = 0.2
const COMPOUNDING_LANGUAGES = new Set(['german', 'dutch', 'swedish', 'norwegian', 'danish'])
const LINKING_LETTER = /s$/
/** Shorter parts are often not words. */
const MIN_TAIL_LENGTH = 5
const MIN_HEAD_LENGTH = 4
const LOWER_CASE = /^\p{Ll}/u

/** A word of a question in lower case: as written, and without accents, as in the index. */
type WrittenWord = { written: string; folded: string }
type RecognisedWord = { isStopWord: boolean; stem: string | null }
type RecognisedLanguage = {
  /** The name of the language in PostgreSQL; null if the question has no stop word of any language. */
  language: string | null
  /** One entry for each word of the question. */
  words: RecognisedWord[]
}

/** The languages for which PostgreSQL has stop words and a stemmer. The more common of similar ones is first. */
const LANGUAGES = [
  'english',
  'german',
  'french',
  'spanish',
  'portuguese',
  'italian',
  'dutch',
  'russian',
  'swedish',
  'norwegian',
  'danish',
  'finnish',
  'hungarian',
  'turkish',
  'nepali',
]

/**
 * Words that are only part of asking and say little about the subject: how something was said, and by which group. They
 * are beginnings of words without accents. Stop words come from PostgreSQL's dictionary of the language.
 */
const WEAK_WORDS_BY_LANGUAGE: Readonly<Record<string, RegExp>> = {
  english:
    /^(?:summari|discuss|think$|thinks$|thinking$|thought|say$|says$|said$|saying$|talk|opinion|view|mention|accord|describ|explain|tell$|tells$|told$|meeting|group|team|participant|would$|could$|might$|also$|us$)/,
  german:
    /^(?:zusammenfass|besprech|besprochen|diskut|diskussion|denk|dacht|sagt|sagen|gesagt|sprech|gesprochen|meinung|meint|erwahn|beschreib|erklar|erzahl|sitzung|treffen|meeting|gruppe|team|teilnehm|wurde)/,
  french:
    /^(?:resum|discut|discuss|pens|dit$|dire$|dis$|parl|opinion|avis$|mention|decri|expliqu|racont|reunion|groupe|equipe|participant)/,
  spanish:
    /^(?:resum|discut|discusi|piens|pens|dijo|dicho|dice|decir|habl|opini|mencion|describ|explic|cont[oa]$|reunion|grupo|equipo|participante)/,
  portuguese:
    /^(?:resum|discut|discuss|pens|disse|dito|diz$|dizer|fal[aoe]|opini|mencion|descrev|explic|cont[oa]u?$|reuniao|reunioes|grupo|equipa|equipe|participante)/,
  italian:
    /^(?:riassum|discu|pens|dett[oi]$|dice|dire$|disse|parl|opinion|menzion|descriv|spieg|raccont|riunion|gruppo|squadra|partecipant)/,
  dutch:
    /^(?:samenvat|besprek|besproken|discuss|denk|dacht|zeg|zei$|gezegd|praat|gepraat|mening|noem|genoemd|beschrij|leg$|uitleg|vergader|groep|team|deelnem)/,
}
/** Question words that PostgreSQL's stop words lack. Without accents. */
const ASKING_WORDS_BY_LANGUAGE: Readonly<Record<string, ReadonlySet<string>>> = listByLanguage({
  english: 'whose much many would could might may us also ever',
  german:
    'wer wen wem wessen wann warum wieso weshalb womit wofur wodurch woran worauf woruber wovon wozu wohin woher wieviel viel viele vielen gibt gab wurde wurden worden',
  french:
    'quand comment pourquoi combien quel quelle quels quelles lequel laquelle ou quoi va vont',
  spanish:
    'cuando cuanto cuanta cuantos cuantas cual cuales quien quienes como donde porque hay va',
  portuguese:
    'quando quanto quanta quantos quantas qual quais quem como onde porque ha vai vao e sao',
  italian: 'quando quanto quanta quanti quante quale quali chi come dove perche',
  dutch: 'wie wat wanneer waarom hoe hoeveel welke waar waarmee waarover',
})

/** Japanese writes its function words in Hiragana, so a pair of characters in Hiragana alone says little. */
const HIRAGANA_ONLY = /^\p{Script=Hiragana}+$/u
/** Frequent pairs in Chinese questions, and characters for function words. */
const CHINESE_SMALL_WORDS =
  /^(?:什么|什麼|怎么|怎麼|为什|為什|哪些|哪个|我们|我們|他们|他們|你们|如何|多少|是否|有没|没有|关于|關於)$|[的了吗嗎呢吧么麼们們]/u

/** Splits a question into terms, without stop words and with other forms of each word. There are no operators. */
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

/** A character of a script without spaces, with the next one. The last one in a row is part of the pair before it. */
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

/** A text may use only part of a compound: `Vertrag` for `Mietvertrag`, or `Umzug` for `Umzugsfirma`. */
function listCompoundParts(word: string): QueryWord[] {
  const tails = listCompoundWordTails(word)
  const heads = tails.map((tail) => word.slice(0, -tail.length).replace(LINKING_LETTER, ''))
  return [
    ...tails.filter((tail) => tail.length >= MIN_TAIL_LENGTH),
    ...heads.filter((head) => head.length >= MIN_HEAD_LENGTH),
  ].map((part) => ({ word: part, isPrefix: false }))
}

/** A stem may end in other letters than the word: `polici` for `policies`. The index has words, not stems. */
function commonBeginning(word: string, stem: string): string {
  let length = 0
  while (length < stem.length && stem[length] === word[length]) length += 1
  return word.slice(0, length)
}

/** A text may write a hyphenated word as one word. */
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

/** Matches only words of the text. Speakers' names have weight B. */
export function toTextTsQuery({ words }: QuestionTerm): string {
  return `(${words.map(({ word, isPrefix }) => `'${word}':${isPrefix ? '*' : ''}ACD`).join(' | ')})`
}

/** Like `toTextTsQuery`, but a word that may be a name also matches the speaker. */
export function toTextOrSpeakerTsQuery(term: QuestionTerm): string {
  if (!term.canBeName) return toTextTsQuery(term)
  return `(${term.words.map(({ word, isPrefix }) => `'${word}'${isPrefix ? ':*' : ''}`).join(' | ')})`
}

/** Converts the terms to search terms, to find their positions in a text. */
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

/**
 * Recognizes the language with the most stop words among the question's words, and finds stop words and stems in that
 * language. The searched text may still be in another language.
 */
async function recogniseLanguage(
  db: Db,
  words: readonly WrittenWord[],
): Promise<RecognisedLanguage> {
  const { rows } = await sql<{ language: string; words: RecognisedWord[] }>`
    select l.language, json_agg(json_build_object(
      'isStopWord', '{}' in (ts_lexize(d.oid::regdictionary, w.written), ts_lexize(d.oid::regdictionary, w.folded)),
      'stem', (ts_lexize(d.oid::regdictionary, w.folded))[1]) order by w.position) as words
    from unnest(${LANGUAGES}::text[]) as l(language)
      join pg_catalog.pg_ts_dict d on d.dictname = l.language || '_stem'
        and d.dictnamespace = 'pg_catalog'::regnamespace,
      unnest(${words.map(({ written }) => written)}::text[], ${words.map(({ folded }) => folded)}::text[])
        with ordinality as w(written, folded, position)
    group by l.language`.execute(db)
  const [best] = rows
    .map((row) => ({
      ...row,
      words: row.words.map((word, i) => addAskingWord(word, words[i], row)),
    }))
    .map((row) => ({ ...row, count: row.words.filter(({ isStopWord }) => isStopWord).length }))
    .filter(({ count }) => count > 0)
    .toSorted(
      (a, b) => b.count - a.count || LANGUAGES.indexOf(a.language) - LANGUAGES.indexOf(b.language),
    )
  if (best !== undefined) return best
  return { language: null, words: words.map(() => ({ isStopWord: false, stem: null })) }
}

function addAskingWord(
  recognised: RecognisedWord,
  word: WrittenWord | undefined,
  { language }: { language: string },
): RecognisedWord {
  const isAsking = word !== undefined && isAskingWord(word.folded, language)
  return isAsking ? { ...recognised, isStopWord: true } : recognised
}

function listByLanguage(words: Record<string, string>): Record<string, ReadonlySet<string>> {
  return Object.fromEntries(
    Object.entries(words).map(([language, list]) => [language, new Set(list.split(' '))]),
  )
}

function isAskingWord(word: string, language: string): boolean {
  return ASKING_WORDS_BY_LANGUAGE[language]?.has(word) === true
}

function isWeakWord(word: string, language: string | null): boolean {
  return language !== null && WEAK_WORDS_BY_LANGUAGE[language]?.test(word) === true
}

/** True if characters of a script without spaces are only function words. */
function isUnspacedStopWord(characters: string): boolean {
  return HIRAGANA_ONLY.test(characters) || CHINESE_SMALL_WORDS.test(characters)
}
