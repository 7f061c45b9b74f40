import { z } from 'zod'
import { tryParseJson } from '../lib/text/try-parse-json.ts'
import {
  type CoachSegment,
  type Insight,
  type InsightCategory,
  INSIGHT_SEVERITIES,
  MAX_INSIGHT_TEXT_CHARS,
  MAX_INSIGHT_TITLE_CHARS,
} from './coach.ts'
import {
  classifyAsNudgeOrRecord,
  type InsightCandidate,
  type InsightLimiter,
} from './insight-limiter.ts'
import { shortenToOneLine } from '../language/clean-text.ts'

/**
 * Why an insight of the model is not reported. `invalid`: fields are missing or wrong. `not_quoted`: it quotes no known
 * segment. `repeated`: it was already reported. `limited`: the limiter rejects it.
 */
export type DropReason = 'invalid' | 'not_quoted' | 'repeated' | 'limited'
/** A dropped insight, without any text of the meeting. */
export type DroppedInsight = { reason: DropReason; category?: InsightCategory; fields?: string[] }

/** Decides which of the model's insights are reported in one meeting. */
export type ModelInsightFilter = ReturnType<typeof createModelInsightFilter>

type Parts = {
  /** How many of the newest segments the model may quote. */
  maxQuotableSegments: number
  limiter: InsightLimiter
  now(): number
}

/** The insight categories that the language model may use. */
export const MODEL_INSIGHT_CATEGORIES = [
  'decision',
  'deadline',
  'action_item',
  'risk',
  'objection',
  'question_to_ask',
  'summary',
] as const satisfies readonly InsightCategory[]

/**
 * The answer format sent to the model. It does not limit lengths and numbers, because several providers refuse a schema
 * that does. The coach's prompt names the same fields.
 */
export const ModelCoachAnswer = z.object({
  summary: z.string(),
  insights: z.array(
    z.object({
      category: z.enum(MODEL_INSIGHT_CATEGORIES),
      severity: z.enum(INSIGHT_SEVERITIES),
      title: z.string(),
      text: z.string(),
      segmentNumber: z.number().describe('Number of the line that the insight is based on'),
      quote: z.string().describe('Words of that line, copied exactly'),
    }),
  ),
})

const ModelInsight = z.object({
  category: z.enum(MODEL_INSIGHT_CATEGORIES),
  severity: z.enum(INSIGHT_SEVERITIES),
  title: z.string().min(1),
  text: z.string().min(1),
  segmentNumber: z.int(),
  quote: z.string().min(1),
})
type ModelInsight = z.output<typeof ModelInsight>

const UncheckedAnswer = z.object({ summary: z.string(), insights: z.array(z.unknown()) })

/** The answer could not be used. The message contains no part of the answer, because it is logged. */
class UnusableModelAnswerError extends Error {
  override readonly name = 'UnusableAnswer'
}

type ParsedCoachAnswer = {
  summary: string
  insights: ModelInsight[]
  /** For each invalid insight, its invalid fields. */
  invalidFields: string[][]
}

export function createModelInsightFilter({ maxQuotableSegments, limiter, now }: Parts) {
  const known = new Map<number, CoachSegment>()
  const reported = new Set<string>()
  const admit = (candidate: InsightCandidate) => limiter.admit(candidate, limiter.clock.peek(now()))
  const accept = (insight: ModelInsight): Insight | DropReason => {
    const { category, segmentNumber } = insight
    const segment = known.get(segmentNumber)
    if (segment === undefined || !isQuoteOf(insight.quote, segment)) return 'not_quoted'
    const key = `${category} ${segmentNumber}`
    if (reported.has(key)) return 'repeated'
    const { speaker } = segment
    const kind = classifyAsNudgeOrRecord(category)
    if (!admit({ category, kind, speaker, key })) return 'limited'
    reported.add(key)
    return toInsight(insight, speaker)
  }
  return {
    addSegment(segment: CoachSegment) {
      known.set(segment.number, segment)
      const oldest = known.keys().next().value
      if (known.size > maxQuotableSegments && oldest !== undefined) known.delete(oldest)
    },
    /** Marks insights that the rules found in the same segments, so that the model does not report them again. */
    addRuleInsights(insights: readonly Insight[]) {
      for (const { category, segmentNumbers } of insights) {
        for (const number of segmentNumbers) reported.add(`${category} ${number}`)
      }
    },
    accept(answer: ParsedCoachAnswer): { insights: Insight[]; dropped: DroppedInsight[] } {
      const insights: Insight[] = []
      const dropped: DroppedInsight[] = answer.invalidFields.map((fields) => ({
        reason: 'invalid',
        fields,
      }))
      for (const insight of answer.insights) {
        const accepted = accept(insight)
        if (typeof accepted === 'string')
          dropped.push({ reason: accepted, category: insight.category })
        else insights.push(accepted)
      }
      return { insights, dropped }
    },
    /** The insight that the model has used all of the meeting's tokens; null if it was already reported. */
    createUsedUpInsight(): Insight | null {
      const last = [...known.keys()].at(-1)
      return last !== undefined && admit(TOKENS_USED_UP) ? tokensUsedUpInsight(last) : null
    },
  }
}

/** Says that the model has used all of the meeting's tokens. It is a record, so the limiter does not delay it. */
const TOKENS_USED_UP: InsightCandidate = {
  category: 'summary',
  kind: 'record',
  speaker: '',
  key: 'used up',
}

function tokensUsedUpInsight(segmentNumber: number): Insight {
  return {
    category: 'summary',
    severity: 'info',
    title: 'The coach’s language model has stopped',
    text: 'It has used all tokens allowed for one meeting. The coach continues with its rules.',
    speaker: null,
    segmentNumbers: [segmentNumber],
  }
}

function toInsight({ category, severity, title, text, segmentNumber }: ModelInsight, by: string) {
  return {
    category,
    severity,
    title: shortenToOneLine(title, MAX_INSIGHT_TITLE_CHARS),
    text: shortenToOneLine(text, MAX_INSIGHT_TEXT_CHARS),
    speaker: by === '' ? null : by,
    segmentNumbers: [segmentNumber],
  }
}

function isQuoteOf(quote: string, { text }: CoachSegment): boolean {
  return normalizeText(text).includes(normalizeText(quote))
}

function normalizeText(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}

/** Each insight is validated separately, so that an invalid one does not discard the others. */
export function parseCoachAnswer(text: string): ParsedCoachAnswer {
  const json = tryParseJson(extractJson(text))
  if (json === undefined) throw new UnusableModelAnswerError('The answer of the model is not JSON')
  const answer = UncheckedAnswer.safeParse(json)
  if (!answer.success) {
    const fields = listInvalidFields(answer.error).join(', ')
    throw new UnusableModelAnswerError(
      `The answer of the model has missing or wrong fields: ${fields}`,
    )
  }
  const insights: ModelInsight[] = []
  const invalidFields: string[][] = []
  for (const unchecked of answer.data.insights) {
    const insight = ModelInsight.safeParse(unchecked)
    if (insight.success) insights.push(insight.data)
    else invalidFields.push(listInvalidFields(insight.error))
  }
  return { summary: answer.data.summary, insights, invalidFields }
}

function listInvalidFields({ issues }: z.ZodError): string[] {
  return [...new Set(issues.map(({ path }) => path.join('.') || '(all)'))]
}

/** Cuts the JSON out of a model's answer, because models often put other text before and after it. */
function extractJson(text: string): string {
  return text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1)
}
