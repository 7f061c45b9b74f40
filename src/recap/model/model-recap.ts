import { setTimeout as sleep } from 'node:timers/promises'
import { ModelFailure } from '../../ai/model.ts'
import { findOtherLanguage } from '../../language/detect-language.ts'
import { baseLanguageOf, languageNameOf } from '../../lib/text/language-tag.ts'
import { type Recap, type RecapSource, type RecapSummarySentence, MAX_ENTRIES } from '../recap.ts'
import { applySections, DEFAULT_TEMPLATE, RECAP_SECTIONS, type RecapTemplate } from '../template.ts'
import {
  createRecapAnswerChecker,
  type CheckedRecap,
  type RecapAnswerChecker,
} from './checked-recap.ts'
import {
  divideIntoParts,
  formatLanguageReminder,
  formatMeetingFacts,
  formatMergeRules,
  formatPart,
  formatParticipants,
  formatRecapRules,
  formatSummaries,
  MAX_PARTS,
} from './model-prompt.ts'
import {
  createAnswerFormat,
  parseRecapAnswer,
  type ParsedRecapAnswer,
  RecapModelSummary,
  UnusableRecapAnswer,
} from './recap-answer.ts'
import type { RecapModel, RecapQuestion } from './recap-model.ts'

export type ModelRecap = {
  recap: Recap
  droppedStatements: number
  /** That the model wrote in another language than it was asked to. Null if it did not. */
  languageProblem: string | null
}

const MAX_SUMMARY_SENTENCES = 6
/** Delays before retries. Without retries, one failed request would discard the answers about other parts. */
const RETRY_DELAYS_MS = [5_000, 20_000]

export type ModelRecapRequest = {
  model: RecapModel
  meetingId: string
  source: RecapSource
  /** The language of the meeting. Null if unknown. */
  language: string | null
  template?: RecapTemplate
  /** Replaces the rules for the model, to try others. */
  systemPrompt?: string
  signal: AbortSignal
  /** Waits this many milliseconds. Rejects if the signal aborts. */
  pause?(ms: number): Promise<void>
}

/**
 * Makes a recap with a language model: one request, or for a long meeting one for each part and one that combines their
 * summaries. Leaves out parts whose answers cannot be used. Throws `UnusableRecapAnswer` if none can.
 */
export async function createModelRecap(request: ModelRecapRequest): Promise<ModelRecap> {
  const { source, language, template = DEFAULT_TEMPLATE } = request
  const { sections } = template
  const parts = divideIntoParts(source.segments).slice(0, MAX_PARTS)
  const expected = findExpectedLanguage(template, language)
  const checker = createRecapAnswerChecker(source, expected !== language)
  const ask = createLanguageCheckedAsk(createAsk(request), expected)
  const rules = {
    sections,
    language: template.language,
    hasInstructions: template.instructions !== '',
  }
  const checked: CheckedRecap[] = []
  let segmentsRead = 0
  let unusable: UnusableRecapAnswer | null = null
  for (const [index, part] of parts.entries()) {
    const answer = await ask({
      system: request.systemPrompt ?? formatRecapRules(rules),
      facts: formatMeetingFacts(source, index + 1, parts.length),
      transcript: formatPart(part),
      format: createAnswerFormat(sections),
    })
    if (answer instanceof UnusableRecapAnswer) {
      unusable = answer
      continue
    }
    checked.push(checker.check(answer))
    segmentsRead += part.length
  }
  if (checked.length === 0 && unusable !== null) throw unusable
  const { title, summary } = await combineSummaries(source, checked, checker, (question) =>
    ask({ ...question, system: formatMergeRules(rules), format: RecapModelSummary }),
  )
  const recap = applySections(
    {
      language,
      method: 'model',
      title,
      summary: summary.slice(0, MAX_SUMMARY_SENTENCES),
      ...joinParts(checked),
      coverage: { segmentsRead, segmentsTotal: source.segments.length },
    },
    template,
  )
  requireContent(recap)
  const other = expected === null ? null : findOtherLanguage(joinTexts(recap), expected)
  return {
    recap: { ...recap, writtenLanguage: other ?? template.language ?? language },
    droppedStatements: checker.droppedCount(),
    languageProblem:
      other === null || expected === null ? null : describeLanguageProblem(other, expected),
  }
}

/** The language that the texts should be in, without its region. Null if it is not known. */
function findExpectedLanguage(template: RecapTemplate, meeting: string | null): string | null {
  return template.language === null ? meeting : baseLanguageOf(template.language)
}

