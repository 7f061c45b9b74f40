import { z } from 'zod'
import { shortenToOneLine } from '../../language/clean-text.ts'
import { tryParseJson } from '../../lib/text/try-parse-json.ts'
import { separateUnspacedCharacters, UNSPACED_CHARACTER } from '../../lib/text/words.ts'
import {
  type Recap,
  type RecapAction,
  type RecapSegment,
  type RecapSource,
  type RecapStatement,
  type RecapSummarySentence,
  type RecapTopic,
  MAX_DUE_CHARS,
  MAX_ENTRIES,
  MAX_TEXT_CHARS,
  MAX_CITATIONS,
} from '../recap.ts'
import { createPeopleFinder } from '../../language/people.ts'

const MAX_TITLE_CHARS = 80

/** Checks if a model's quotations are in the segments that it cites. */
interface QuotationChecker {
  /** Returns the cited segments, in increasing order, if they contain the quotation; otherwise null. */
  findCited(segmentNumbers: readonly number[], quote: string): RecapSegment[] | null
  /** True if the text of these segments contains the words. */
  isSaidIn(segments: readonly RecapSegment[], words: string): boolean
}

/** A quotation of fewer words proves little, unless the segments have no more. */
const MIN_QUOTED_WORDS = 3
/** In a script without spaces, about this many characters form a word. */
const UNSPACED_CHARACTERS_PER_WORD = 2

/** Words are equal if their first letters are, so that different endings do not matter. */
const WORD_START_LENGTH = 5
/** Shorter words are mostly articles. They are used only if there are no others, as in "API". */
const MIN_WORD_LENGTH = 4

const citation = {
  segmentNumbers: z.array(z.number()).describe('Numbers of the lines it is based on'),
  quote: z.string().describe('Words of these lines, copied exactly'),
}
const statement = z.object({ text: z.string(), ...citation })

/**
 * The answer format sent to the model. It has no limits for lengths and numbers, because several providers refuse
 * schemas with limits. The prompt names the same fields.
 */
export const RecapModelAnswer = z.object({
  summary: z.array(statement),
  decisions: z.array(statement),
  actions: z.array(
    z.object({
      text: z.string(),
      owner: z.string().describe('Empty when nobody was named'),
      dueText: z.string().describe('Empty when no time was said'),
      dueDate: z.string().describe('As 2026-11-18; empty when no time was said'),
      ...citation,
    }),
  ),
  openQuestions: z.array(statement),
  topics: z.array(
    z.object({
      title: z.string(),
      firstSegmentNumber: z.number(),
      lastSegmentNumber: z.number(),
    }),
  ),
})

/** The answer format of the second request for a long meeting, which combines its parts. */
export const RecapModelSummary = z.object({ summary: z.array(statement) })

const citedNumbers = z.array(z.int().min(1)).min(1).max(MAX_CITATIONS)
const ModelStatement = z.object({
  text: z.string().trim().min(1),
  segmentNumbers: citedNumbers,
  quote: z.string().trim().min(1),
})
const ModelAction = ModelStatement.extend({
  owner: z.string().nullish(),
  dueText: z.string().nullish(),
  dueDate: z.string().nullish(),
})
const ModelTopic = z.object({
  title: z.string().trim().min(1),
  firstSegmentNumber: z.int().min(1),
  lastSegmentNumber: z.int().min(1),
})

type ModelStatement = z.output<typeof ModelStatement>
type ModelAction = z.output<typeof ModelAction>
type ModelTopic = z.output<typeof ModelTopic>

/** The usable entries of an answer. Each is validated separately, so that an invalid entry does not discard others. */
export type ParsedRecapAnswer = {
  summary: ModelStatement[]
  decisions: ModelStatement[]
  actions: ModelAction[]
  openQuestions: ModelStatement[]
  topics: ModelTopic[]
  invalidCount: number
}

/** The model's answer could not be used. The message contains nothing from the answer. */
export class UnusableRecapAnswer extends Error {
  override readonly name = 'UnusableRecapAnswer'
}

const list = z.array(z.unknown()).default([])
const UncheckedAnswer = z.object({
  summary: z.array(z.unknown()),
  decisions: list,
  actions: list,
  openQuestions: list,
  topics: list,
})

