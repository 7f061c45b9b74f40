import { mayUseProject } from '../../../access/project-use.ts'
import type { Viewer } from '../../../access/viewer.ts'
import type { Db } from '../../../db/database.ts'
import type { SpellingCorrections } from '../query.ts'
import { RESULT_KINDS, type ResultKind } from '../search-types.ts'
import { tokenize } from '../words/tokenize.ts'
import {
  countTerms,
  findCandidates,
  weighTerm,
  type CandidateRow,
  type QuestionScope,
  type TermStatistics,
} from './candidate-texts.ts'
import {
  loadNeighbours,
  loadRankedRows,
  type NeighbourText,
  type RankedRow,
} from './load-passages.ts'
import { parseQuestion, type ParsedQuestion, type QuestionTerm } from './question-terms.ts'
import { pickBest, scoreTexts, type CandidateText } from './rank-texts.ts'

export type QuestionRequest = {
  question: string
  /** Restricts the search to these projects. Default: all projects. */
  projects?: readonly string[] | undefined
  /** Restricts the search to the segments of this meeting. */
  meetingId?: string | undefined
  from?: Date | undefined
  to?: Date | undefined
  limit: number
}

/** A segment or passage that may answer a question, with the texts around it. */
export type QuestionPassage = Omit<RankedRow, 'sourceId' | 'sortKey' | 'candidates'> & {
  /** The texts before and after it in the same meeting or document, in order. */
  before: NeighbourText[]
  after: NeighbourText[]
}

/** A result represents the segments up to this distance, which are shown around it. */
const SEGMENTS_PER_RESULT = 2
/** An answer often follows the words of the question. */
const CONTEXT = { before: 2, after: 3 }

type NamedSpeakers = {
  speakers: ReadonlySet<string>
  /** Indexes of the question's tokens that are names of these speakers. */
  tokenIndexes: ReadonlySet<number>
}

type NameMatch = { speaker: string; start: number; length: number }

