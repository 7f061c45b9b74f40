import { setTimeout as sleep } from 'node:timers/promises'
import { ModelFailure } from '../../ai/model.ts'
import { type Recap, type RecapSource, type RecapSummarySentence, MAX_ENTRIES } from '../recap.ts'
import {
  createRecapAnswerChecker,
  type CheckedRecap,
  type RecapAnswerChecker,
  parseRecapAnswer,
  type ParsedRecapAnswer,
  RecapModelAnswer,
  RecapModelSummary,
  UnusableRecapAnswer,
} from './checked-recap.ts'
import {
  divideIntoParts,
  formatMeetingFacts,
  formatPart,
  formatParticipants,
  formatSummaries,
  MAX_PARTS,
  RECAP_MERGE_SYSTEM_PROMPT,
  RECAP_SYSTEM_PROMPT,
} from './model-prompt.ts'
import type { RecapModel, RecapQuestion } from './recap-model.ts'

export type ModelRecap = { recap: Recap; droppedStatements: number }

const MAX_SUMMARY_SENTENCES = 6
/** Delays before retries. Without retries, one failed request would discard the answers about other parts. */
const RETRY_DELAYS_MS = [5_000, 20_000]

export type ModelRecapRequest = {
  model: RecapModel
  meetingId: string
  source: RecapSource
  language: string | null
  signal: AbortSignal
  /** Waits this many milliseconds. Rejects if the signal aborts. */
  pause?(ms: number): Promise<void>
}

/**
 * Makes a recap with a language model: one request, or for a long meeting one for each part and one that combines their
 * summaries. Leaves out parts whose answers cannot be used. Throws `UnusableRecapAnswer` if none can.
 */
export async function createModelRecap(request: ModelRecapRequest): Promise<ModelRecap> {
  const { source, language } = request
  const parts = divideIntoParts(source.segments).slice(0, MAX_PARTS)
  const checker = createRecapAnswerChecker(source)
  const ask = createAsk(request)
  const checked: CheckedRecap[] = []
  let segmentsRead = 0
  let unusable: UnusableRecapAnswer | null = null
  for (const [index, part] of parts.entries()) {
    const answer = await ask({
      system: RECAP_SYSTEM_PROMPT,
      facts: formatMeetingFacts(source, index + 1, parts.length),
      transcript: formatPart(part),
      format: RecapModelAnswer,
    })
    const parsed = tryParseAnswer(answer)
    if (parsed instanceof UnusableRecapAnswer) {
      unusable = parsed
      continue
    }
    checked.push(checker.check(parsed))
    segmentsRead += part.length
  }
  if (checked.length === 0 && unusable !== null) throw unusable
  const summary = await combineSummaries(source, checked, checker, ask)
  if (summary.length === 0) {
    throw new UnusableRecapAnswer('The model cited nothing that was said in the meeting')
  }
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

type Ask = (question: Omit<RecapQuestion, 'participants'>) => Promise<string>

/** Asks the model. After the first answer, a request with a transient failure is sent again. */
function createAsk({ model, meetingId, source, signal, pause }: ModelRecapRequest): Ask {
  const wait = pause ?? ((ms: number) => sleep(ms, undefined, { signal }))
  const participants = formatParticipants(source)
  let hasAnswers = false
  return async (question) => {
    for (let attempt = 0; ; attempt += 1) {
      try {
        const answer = await model.ask(meetingId, { ...question, participants }, signal)
        hasAnswers = true
        return answer
      } catch (error) {
        const mayPass = error instanceof ModelFailure && error.isTransient
        const delayMs = RETRY_DELAYS_MS[attempt]
        if (!hasAnswers || !mayPass || delayMs === undefined) throw error
        await wait(delayMs)
      }
    }
  }
}

function tryParseAnswer(answer: string): ParsedRecapAnswer | UnusableRecapAnswer {
  try {
    return parseRecapAnswer(answer)
  } catch (error) {
    if (error instanceof UnusableRecapAnswer) return error
    throw error
  }
}

/** Combines the parts' summaries with the model or, if its answer cannot be used, takes the parts' first sentences. */
async function combineSummaries(
  source: RecapSource,
  checked: readonly CheckedRecap[],
  checker: RecapAnswerChecker,
  ask: Ask,
): Promise<RecapSummarySentence[]> {
  const summaries = checked.map(({ summary }) => summary).filter(({ length }) => length > 0)
  const [first = [], ...others] = summaries
  if (others.length === 0) return first
  const segments = new Map(source.segments.map((segment) => [segment.number, segment]))
  const answer = await ask({
    system: RECAP_MERGE_SYSTEM_PROMPT,
    facts: formatMeetingFacts(source, 1, 1),
    transcript: formatSummaries(summaries, segments),
    format: RecapModelSummary,
  })
  const parsed = tryParseAnswer(answer)
  const combined = parsed instanceof UnusableRecapAnswer ? [] : checker.check(parsed).summary
  if (combined.length > 0) return combined
  const step = Math.ceil(summaries.length / MAX_SUMMARY_SENTENCES)
  return summaries.filter((_, i) => i % step === 0).flatMap((summary) => summary.slice(0, 1))
}

/** The statements of all parts, in order. */
function joinParts(checked: readonly CheckedRecap[]): Omit<CheckedRecap, 'summary'> {
  return {
    decisions: checked.flatMap(({ decisions }) => decisions).slice(0, MAX_ENTRIES),
    actions: checked.flatMap(({ actions }) => actions).slice(0, MAX_ENTRIES),
    openQuestions: checked.flatMap(({ openQuestions }) => openQuestions).slice(0, MAX_ENTRIES),
    topics: checked.flatMap(({ topics }) => topics).slice(0, MAX_ENTRIES),
  }
}
