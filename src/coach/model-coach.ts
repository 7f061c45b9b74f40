import { z } from 'zod'
import {
  INSIGHT_SEVERITIES,
  type CoachSegment,
  type Insight,
  type InsightCategory,
} from './coach.ts'
import {
  classifyAsNudgeOrRecord,
  type InsightCandidate,
  type InsightLimiter,
} from './insight-limiter.ts'
import {
  MODEL_COACH_LIMITS,
  COACH_SYSTEM_PROMPT,
  buildCoachPrompt,
  type ModelCoachLimits,
} from './model-prompt.ts'
import {
  MAX_INSIGHT_TEXT_CHARS,
  MAX_INSIGHT_TITLE_CHARS,
  shortenToOneLine,
} from './text/display-text.ts'

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

const ModelInsight = z.object({
  category: z.enum(MODEL_INSIGHT_CATEGORIES),
  severity: z.enum(INSIGHT_SEVERITIES),
  title: z.string().min(1),
  text: z.string().min(1),
  segmentNumber: z.int().describe('Number of the line that the insight is based on'),
  quote: z.string().min(1).describe('Words of that line, copied exactly'),
})
/**
 * The answer format sent to the model. Each insight is validated separately, so that an invalid one does not discard the
 * others.
 */
export const ModelCoachAnswer = z.object({ summary: z.string(), insights: z.array(ModelInsight) })
const UncheckedAnswer = z.object({ summary: z.string(), insights: z.array(z.unknown()) })

/** Asks a language model and rejects if the request fails. Calls `onTokens` with the used tokens also when it fails. */
export type AskModel = (
  question: { system: string; prompt: string; format: z.ZodObject },
  onTokens: (tokens: number) => void,
  signal: AbortSignal,
) => Promise<string>

/**
 * Asks a language model about the segments of one meeting, in the background. Insights are passed to `onInsights` later.
 */
export interface ModelCoach extends Disposable {
  /** `ruleInsights` are the insights that the rules found in the same segments. The model does not report them again. */
  addSegments(
    segments: readonly CoachSegment[],
    ruleInsights: readonly Insight[],
    now: number,
  ): void
}

type Parts = {
  ask: AskModel
  onInsights(insights: Insight[]): void
  onFailure(error: unknown): void
  now(): number
  /** Language model tokens that earlier bots of the meeting have used. */
  usedTokens?: number
  /** Shared with the rules coach, so that insights of the rules count too. */
  limiter: InsightLimiter
  limits?: Partial<ModelCoachLimits>
}

export function createModelCoach(parts: Parts): ModelCoach {
  const limits = { ...MODEL_COACH_LIMITS, ...parts.limits }
  const { limiter } = parts
  const closing = new AbortController()
  const known = new Map<number, CoachSegment>()
  const reported = new Set<string>()
  let unsent: CoachSegment[] = []
  let summary = ''
  let usedTokens = parts.usedTokens ?? 0
  let lastAskedAt = Number.NEGATIVE_INFINITY
  let isAsking = false

  const isDue = (now: number) => {
    if (isAsking || usedTokens >= limits.maxTokens) return false
    if (now - lastAskedAt < limits.gapMs) return false
    return unsent.length >= limits.minSegments || roughWordCount(unsent) >= limits.minWords
  }
  const askModel = async (now: number) => {
    isAsking = true
    lastAskedAt = now
    const segments = unsent
    unsent = []
    try {
      const prompt = buildCoachPrompt(summary, segments, limits)
      const question = { system: COACH_SYSTEM_PROMPT, prompt, format: ModelCoachAnswer }
      const countTokens = (tokens: number) => void (usedTokens += tokens)
      const answer = await parts.ask(question, countTokens, closing.signal)
      if (!closing.signal.aborted) report(parseAnswer(answer))
    } catch (error) {
      if (!closing.signal.aborted) parts.onFailure(error)
    } finally {
      isAsking = false
    }
    const last = [...known.keys()].at(-1)
    const isUsedUp = usedTokens >= limits.maxTokens && !closing.signal.aborted
    if (isUsedUp && last !== undefined && admit(TOKENS_USED_UP)) report([tokensUsedUpInsight(last)])
  }
  const admit = (candidate: InsightCandidate) =>
    limiter.admit(candidate, limiter.clock.peek(parts.now()))
  const report = (insights: Insight[]) => {
    if (insights.length > 0) parts.onInsights(insights)
  }
  const parseAnswer = (answer: string): Insight[] => {
    const parsed = UncheckedAnswer.parse(JSON.parse(extractJson(answer)))
    summary = shortenToOneLine(parsed.summary, limits.maxSummaryChars)
    return parsed.insights.flatMap((insight) => acceptInsight(insight) ?? [])
  }
  /** Null for an insight that is invalid, quotes no known segment, was already reported, or that the limiter rejects. */
  const acceptInsight = (insight: unknown): Insight | null => {
    const parsed = ModelInsight.safeParse(insight)
    if (!parsed.success) return null
    const { category, severity, title, text, segmentNumber, quote } = parsed.data
    const segment = known.get(segmentNumber)
    if (segment === undefined || !normalizeText(segment.text).includes(normalizeText(quote)))
      return null
    const key = `${category} ${segmentNumber}`
    const candidate = {
      category,
      kind: classifyAsNudgeOrRecord(category),
      speaker: segment.speaker,
      key,
    }
    if (reported.has(key) || !admit(candidate)) return null
    reported.add(key)
    return {
      category,
      severity,
      title: shortenToOneLine(title, MAX_INSIGHT_TITLE_CHARS),
      text: shortenToOneLine(text, MAX_INSIGHT_TEXT_CHARS),
      speaker: segment.speaker === '' ? null : segment.speaker,
      segmentNumbers: [segmentNumber],
    }
  }

  return {
    addSegments(segments, ruleInsights, now) {
      for (const segment of segments) {
        known.set(segment.number, segment)
        unsent.push(segment)
        const oldest = known.keys().next().value
        if (known.size > limits.maxSegments && oldest !== undefined) known.delete(oldest)
      }
      unsent = unsent.slice(-limits.maxSegments)
      for (const { category, segmentNumbers } of ruleInsights) {
        for (const number of segmentNumbers) reported.add(`${category} ${number}`)
      }
      if (isDue(now)) void askModel(now)
    },
    [Symbol.dispose]: () => closing.abort(),
  }
}

/**
 * Insight that the language model has used all tokens of the meeting. It is a record, so that the limiter does not
 * delay it.
 */
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

function roughWordCount(segments: readonly CoachSegment[]): number {
  return segments.reduce((sum, { text }) => sum + text.split(/\s+/).length, 0)
}

/** Cuts the JSON out of a model answer, because models often put other text before and after it. */
function extractJson(text: string): string {
  return text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1)
}

function normalizeText(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}
