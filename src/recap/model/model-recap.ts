import type { z } from 'zod'
import type { Recap, RecapSource, RecapSummarySentence } from '../recap.ts'
import { MAX_ENTRIES } from '../recap-limits.ts'
import { createRecapAnswerChecker, type CheckedRecap } from './checked-recap.ts'
import {
  parseRecapAnswer,
  RecapModelAnswer,
  RecapModelSummary,
  UnusableRecapAnswer,
} from './model-answer.ts'
import {
  divideIntoParts,
  formatMeetingFacts,
  formatPart,
  formatParticipants,
  formatSentences,
  MAX_PARTS,
  RECAP_MERGE_SYSTEM_PROMPT,
  RECAP_SYSTEM_PROMPT,
} from './model-prompt.ts'

/** A language model that writes recaps. */
export interface RecapModel {
  readonly name: string
  /** Answers one request about a meeting. Rejects with a ModelFailure, or with the abort reason of the signal. */
  ask(meetingId: string, question: RecapQuestion, signal: AbortSignal): Promise<string>
}

export type RecapQuestion = {
  system: string
  /** What the request is about, in our words. */
  facts: string
  /** Names of the participants. They are data and must be marked as such. */
  participants: string
  /** What people said. It is data too. */
  transcript: string
  format: z.ZodObject
}

export type ModelRecap = { recap: Recap; droppedStatements: number }

const MAX_SUMMARY_SENTENCES = 6

/**
 * Makes a recap with a language model: one request, or for a long meeting one for each part and one that combines their
 * summaries. Throws `UnusableRecapAnswer` if an answer cannot be used.
 */
export async function createModelRecap(
  model: RecapModel,
  meetingId: string,
  source: RecapSource,
  language: string | null,
  signal: AbortSignal,
): Promise<ModelRecap> {
  const parts = divideIntoParts(source.segments).slice(0, MAX_PARTS)
  const checker = createRecapAnswerChecker(source)
  const participants = formatParticipants(source)
  const checked: CheckedRecap[] = []
  for (const [index, part] of parts.entries()) {
    const question = {
      system: RECAP_SYSTEM_PROMPT,
      facts: formatMeetingFacts(source, index + 1, parts.length),
      participants,
      transcript: formatPart(part),
      format: RecapModelAnswer,
    }
    checked.push(checker.check(parseRecapAnswer(await model.ask(meetingId, question, signal))))
  }
  const summaries = checked.flatMap(({ summary }) => summary)
  const mergeSummaries = async (): Promise<RecapSummarySentence[]> => {
    const segments = new Map(source.segments.map((segment) => [segment.number, segment]))
    const question = {
      system: RECAP_MERGE_SYSTEM_PROMPT,
      facts: formatMeetingFacts(source, 1, 1),
      participants,
      transcript: formatSentences(summaries, segments),
      format: RecapModelSummary,
    }
    return checker.check(parseRecapAnswer(await model.ask(meetingId, question, signal))).summary
  }
  const summary = checked.length > 1 ? await mergeSummaries() : summaries
  if (summary.length === 0) {
    throw new UnusableRecapAnswer('The model cited nothing that was said in the meeting')
  }
  const segmentsRead = parts.reduce((sum, part) => sum + part.length, 0)
  return {
    recap: {
      language,
      method: 'model',
      summary: summary.slice(0, MAX_SUMMARY_SENTENCES),
      ...joinParts(checked),
      coverage: { segmentsRead, segmentsTotal: source.segments.length },
    },
    droppedStatements: checker.droppedCount(),
  }
}

/** The statements of all parts in their order. */
function joinParts(checked: readonly CheckedRecap[]): Omit<CheckedRecap, 'summary'> {
  return {
    decisions: checked.flatMap(({ decisions }) => decisions).slice(0, MAX_ENTRIES),
    actions: checked.flatMap(({ actions }) => actions).slice(0, MAX_ENTRIES),
    openQuestions: checked.flatMap(({ openQuestions }) => openQuestions).slice(0, MAX_ENTRIES),
    topics: checked.flatMap(({ topics }) => topics).slice(0, MAX_ENTRIES),
  }
}