function describeLanguageProblem(found: string, expected: string): string {
  const [is, should] = [languageNameOf(found), languageNameOf(expected)]
  return `The language model wrote this recap in ${is} instead of ${should}, even when it was asked again`
}

/** Without a summary, a recap is accepted only if it need not have one. */
function requireContent(recap: Recap): void {
  const needed =
    recap.sections?.includes('summary') === true ? ['summary' as const] : RECAP_SECTIONS
  if (needed.some((section) => recap[section].length > 0)) return
  throw new UnusableRecapAnswer('The model cited nothing that was said in the meeting')
}

type Ask = (question: Omit<RecapQuestion, 'participants' | 'instructions'>) => Promise<string>
type AskAndParse = (
  question: Parameters<Ask>[0],
) => Promise<ParsedRecapAnswer | UnusableRecapAnswer>

/** Asks the model. After the first answer, a request with a transient failure is sent again. */
function createAsk({ model, meetingId, source, template, signal, pause }: ModelRecapRequest): Ask {
  const wait = pause ?? ((ms: number) => sleep(ms, undefined, { signal }))
  const { instructions } = template ?? DEFAULT_TEMPLATE
  const about = { participants: formatParticipants(source), instructions }
  let hasAnswers = false
  return async (question) => {
    for (let attempt = 0; ; attempt += 1) {
      try {
        const answer = await model.ask(meetingId, { ...question, ...about }, signal)
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

/**
 * Asks again, once in a recap, if an answer is in another language than expected. All later requests name the language,
 * too. If the second request fails, the first answer is used.
 */
function createLanguageCheckedAsk(ask: Ask, expected: string | null): AskAndParse {
  let reminder = ''
  return async (question) => {
    const answer = tryParseAnswer(await ask({ ...question, facts: question.facts + reminder }))
    if (reminder !== '' || expected === null || answer instanceof UnusableRecapAnswer) return answer
    const found = findOtherLanguage(joinTexts(answer), expected)
    if (found === null) return answer
    reminder = `\n${formatLanguageReminder(found, expected)}`
    try {
      const second = tryParseAnswer(await ask({ ...question, facts: question.facts + reminder }))
      return second instanceof UnusableRecapAnswer ? answer : second
    } catch (error) {
      if (error instanceof ModelFailure) return answer
      throw error
    }
  }
}

/** What the model wrote in its own words. */
function joinTexts({
  summary,
  decisions,
  actions,
  openQuestions,
}: Record<
  'summary' | 'decisions' | 'actions' | 'openQuestions',
  ReadonlyArray<{ text: string }>
>): string {
  const texts = [...summary, ...decisions, ...actions, ...openQuestions].map(({ text }) => text)
  return texts.join('\n')
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
  ask: (
    question: Pick<RecapQuestion, 'facts' | 'transcript'>,
  ) => Promise<ParsedRecapAnswer | UnusableRecapAnswer>,
): Promise<{ title: string | null; summary: RecapSummarySentence[] }> {
  const summaries = checked.map(({ summary }) => summary).filter(({ length }) => length > 0)
  const [first = [], ...others] = summaries
  // The title of a part would be misleading for a meeting with several.
  const title = checked.length === 1 ? (checked[0]?.title ?? null) : null
  if (others.length === 0) return { title, summary: first }
  const segments = new Map(source.segments.map((segment) => [segment.number, segment]))
  const answer = await ask({
    facts: formatMeetingFacts(source, 1, 1),
    transcript: formatSummaries(summaries, segments),
  })
  const combined = answer instanceof UnusableRecapAnswer ? null : checker.check(answer)
  if (combined !== null && combined.summary.length > 0) return combined
  const step = Math.ceil(summaries.length / MAX_SUMMARY_SENTENCES)
  return {
    title,
    summary: summaries.filter((_, i) => i % step === 0).flatMap((summary) => summary.slice(0, 1)),
  }
}

/** The statements of all parts, in order. */
function joinParts(checked: readonly CheckedRecap[]): Omit<CheckedRecap, 'summary' | 'title'> {
  return {
    decisions: checked.flatMap(({ decisions }) => decisions).slice(0, MAX_ENTRIES),
    actions: checked.flatMap(({ actions }) => actions).slice(0, MAX_ENTRIES),
    openQuestions: checked.flatMap(({ openQuestions }) => openQuestions).slice(0, MAX_ENTRIES),
    topics: checked.flatMap(({ topics }) => topics).slice(0, MAX_ENTRIES),
  }
}
