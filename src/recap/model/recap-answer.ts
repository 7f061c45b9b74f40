import { z } from 'zod'
import { tryParseJson } from '../../lib/text/try-parse-json.ts'
import { MAX_CITATIONS } from '../recap.ts'
import { RECAP_SECTIONS, type RecapSectionName } from '../template.ts'

const citation = {
  segmentNumbers: z.array(z.number()).describe('Numbers of the lines it is based on'),
  quote: z.string().describe('Words of these lines, copied exactly'),
}
const statement = z.object({ text: z.string(), ...citation })

const title = statement.describe('A few words about the meeting')

/** The fields of the answer format, by section. */
const SECTION_FORMATS = {
  summary: z.array(statement),
  decisions: z.array(
    statement.extend({ reason: z.string().describe('Empty when nobody said it') }),
  ),
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
      quote: z.string().describe('Words of these lines, copied exactly'),
    }),
  ),
} satisfies Record<RecapSectionName, z.ZodType>

/**
 * The answer format sent to the model. It has no limits for lengths and numbers, because several providers refuse
 * schemas with limits. The prompt names the same fields.
 */
export function createAnswerFormat(sections: readonly RecapSectionName[]): z.ZodObject {
  const chosen = RECAP_SECTIONS.filter((section) => sections.includes(section))
  return z.object({
    title,
    ...Object.fromEntries(chosen.map((section) => [section, SECTION_FORMATS[section]])),
  })
}

/** The answer format of the second request for a long meeting, which combines its parts. */
export const RecapModelSummary = z.object({ title, summary: z.array(statement) })

const citedNumbers = z.array(z.int().min(1)).min(1).max(MAX_CITATIONS)
const ModelStatement = z.object({
  text: z.string().trim().min(1),
  segmentNumbers: citedNumbers,
  quote: z.string().trim().min(1),
})
const ModelDecision = ModelStatement.extend({ reason: z.string().nullish() })
const ModelAction = ModelStatement.extend({
  owner: z.string().nullish(),
  dueText: z.string().nullish(),
  dueDate: z.string().nullish(),
})
const ModelTopic = z.object({
  title: z.string().trim().min(1),
  firstSegmentNumber: z.int().min(1),
  lastSegmentNumber: z.int().min(1),
  quote: z.string().nullish(),
})

export type ModelStatement = z.output<typeof ModelStatement>
export type ModelDecision = z.output<typeof ModelDecision>
export type ModelAction = z.output<typeof ModelAction>
export type ModelTopic = z.output<typeof ModelTopic>

/** The usable entries of an answer. Each is validated separately, so that an invalid entry does not discard others. */
export type ParsedRecapAnswer = {
  title: ModelStatement | null
  summary: ModelStatement[]
  decisions: ModelDecision[]
  actions: ModelAction[]
  openQuestions: ModelStatement[]
  topics: ModelTopic[]
  invalidCount: number
}

/** The model's answer could not be used. The message contains nothing from the answer. */
export class UnusableRecapAnswer extends Error {
  override readonly name = 'UnusableRecapAnswer'
}

const list = z.array(z.unknown()).default([])
const UncheckedAnswer = z.object({
  title: z.unknown().optional(),
  summary: list,
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
  const { title, summary, decisions, actions, openQuestions, topics } = answer.data
  const valid = {
    // Missing titles are normal, because older prompts and small models have none.
    title: ModelStatement.safeParse(title).data ?? null,
    summary: validOf(summary, ModelStatement),
    decisions: validOf(decisions, ModelDecision),
    actions: validOf(actions, ModelAction),
    openQuestions: validOf(openQuestions, ModelStatement),
    topics: validOf(topics, ModelTopic),
  }
  return { ...valid, invalidCount }
}