/** Starts a role or an organisation: `Ana Lima (Finance)`. */
const AFTER_NAME = /[(,|].*$/su
const LOWER_CASE = /^\p{Ll}/u
/** If this share of all speakers has a part of a name, such as a title, that part names nobody. */
const MAX_SHARE_OF_SPEAKERS = 1 / 3

/**
 * Finds the texts that most likely answer a question, best first. They contain any of its words. Rare words have more
 * weight, and words of neighbouring texts and speakers that the question names add to the score.
 */
export async function findPassagesForQuestion(
  db: Db,
  viewer: Viewer,
  { question, limit, ...filters }: QuestionRequest,
  corrections?: SpellingCorrections,
): Promise<QuestionPassage[]> {
  const parsed = await parseQuestion(db, question, corrections)
  const scope = { ...filters, viewer }
  const kinds = scope.meetingId === undefined ? RESULT_KINDS : (['segment'] as const)
  const minDistance = ({ kind }: RankedText) => (kind === 'segment' ? SEGMENTS_PER_RESULT : 0)
  const rows = await findRankedRows(db, parsed, { scope, kinds, limit, minDistance })
  const neighbours = await loadNeighbours(db, rows, CONTEXT)
  return rows.map((row, i) => toQuestionPassage(row, neighbours[i] ?? { before: [], after: [] }))
}

/**
 * Reads segments as passages, in the given order, without the texts around them. Leaves out segments that the viewer may
 * not read.
 */
export async function loadSegmentPassages(
  db: Db,
  viewer: Viewer,
  segments: ReadonlyArray<{ meetingId: string; number: number }>,
): Promise<QuestionPassage[]> {
  const rows = await loadRankedRows(
    db,
    segments.map(({ meetingId: sourceId, number }) => ({
      kind: 'segment' as const,
      sourceId,
      number,
      score: 0,
    })),
  )
  const projects = [...new Set(rows.map(({ project }) => project))]
  const readable = new Set<string>()
  for (const project of projects)
    if (await mayUseProject(db, viewer, 'read', project)) readable.add(project)
  return rows
    .filter(({ project }) => readable.has(project))
    .map((row) => toQuestionPassage(row, { before: [], after: [] }))
}

function toQuestionPassage(
  found: RankedRow,
  { before, after }: Pick<QuestionPassage, 'before' | 'after'>,
): QuestionPassage {
  const { sortKey: _, candidates: __, sourceId: ___, ...row } = found
  return { ...row, before, after }
}

export type RankedText = CandidateText & { kind: ResultKind; at: Date; score: number }

export type RankedRowsRequest = {
  scope: QuestionScope
  kinds: readonly ResultKind[]
  limit: number
  /** How far a result's text reaches in its meeting or document. Closer texts are not separate results. */
  minDistance?: (text: RankedText) => number
}

/** The texts with any of a question's terms, best first. */
export async function findRankedRows(
  db: Db,
  parsed: ParsedQuestion,
  { scope, kinds, limit, minDistance = () => 0 }: RankedRowsRequest,
): Promise<RankedRow[]> {
  const { terms } = parsed
  if (terms.length === 0) return []
  const found = await Promise.all(
    kinds.map(async (kind) => {
      const statistics = await countTerms(db, kind, terms, scope)
      return { kind, statistics, rows: await findCandidates(db, kind, terms, statistics, scope) }
    }),
  )
  const named = findNamedSpeakers(parsed, listSpeakers(found.flatMap(({ rows }) => rows)))
  const termWeights = weighTerms(
    terms,
    found.map(({ statistics }) => statistics),
    named,
  )
  const isOnlyNameAsked =
    named.speakers.size > 0 && terms.every(({ weight }, i) => weight < 1 || termWeights[i] === 0)
  const ranked = found.flatMap(({ kind, statistics: { averageLength }, rows }) => {
    const texts = toCandidateTexts(rows, terms, named)
    const scored = scoreTexts({ kind, texts, termWeights, averageLength, isOnlyNameAsked })
    return scored.map((text) => ({ ...text, kind }))
  })
  return loadRankedRows(db, pickBest(ranked.toSorted(compareRanked), limit, minDistance))
}

function compareRanked(a: RankedText, b: RankedText): number {
  return (
    b.score - a.score ||
    b.at.getTime() - a.at.getTime() ||
    (a.sourceId < b.sourceId ? -1 : a.sourceId > b.sourceId ? 1 : a.number - b.number)
  )
}

function listSpeakers(rows: readonly CandidateRow[]): Set<string> {
  return new Set(rows.flatMap(({ speaker }) => (speaker === null ? [] : [speaker])))
}

/** The inverse document frequency of BM25. The name of a speaker need not occur in the text. */
function weighTerms(
  terms: readonly QuestionTerm[],
  statistics: readonly TermStatistics[],
  { tokenIndexes }: NamedSpeakers,
): number[] {
  const sampleSize = statistics.reduce((sum, { sampleSize: size }) => sum + size, 0)
  return terms.map((term, i) => {
    if (term.tokenIndexes.every((index) => tokenIndexes.has(index))) return 0
    const count = statistics.reduce((sum, { counts }) => sum + (counts[i] ?? 0), 0)
    return weighTerm(term, count, sampleSize)
  })
}

function toCandidateTexts(
  rows: readonly CandidateRow[],
  terms: readonly QuestionTerm[],
  { speakers }: NamedSpeakers,
): Array<CandidateText & { at: Date }> {
  const titleBits = new Map<string, number>()
  return rows.map(({ sourceId, number, speaker, at, title, length, termBits }) => {
    const titleTermBits = titleBits.get(title) ?? findTermBits(title, terms)
    titleBits.set(title, titleTermBits)
    const isNamedSpeaker = speaker !== null && speakers.has(speaker)
    return { sourceId, number, at, length, termBits, titleTermBits, isNamedSpeaker }
  })
}

/** One bit for each term that a short text contains. */
function findTermBits(text: string, terms: readonly QuestionTerm[]): number {
  const tokens = tokenize(text).map(({ word }) => word)
  let bits = 0
  for (const [i, { words }] of terms.entries()) {
    const isFound = words.some(({ word, isPrefix }) =>
      tokens.some((token) => (isPrefix ? token.startsWith(word) : token === word)),
    )
    if (isFound) bits |= 1 << i
  }
  return bits
}

/**
 * The speakers that a question names, by their whole name or by a part of it that begins with a capital letter. A
 * longer match wins: `Ben Okri` names one of two Bens. A whole name of several words needs no capital letter.
 */
function findNamedSpeakers(
  { text, tokens }: ParsedQuestion,
  speakers: ReadonlySet<string>,
): NamedSpeakers {
  const words = tokens.map(({ word }) => word)
  const canBeName = tokens.map(({ start }) => !LOWER_CASE.test(text.slice(start)))
  const matches = Array.from(speakers, (speaker) => findLongestMatch(words, canBeName, speaker))
    .filter((match) => match !== null)
    .toSorted((a, b) => b.length - a.length)
  const named = new Set<string>()
  const tokenIndexes = new Set<number>()
  const maxNamed = Math.max(1, speakers.size * MAX_SHARE_OF_SPEAKERS)
  for (const match of matches) {
    const { start, length, speaker } = match
    const isInLonger = matches.some((other) => other.length > length && contains(other, match))
    const equals = matches.filter((other) => other.start === start && other.length === length)
    if (isInLonger || equals.length > maxNamed) continue
    named.add(speaker)
    for (let i = 0; i < length; i += 1) tokenIndexes.add(start + i)
  }
  return { speakers: named, tokenIndexes }
}

function contains(outer: NameMatch, inner: NameMatch): boolean {
  return outer.start <= inner.start && outer.start + outer.length >= inner.start + inner.length
}

/** The longest sequence of words in the question that is also a sequence in the name. */
function findLongestMatch(
  words: readonly string[],
  canBeName: readonly boolean[],
  speaker: string,
): NameMatch | null {
  const name = tokenize(speaker.replace(AFTER_NAME, ''))
  let best: NameMatch | null = null
  for (const [start] of words.entries()) {
    for (const [from] of name.entries()) {
      let length = 0
      while (from + length < name.length && words[start + length] === name[from + length]?.word)
        length += 1
      const isWholeName = length >= 2 && length === name.length
      if (canBeName[start] !== true && !isWholeName) continue
      // Every question begins with a capital letter, and a single character of a script without spaces is not a name.
      const isEnough =
        length >= 2 ||
        (length === 1 && name[from]?.isUnspaced === false && (start > 0 || name.length === 1))
      if (isEnough && length > (best?.length ?? 0)) best = { speaker, start, length }
    }
  }
  return best
}