const CalendarDate = z.iso.date()

/** What a model said about a meeting or a part of it, after all quotations were checked. */
export type CheckedRecap = Pick<
  Recap,
  'summary' | 'decisions' | 'actions' | 'openQuestions' | 'topics'
>

/** Accepts what a model says about a meeting, as far as the transcript proves it. */
export interface RecapAnswerChecker {
  check(answer: ParsedRecapAnswer): CheckedRecap
  /** How many statements and topics were dropped so far, because the cited segments do not prove them. */
  droppedCount(): number
}

export function createRecapAnswerChecker(source: RecapSource): RecapAnswerChecker {
  const quotations = createQuotationChecker(source.segments)
  const byNumber = new Map(source.segments.map((segment) => [segment.number, segment]))
  const people = createPeopleFinder([
    ...source.participants,
    ...source.segments.map(({ speaker }) => speaker),
  ])
  let dropped = 0

  const checkAll = <Entry extends ModelStatement, Checked>(
    entries: readonly Entry[],
    convert: (entry: Entry, cited: RecapSegment[]) => Checked,
  ): Checked[] =>
    entries.slice(0, MAX_ENTRIES).flatMap((entry) => {
      const cited = quotations.findCited(entry.segmentNumbers, entry.quote)
      if (cited === null) dropped += 1
      return cited === null ? [] : [convert(entry, cited)]
    })
  const toAction = (action: ModelAction, cited: RecapSegment[]): RecapAction => {
    const dueText = action.dueText?.trim() ?? ''
    const isDueSaid = quotations.isSaidIn(cited, dueText)
    const dueDate = CalendarDate.safeParse(action.dueDate).data ?? null
    return {
      ...toSentence(action, cited),
      owner: people.findByName(action.owner?.trim() ?? ''),
      dueText: isDueSaid ? shortenToOneLine(dueText, MAX_DUE_CHARS) : null,
      dueDate: isDueSaid ? dueDate : null,
    }
  }
  return {
    check: (answer) => {
      dropped += answer.invalidCount
      return {
        summary: checkAll(answer.summary, toSentence),
        decisions: checkAll(answer.decisions, toStatement),
        actions: checkAll(answer.actions, toAction),
        openQuestions: checkAll(answer.openQuestions, toStatement),
        topics: answer.topics.slice(0, MAX_ENTRIES).flatMap((topic) => {
          const checked = toTopic(topic, source.segments, byNumber)
          if (checked === null) dropped += 1
          return checked ?? []
        }),
      }
    },
    droppedCount: () => dropped,
  }
}

function toSentence({ text }: ModelStatement, cited: RecapSegment[]): RecapSummarySentence {
  return {
    text: shortenToOneLine(text, MAX_TEXT_CHARS),
    segmentNumbers: cited.map(({ number }) => number),
  }
}

function toStatement(statement: ModelStatement, cited: RecapSegment[]): RecapStatement {
  const speaker = cited[0]?.speaker ?? ''
  return { ...toSentence(statement, cited), speaker: speaker === '' ? null : speaker }
}

/** A topic has no quotation, so at least one word of its title must have been said in it; otherwise null. */
function toTopic(
  { title, firstSegmentNumber, lastSegmentNumber }: ModelTopic,
  segments: readonly RecapSegment[],
  byNumber: ReadonlyMap<number, RecapSegment>,
): RecapTopic | null {
  const [first, last] = [byNumber.get(firstSegmentNumber), byNumber.get(lastSegmentNumber)]
  if (first === undefined || last === undefined || last.endMs < first.startMs) return null
  const said = segments.slice(segments.indexOf(first), segments.indexOf(last) + 1)
  if (!isAnyWordSaid(title, said)) return null
  return {
    title: shortenToOneLine(title, MAX_TITLE_CHARS),
    startMs: first.startMs,
    endMs: last.endMs,
    firstSegmentNumber,
    lastSegmentNumber,
  }
}

