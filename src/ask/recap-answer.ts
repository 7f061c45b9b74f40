import { formatSpeakerName, shortenToOneLine } from '../language/clean-text.ts'
import type { CheckedSentence } from './answer.ts'
import type { CitableLines } from './citable-lines.ts'
import type { RecapStatement } from './recap-questions/choose-statements.ts'
import { MAX_STATEMENTS, type FoundStatements } from './recap-questions/find-statements.ts'

/** The statements of recaps that answer a question, as sentences that cite lines. */
export type RecapSentences = {
  sentences: CheckedSentence[]
  /** True if there are more statements than sentences. */
  isShortened: boolean
}

export const NO_RECAP_SENTENCES: RecapSentences = { sentences: [], isShortened: false }

/** How many lines of a statement are cited. */
const MAX_CITATIONS = 3
const MAX_CHARS = 400

export type LinePosition = { meetingId: string; number: number }

/** The lines that the first statements cite, in their order. */
export function listCitedLines(statements: readonly RecapStatement[]): LinePosition[] {
  return statements
    .slice(0, MAX_STATEMENTS)
    .flatMap(({ meetingId, segmentNumbers }) =>
      segmentNumbers.slice(0, MAX_CITATIONS).map((number) => ({ meetingId, number })),
    )
}

/** Leaves out statements whose lines are not among the given ones, such as lines before the time that was asked for. */
export function toRecapSentences(
  { question, statements }: FoundStatements,
  { sources }: Pick<CitableLines, 'sources'>,
): RecapSentences {
  const numbers = new Map<string, number>()
  for (const { lines } of sources)
    for (const { line } of lines) {
      if (line.kind === 'segment')
        numbers.set(`${line.meetingId} ${line.segmentNumber}`, line.number)
    }
  const sentences = statements.slice(0, MAX_STATEMENTS).flatMap((statement) => {
    const citationNumbers = listCitedLines([statement]).flatMap(
      ({ meetingId, number }) => numbers.get(`${meetingId} ${number}`) ?? [],
    )
    if (citationNumbers.length === 0) return []
    return [{ text: formatStatement(statement, question.language.due), citationNumbers }]
  })
  return { sentences, isShortened: statements.length > MAX_STATEMENTS }
}

function formatStatement({ text, person, dueDate }: RecapStatement, due: string): string {
  const said = shortenToOneLine(text, MAX_CHARS)
  const named = person === null || person === '' ? said : `${formatSpeakerName(person)}: ${said}`
  return dueDate === null ? named : `${named} (${due} ${dueDate})`
}
