import type { CalendarDay } from '../../language/due-date.ts'
import { foldText, stopWordsOf, toPlainLine } from '../../language/words.ts'
import { findPeriod, type Period } from './find-period.ts'
import { QUESTION_LANGUAGES, type QuestionLanguage } from './question-languages.ts'

export const STATEMENT_KINDS = ['decision', 'action', 'question'] as const
/** What a recap lists: decisions, action items and open questions. */
export type StatementKind = (typeof STATEMENT_KINDS)[number]

/** A question about what recaps list. */
export type RecapQuestion = {
  kinds: ReadonlySet<StatementKind>
  language: QuestionLanguage
  /** Null if the question names no time. */
  period: Period | null
  /** True if the person who asks means their own action items. */
  isAboutCaller: boolean
  /** The question on one line, and its folded text in which spaces replace what was understood. Equally long. */
  text: string
  rest: string
}

/** Longer questions are about more than what a recap lists. */
const MAX_CHARS = 300
/** What French attaches to the next word, which may be a name: "qu'Ada". */
const FRENCH_ELISION = /\b(?:qu|[cdjlmnst])'(?=\p{L})/gu
const WORD = /[\p{L}\p{N}][\p{L}\p{N}\p{M}'-]*/gu

/** Understands a question about decisions, action items or open questions; null for other questions. */
export function parseRecapQuestion(question: string, today: CalendarDay): RecapQuestion | null {
  const text = toPlainLine(question)
  if (text.length > MAX_CHARS) return null
  const folded = foldText(text).replaceAll(FRENCH_ELISION, (letters) => ' '.repeat(letters.length))
  if (QUESTION_LANGUAGES.some(({ why }) => why.test(folded))) return null
  const understood = QUESTION_LANGUAGES.flatMap((language) => {
    const { kinds, rest } = findKinds(folded, language)
    if (kinds.size === 0) return []
    return [{ language, kinds, rest, score: countKnownWords(folded, language) }]
  })
  const [best] = understood.toSorted((a, b) => b.score - a.score)
  if (best === undefined) return null
  const { language, kinds } = best
  const period = findPeriod(folded, language.period, today)
  return {
    kinds,
    language,
    period,
    isAboutCaller: language.caller.test(folded),
    text,
    rest: period === null ? best.rest : blank(best.rest, period.start, period.end),
  }
}

function findKinds(
  folded: string,
  { questions, decisions, actions }: QuestionLanguage,
): { kinds: Set<StatementKind>; rest: string } {
  const kinds = new Set<StatementKind>()
  let rest = folded
  const patterns = [
    ['question', questions],
    ['decision', decisions],
    ['action', actions],
  ] as const
  for (const [kind, pattern] of patterns) {
    // A phrase may contain words of another kind, so it is removed before the next kind is looked for.
    const match = pattern.exec(rest)
    if (match === null) continue
    kinds.add(kind)
    const end = match.index + match[0].length
    const [gapStart, gapEnd] = match.indices?.groups?.['gap'] ?? [end, end]
    rest = blank(blank(rest, match.index, gapStart), gapEnd, end)
  }
  return { kinds, rest }
}

function blank(text: string, start: number, end: number): string {
  return text.slice(0, start) + ' '.repeat(end - start) + text.slice(end)
}

/** How many words of the question belong to the language, because related languages share words of the patterns. */
function countKnownWords(folded: string, { tag, fillers }: QuestionLanguage): number {
  const stopWords = stopWordsOf(tag)
  return (folded.match(WORD) ?? []).filter((word) => stopWords.has(word) || fillers.has(word))
    .length
}
