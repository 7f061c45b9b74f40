import { z } from 'zod'
import { tryParseJson } from '../../lib/text/try-parse-json.ts'
import { INSIGHT_SEVERITIES, type InsightCategory } from '../coach.ts'

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
 * that does. The prompt of the coach names the same fields.
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
export type ModelInsight = z.output<typeof ModelInsight>

const UncheckedAnswer = z.object({ summary: z.string(), insights: z.array(z.unknown()) })

/** The answer could not be used. The message contains nothing of the answer, because it is logged. */
export class UnusableModelAnswerError extends Error {
  override readonly name = 'UnusableAnswer'
}

export type ParsedCoachAnswer = {
  summary: string
  insights: ModelInsight[]
  /** For each insight that is not valid, its invalid fields. */
  invalidFields: string[][]
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

/** Cuts the JSON out of a model answer, because models often put other text before and after it. */
function extractJson(text: string): string {
  return text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1)
}
