import { z } from 'zod'
import { tryParseJson } from '../../lib/text/try-parse-json.ts'
import { MAX_CITATIONS } from '../recap-limits.ts'

const citation = {
  segmentNumbers: z.array(z.number()).describe('Numbers of the lines it is based on'),
  quote: z.string().describe('Words of these lines, copied exactly'),
}
const statement = z.object({ text: z.string(), ...citation })

/**
 * The answer format sent to the model. It does not limit lengths and numbers, because several providers refuse a schema
 * that does. The prompt names the same fields.
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

/** The answer format of the second request about a long meeting, which combines its parts. */
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

export type ModelStatement = z.output<typeof ModelStatement>
export type ModelAction = z.output<typeof ModelAction>
export type ModelTopic = z.output<typeof ModelTopic>

/** The usable entries of an answer. Each entry is validated separately, so that an invalid one does not discard others. */
export type ParsedRecapAnswer = {
  summary: ModelStatement[]
  decisions: ModelStatement[]
  actions: ModelAction[]
  openQuestions: ModelStatement[]
  topics: ModelTopic[]
  invalidCount: number
}

/** The answer of the model could not be used. The message contains nothing of the answer. */
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
