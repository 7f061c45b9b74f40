import { z } from 'zod'
import { describeValidationIssue } from '../../../lib/text/validation-messages.ts'
import { PAGE_STATE_NAMES, type PageModel } from './page-states.ts'
import { requiredPagePartName, STATE_RULES_SCHEMA } from './state-rules.ts'
import { STRATEGIES_SCHEMA, type PagePart } from './find-strategies.ts'

/**
 * The operator's strategies for one part of a page. With `replaces`, the built-in strategies of the part are not used.
 */
const PART = z.strictObject({ strategies: STRATEGIES_SCHEMA, replaces: z.boolean().default(false) })

/**
 * What the selectors file may contain for one platform: strategies for known parts and rules for known states. They
 * come before the built-in ones. The file cannot change the order of states.
 */
const OVERRIDES = z.strictObject({
  parts: z.record(z.string(), PART).default({}),
  states: z.partialRecord(z.enum(PAGE_STATE_NAMES), STATE_RULES_SCHEMA).default({}),
})
type Overrides = z.output<typeof OVERRIDES>

export type SelectorOverrideResult =
  | { isValid: true; pageModel: PageModel }
  | { isValid: false; problems: string[] }

/** The built-in page model with the changes of the operator's selectors file, or all problems of that file. */
export function prependOperatorSelectors(
  pageModel: PageModel,
  given: unknown,
): SelectorOverrideResult {
  const parsed = OVERRIDES.safeParse(given, { error: describeValidationIssue })
  if (!parsed.success) {
    const problems = parsed.error.issues.map(
      ({ path, message }) => `${path.map(String).join('.') || 'the file'}: ${message}`,
    )
    return { isValid: false, problems }
  }
  const unknownParts = Object.keys(parsed.data.parts).filter((name) => !isPart(pageModel, name))
  if (unknownParts.length > 0) {
    return { isValid: false, problems: unknownParts.map((name) => `parts.${name}: no such part`) }
  }
  const changed = mergeOverrides(pageModel, parsed.data)
  const problems = findPageModelProblems(changed)
  return problems.length > 0 ? { isValid: false, problems } : { isValid: true, pageModel: changed }
}

/** Names of parts that rules or other parts use, but that do not exist. */
export function findPageModelProblems(pageModel: PageModel): string[] {
  const { parts, states, conditions } = pageModel
  const rules = [
    ...Object.entries(states).map(([name, rules]) => ({ where: `states.${name}`, rules })),
    ...Object.entries(conditions).map(([name, rules]) => ({ where: `conditions.${name}`, rules })),
  ].flatMap(({ where, rules }) => rules.map((rule) => ({ where, rule })))
  const named = [
    ...rules.flatMap(({ where, rule }) =>
      [...rule.all, ...(rule.none ?? [])].map((matcher) => ({
        where,
        part: requiredPagePartName(matcher),
      })),
    ),
    ...Object.entries(parts).map(([name, { within }]) => ({
      where: `parts.${name}`,
      part: within,
    })),
    ...pageModel.userTextParts.map((part) => ({ where: 'userTextParts', part })),
    ...pageModel.expectedInCall.map((part) => ({ where: 'expectedInCall', part })),
    ...pageModel.prompts.map(({ answer }) => ({ where: 'prompts', part: answer })),
  ]
  return named.flatMap(({ where, part }) =>
    part === undefined || Object.hasOwn(parts, part) ? [] : [`${where}: no part named ${part}`],
  )
}

function mergeOverrides(pageModel: PageModel, overrides: Overrides): PageModel {
  const parts = Object.fromEntries(
    Object.entries(pageModel.parts).map(([name, part]) => [name, mergePart(part, overrides, name)]),
  )
  const states = Object.fromEntries(
    PAGE_STATE_NAMES.map((state) => [
      state,
      [...(overrides.states[state] ?? []), ...(pageModel.states[state] ?? [])],
    ]),
  )
  return { ...pageModel, parts, states }
}

function mergePart(part: PagePart, { parts }: Overrides, name: string): PagePart {
  const given = Object.hasOwn(parts, name) ? parts[name] : undefined
  if (given === undefined) return part
  const rest = given.replaces ? [] : part.strategies
  return { ...part, strategies: [...given.strategies, ...rest] }
}

function isPart(pageModel: PageModel, name: string): boolean {
  return Object.hasOwn(pageModel.parts, name)
}