export function createQuotationChecker(segments: readonly RecapSegment[]): QuotationChecker {
  const byNumber = new Map(segments.map((segment) => [segment.number, segment]))
  // Cached, because an answer may cite each segment hundreds of times.
  const saidIn = new Map<RecapSegment, { words: string; count: number }>()
  const readSaid = (segment: RecapSegment) => {
    const known = saidIn.get(segment)
    if (known !== undefined) return known
    const words = normalizeQuotation(segment.text)
    const said = { words, count: countWords(words) }
    saidIn.set(segment, said)
    return said
  }
  const wordsOf = (cited: readonly RecapSegment[]) =>
    cited
      .map((segment) => readSaid(segment).words)
      .filter((words) => words !== '')
      .join(' ')
  return {
    findCited(segmentNumbers, quote) {
      const numbers = [...new Set(segmentNumbers)].toSorted((a, b) => a - b)
      const cited = numbers.flatMap((number) => byNumber.get(number) ?? [])
      if (cited.length === 0 || cited.length < numbers.length) return null
      const quoted = normalizeQuotation(quote)
      const saidCount = cited.reduce((sum, segment) => sum + readSaid(segment).count, 0)
      const minWords = Math.min(MIN_QUOTED_WORDS, saidCount)
      return countWords(quoted) >= minWords && hasWords(wordsOf(cited), quoted) ? cited : null
    },
    isSaidIn: (cited, words) => hasWords(wordsOf(cited), normalizeQuotation(words)),
  }
}

/**
 * True if one of the words, or a similar form of it, was said in these segments. In a script without spaces, two
 * neighbouring characters are treated as a word.
 */
export function isAnyWordSaid(words: string, segments: readonly RecapSegment[]): boolean {
  const all = normalizeWords(words)
    .split(' ')
    .filter((word) => word.length > 1)
  const long = all.filter((word) => word.length >= MIN_WORD_LENGTH || UNSPACED_CHARACTER.test(word))
  const starts = (long.length > 0 ? long : all).flatMap((word) =>
    UNSPACED_CHARACTER.test(word)
      ? Array.from(word, (_, i) => word.slice(i, i + 2)).slice(0, -1)
      : [` ${word.slice(0, WORD_START_LENGTH)}`],
  )
  return segments.some(({ text }) => {
    const said = ` ${normalizeWords(text)}`
    return starts.some((start) => said.includes(start))
  })
}

function hasWords(text: string, words: string): boolean {
  return words !== '' && ` ${text} `.includes(` ${words} `)
}

function countWords(normalized: string): number {
  if (normalized === '') return 0
  const words = normalized.split(' ')
  const unspaced = words.filter((word) => UNSPACED_CHARACTER.test(word)).length
  return words.length - unspaced + unspaced / UNSPACED_CHARACTERS_PER_WORD
}

/** Like `normalizeWords`, but in scripts without spaces each character is a word, so that any part can be quoted. */
function normalizeQuotation(text: string): string {
  return separateUnspacedCharacters(normalizeWords(text)).replace(/ +/g, ' ').trim()
}

/** Words in lower case without punctuation, separated by single spaces. */
function normalizeWords(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}]+/gu, ' ')
    .trim()
}

export function parseRecapAnswer(text: string): ParsedRecapAnswer {
  // Models often put other text before and after the JSON.
  const json = tryParseJson(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1))
  if (json === undefined) throw new UnusableRecapAnswer('The answer of the model is not JSON')
  const answer = UncheckedAnswer.safeParse(json)
  if (!answer.success) {
    throw new UnusableRecapAnswer('The answer of the model has missing or wrong fields')
  }
  let invalidCount = 0
  const validOf = <Entry>(entries: readonly unknown[], schema: z.ZodType<Entry>): Entry[] =>
    entries.flatMap((entry) => {
      const parsed = schema.safeParse(entry)
      if (!parsed.success) invalidCount += 1
      return parsed.success ? [parsed.data] : []
    })
  const { summary, decisions, actions, openQuestions, topics } = answer.data
  const valid = {
    summary: validOf(summary, ModelStatement),
    decisions: validOf(decisions, ModelStatement),
    actions: validOf(actions, ModelAction),
    openQuestions: validOf(openQuestions, ModelStatement),
    topics: validOf(topics, ModelTopic),
  }
  return { ...valid, invalidCount }
}
