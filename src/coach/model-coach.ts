import { z } from 'zod'
import {
  INSIGHT_SEVERITIES,
  type CoachSegment,
  type Insight,
  type InsightCategory,
} from './coach.ts'
import { insightKindOf, type InsightCandidate, type InsightLimiter } from './insight-limiter.ts'
import {
  MODEL_COACH_LIMITS,
  COACH_SYSTEM_PROMPT,
  buildCoachPrompt,
  type ModelCoachLimits,
} from './model-prompt.ts'
import { MAX_INSIGHT_TEXT_CHARS, MAX_INSIGHT_TITLE_CHARS, toOneLine } from './text/display-text.ts'

/** What a model may say. */
export const MODEL_CATEGORIES = [
  'decision',
  'deadline',
  'action_item',
  'risk',
  'objection',
  'question_to_ask',
  'summary',
] as const satisfies readonly InsightCategory[]

const ModelInsight = z.object({
  category: z.enum(MODEL_CATEGORIES),
  severity: z.enum(INSIGHT_SEVERITIES),
  title: z.string().min(1),
  text: z.string().min(1),
  segmentNumber: z.int().describe('Of the line that it rests on'),
  quote: z.string().min(1).describe('Words of that line, copied exactly'),
})
/** What is asked for. Each insight is then checked on its own: one that is wrong does not cost the others. */
export const ModelCoachAnswer = z.object({ summary: z.string(), insights: z.array(ModelInsight) })
const UncheckedAnswer = z.object({ summary: z.string(), insights: z.array(z.unknown()) })

/** Asks a language model. Rejects when it fails. Tokens are those the provider counted, told whatever comes of it. */
export type AskModel = (
  question: { system: string; prompt: string; format: z.ZodObject },
  onTokens: (tokens: number) => void,
  signal: AbortSignal,
) => Promise<string>

/** Listens to one meeting beside the limits. Never waited for: what it says comes when it comes. */
export interface ModelCoach extends Disposable {
  /** `said`: what the rules have made of the same segments. */
  addSegments(segments: readonly CoachSegment[], said: readonly Insight[], now: number): void
}

type Parts = {
  ask: AskModel
  onInsights(insights: Insight[]): void
  onFailure(error: unknown): void
  now(): number
  /** Tokens this meeting has used before a restart. */
  usedTokens?: number
  /** That of the rules: what they have said counts, too. */
  limiter: InsightLimiter
  limits?: Partial<ModelCoachLimits>
}

export function createModelCoach(parts: Parts): ModelCoach {
  const limits = { ...MODEL_COACH_LIMITS, ...parts.limits }
  const { limiter } = parts
  const closing = new AbortController()
  const known = new Map<number, CoachSegment>()
  const reported = new Set<string>()
  let fresh: CoachSegment[] = []
  let summary = ''
  let used = parts.usedTokens ?? 0
  let lastPassAt = Number.NEGATIVE_INFINITY
  let isAsking = false

  const isDue = (now: number) => {
    if (isAsking || used >= limits.maxTokens || now - lastPassAt < limits.gapMs) return false
    return fresh.length >= limits.minSegments || roughWordCount(fresh) >= limits.minWords
  }
  const pass = async (now: number) => {
    isAsking = true
    lastPassAt = now
    const heard = fresh
    fresh = []
    try {
      const prompt = buildCoachPrompt(summary, heard, limits)
      const question = { system: COACH_SYSTEM_PROMPT, prompt, format: ModelCoachAnswer }
      const count = (tokens: number) => void (used += tokens)
      const text = await parts.ask(question, count, closing.signal)
      if (!closing.signal.aborted) tell(insightsIn(text))
    } catch (error) {
      if (!closing.signal.aborted) parts.onFailure(error)
    } finally {
      isAsking = false
    }
    const last = [...known.keys()].at(-1)
    const isUsedUp = used >= limits.maxTokens && !closing.signal.aborted
    if (isUsedUp && last !== undefined && admit(TOKENS_USED_UP)) tell([tokensUsedUpInsight(last)])
  }
  const admit = (claim: InsightCandidate) => limiter.admit(claim, limiter.clock.peek(parts.now()))
  const tell = (insights: Insight[]) => {
    if (insights.length > 0) parts.onInsights(insights)
  }
  const insightsIn = (text: string): Insight[] => {
    const advice = UncheckedAnswer.parse(JSON.parse(extractJson(text)))
    summary = toOneLine(advice.summary, limits.maxSummaryChars)
    return advice.insights.flatMap((remark) => insightOf(remark) ?? [])
  }
  /** Null for what rests on nothing that was said, was said already, or would be too much. */
  const insightOf = (remark: unknown): Insight | null => {
    const parsed = ModelInsight.safeParse(remark)
    if (!parsed.success) return null
    const { category, severity, title, text, segmentNumber, quote } = parsed.data
    const heard = known.get(segmentNumber)
    if (heard === undefined || !normalizeText(heard.text).includes(normalizeText(quote)))
      return null
    const key = `${category} ${segmentNumber}`
    const claim = { category, kind: insightKindOf(category), speaker: heard.speaker, key }
    if (reported.has(key) || !admit(claim)) return null
    reported.add(key)
    return {
      category,
      severity,
      title: toOneLine(title, MAX_INSIGHT_TITLE_CHARS),
      text: toOneLine(text, MAX_INSIGHT_TEXT_CHARS),
      speaker: heard.speaker === '' ? null : heard.speaker,
      segmentNumbers: [segmentNumber],
    }
  }

  return {
    addSegments(segments, said, now) {
      for (const heard of segments) {
        known.set(heard.number, heard)
        fresh.push(heard)
        const oldest = known.keys().next().value
        if (known.size > limits.maxSegments && oldest !== undefined) known.delete(oldest)
      }
      fresh = fresh.slice(-limits.maxSegments)
      for (const { category, segmentNumbers } of said) {
        for (const number of segmentNumbers) reported.add(`${category} ${number}`)
      }
      if (isDue(now)) void pass(now)
    },
    [Symbol.dispose]: () => closing.abort(),
  }
}

/** Neither waits nor makes others wait. */
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
    title: 'The language model of the coach stops here',
    text: 'It has used the tokens that one meeting may use. The rules of the coach go on.',
    speaker: null,
    segmentNumbers: [segmentNumber],
  }
}

function roughWordCount(heard: readonly CoachSegment[]): number {
  return heard.reduce((sum, { text }) => sum + text.split(/\s+/).length, 0)
}

/** Models like to wrap what they were asked for. */
function extractJson(text: string): string {
  return text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1)
}

function normalizeText(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}
