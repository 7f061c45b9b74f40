import { readFile, stat } from 'node:fs/promises'
import { z } from 'zod'
import { errorCode } from '../../../lib/error-code.ts'
import { describeValidationIssue } from '../../../lib/text/validation.ts'
import type { Log } from '../../../log.ts'
import { STRATEGIES_SCHEMA, type PagePart } from './find-strategies.ts'
import { type PageModel, PAGE_STATE_NAMES } from './page-states.ts'
import { requiredPagePartName, STATE_RULES_SCHEMA } from './state-rules.ts'

const MAX_BYTES = 1024 * 1024

/** The page models in use: the built-in ones, changed by the operator's selectors file. */
export interface PageModelsLoader<Name extends string> {
  /** Called for each visit. Reads the file again if it has changed. */
  modelFor(name: Name): Promise<PageModel>
  /** The problems of the file. A file with problems is ignored completely. */
  problems(): Promise<string[]>
}

type LoadedFile<Name extends string> = {
  version: string
  models: Readonly<Record<Name, PageModel>>
  problems: string[]
}

type Parts<Name extends string> = {
  path: string | undefined
  builtIn: Readonly<Record<Name, PageModel>>
  log: Log
}

/** The operator's strategies for one part of a page. With `replaces`, they replace the built-in strategies. */
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

type SelectorOverrideResult =
  | { isValid: true; pageModel: PageModel }
  | { isValid: false; problems: string[] }

export function createPageModelsLoader<Name extends string>(
  parts: Parts<Name>,
): PageModelsLoader<Name> {
  const { path, builtIn, log } = parts
  let last: LoadedFile<Name> = { version: '', models: builtIn, problems: [] }

  const load = async (): Promise<LoadedFile<Name>> => {
    if (path === undefined) return last
    const version = await fileVersion(path)
    if (version === last.version) return last
    const read = await loadModels(path, builtIn)
    last = { version, ...read }
    if (read.problems.length === 0) log.info({ file: path }, 'loaded selectors file')
    else {
      log.warn(
        { file: path, setting: 'HANSARD_SELECTORS_FILE', problems: read.problems },
        'ignored selectors file because of its problems',
      )
    }
    return last
  }
  return {
    modelFor: async (name) => (await load()).models[name],
    problems: async () => (await load()).problems,
  }
}

/** A text that is different for each version of the file. */
async function fileVersion(path: string): Promise<string> {
  try {
    const { mtimeMs, ctimeMs, size, ino } = await stat(path)
    return [mtimeMs, ctimeMs, size, ino].join(' ')
  } catch (error) {
    return `not there: ${errorCode(error)}`
  }
}

async function loadModels<Name extends string>(
  path: string,
  builtIn: Readonly<Record<Name, PageModel>>,
): Promise<Omit<LoadedFile<Name>, 'version'>> {
  const given = await readJson(path)
  if ('problem' in given) return { models: builtIn, problems: [given.problem] }
  const parsed = z.record(z.string(), z.unknown()).safeParse(given.value)
  if (!parsed.success) return { models: builtIn, problems: ['it is not an object'] }
  const problems: string[] = []
  const models: Record<string, PageModel> = { ...builtIn }
  for (const [name, overrides] of Object.entries(parsed.data)) {
    const pageModel = Object.hasOwn(builtIn, name) ? builtIn[name as Name] : undefined
    if (pageModel === undefined) {
      problems.push(`${name.slice(0, 50)}: no such platform`)
      continue
    }
    const changed = prependOperatorSelectors(pageModel, overrides)
    if (changed.isValid) models[name] = changed.pageModel
    else problems.push(...changed.problems.map((problem) => `${name}: ${problem}`))
  }
  // If only some of the file is valid, all of it is ignored, because its author did not intend half of it.
  return problems.length > 0
    ? { models: builtIn, problems }
    : { models: { ...builtIn, ...models }, problems }
}

async function readJson(path: string): Promise<{ value: unknown } | { problem: string }> {
  try {
    const bytes = await readFile(path)
    if (bytes.length > MAX_BYTES) return { problem: 'it is larger than 1 MB' }
    return { value: JSON.parse(bytes.toString('utf8')) }
  } catch (error) {
    if (error instanceof SyntaxError) return { problem: 'it is not JSON' }
    const code = errorCode(error)
    if (code !== '') return { problem: `it cannot be read (${code})` }
    throw error
  }
}

/** The built-in page model, changed by the operator's selectors file, or all problems of that file. */
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

/** Names of missing parts that rules or other parts use. */
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
