import { z } from 'zod'
import { PAGE_STATE_NAMES, type PageModel } from './page-states.ts'
import { STATE_RULES_SCHEMA, type PageMatcher } from './state-rules.ts'
import { STRATEGIES_SCHEMA, type PagePart } from './find-strategies.ts'

/** `replaces`: the built-in strategies are not used in addition. */
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

export type OverrideResult =
  | { isValid: true; pageModel: PageModel }
  | { isValid: false; problems: string[] }

/** The page model with the changes of the file, or all problems of the file. */
export function applyOverrides(pageModel: PageModel, given: unknown): OverrideResult {
  const parsed = OVERRIDES.safeParse(given)
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
      [...rule.all, ...(rule.none ?? [])].map((matcher) => ({ where, part: partNamedBy(matcher) })),
    ),
    ...Object.entries(parts).map(([name, { within }]) => ({
      where: `parts.${name}`,
      part: within,
    })),
    ...pageModel.userTextParts.map((part) => ({ where: 'userTextParts', part })),
    ...pageModel.expectedInCall.map((part) => ({ where: 'expectedInCall', part })),
  ]
  return named.flatMap(({ where, part }) =>
    part === undefined || Object.hasOwn(parts, part) ? [] : [`${where}: no part named ${part}`],
  )
}

function partNamedBy(matcher: PageMatcher): string | undefined {
  if (matcher.by === 'part') return matcher.part
  return matcher.by === 'words' ? matcher.in : undefined
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
