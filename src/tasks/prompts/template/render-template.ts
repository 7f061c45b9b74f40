import { AssertionError, Context, Liquid, LiquidError, type Variable } from 'liquidjs'
import { findNearestName } from '../../../lib/text/nearest-name.ts'
import { shortenName } from '../../../lib/text/shorten-name.ts'
import { truncateToTokens } from '../../../ai/prompt-text.ts'
import { parseDurationMs } from '../../../lib/time/duration-text.ts'
import { TemplateFailure } from './template-failure.ts'
import { createSampleInputs, createTemplateVariables } from './template-variables.ts'

/** An item of a list variable, which the `since` filter can compare. */
type DatedItem = { date: string }

const MAX_MESSAGE_LENGTH = 400
/** The longest rendered prompt, in characters. No model accepts more. */
const MAX_PROMPT_LENGTH = 20_000_000
const LIMITS = { parseLimit: 300_000, renderLimit: 2_000, memoryLimit: 20_000_000 }

/** A name in a template that is not a variable. */
type UnknownVariable = { name: string; line: number; message: string }

export type TemplateAnalysis = {
  /** The service's variables that the template uses, sorted. Only the first part of each name. */
  variables: string[]
  /** In the order of the file. */
  unknown: UnknownVariable[]
}

/** A name in a template, and the names that are known at that place. */
type UnknownName = { name: string; known: readonly string[]; prefix: string; line: number }

const MAX_UNKNOWN = 20
/**
 * For each variable, the library reads the template from the start to find its line. This limit is about 2 s. A time
 * limit would refuse the same text on a busy machine and accept it on another.
 */
const MAX_CHARACTERS_READ = 500_000_000
/** Variables whose fields are always the same. */
const OBJECTS = new Set(['task', 'run', 'project', 'meeting', 'document'])

export function createLiquid(now: Date): Liquid {
  const engine = new Liquid({
    strictVariables: true,
    strictFilters: true,
    ownPropertyOnly: true,
    // Without templates, includes do not work, so no file is ever read.
    templates: {},
    ...LIMITS,
  })
  engine.registerFilter('since', (list: unknown, duration: unknown) => {
    const ms = parseDurationMs(String(duration))
    if (ms === null)
      throw new TypeError(`since: "${String(duration)}" is not a duration such as "7d"`)
    const from = new Date(now.getTime() - ms).toISOString()
    return requireList('since', list).filter((item) => (item as DatedItem).date >= from)
  })
  engine.registerFilter('limit', (list: unknown, count: unknown) =>
    requireList('limit', list).slice(0, requireWholeNumber('limit', count)),
  )
  engine.registerFilter('tokens', (text: unknown, count: unknown) =>
    truncateToTokens(requireText('tokens', text), requireWholeNumber('tokens', count)),
  )
  return engine
}

/**
 * Renders a prompt with its variables. Their values are never parsed as templates. The time limit only counts processor
 * time of this thread, not the time that it waits for a document or a busy machine. `firstLine` is the line in the
 * prompt file where the body begins, so that errors name the right line.
 */
export async function renderTemplate(
  body: string,
  variables: object,
  now: Date,
  firstLine = 1,
  usedMs = readThreadCpuMs,
): Promise<string> {
  try {
    const engine = createLiquid(now)
    const context = createContext(engine, variables, usedMs)
    const text = String(await engine.parseAndRender(body, context))
    if (text.length <= MAX_PROMPT_LENGTH) return text
    throw new TemplateFailure(`Template: the prompt has more than ${MAX_PROMPT_LENGTH} characters`)
  } catch (error) {
    // LiquidJS throws an AssertionError if a template exceeds a limit outside a tag or block.
    if (error instanceof LiquidError || error instanceof AssertionError) {
      throw toTemplateFailure(error, firstLine)
    }
    throw error
  }
}

function readThreadCpuMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}

function createContext(engine: Liquid, variables: object, usedMs: () => number): Context {
  const context = new Context(variables, engine.options, {}, { liquid: engine })
  const limit = context.renderLimit
  const check = limit.check.bind(limit)
  const [startedAt, usedAtStart] = [performance.now(), usedMs()]
  limit.check = () => check(startedAt + usedMs() - usedAtStart)
  return context
}

/** The position of an error, at the end of the library's message. */
const POSITION = /, line:(\d+), col:\d+$/

/**
 * Shortens the library's message for an include, which would show the name of a lookup folder, and counts the line from
 * the beginning of the file.
 */
export function toTemplateFailure(error: Error, firstLine: number): TemplateFailure {
  const found = POSITION.exec(error.message)?.[1]
  const line = found === undefined ? null : Number(found) + firstLine - 1
  const text = error.message
    .replace(POSITION, '')
    .slice(0, MAX_MESSAGE_LENGTH)
    .replace(/^ENOENT: Failed to lookup "(.*)" in ".*?"/, 'cannot include "$1"')
  const place = line === null ? '' : ` (line ${line})`
  return new TemplateFailure(`Template: ${text}${place}`, { line, cause: error })
}

function requireText(filter: string, value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'string' || typeof value === 'number') return `${value}`
  throw new TypeError(`${filter} needs a text`)
}

function requireList(filter: string, value: unknown): unknown[] {
  if (Array.isArray(value)) return value
  throw new TypeError(`${filter} needs a list`)
}

function requireWholeNumber(filter: string, value: unknown): number {
  const number = Number(value)
  if (Number.isSafeInteger(number) && number >= 0) return number
  throw new TypeError(`${filter} needs a whole number`)
}

/** Finds the variables of a template without rendering it. Throws a `TemplateFailure` if it cannot be parsed. */
export function analyzeTemplate(body: string, firstLine: number): TemplateAnalysis {
  if (countNames(body) * body.length > MAX_CHARACTERS_READ)
    throw new TemplateFailure('Template: too many variables for a text of this length')
  // Nothing is rendered, so no filter reads the time.
  const engine = createLiquid(new Date(0))
  try {
    const { globals } = engine.analyzeSync(engine.parse(body), { partials: false })
    const known: Record<string, unknown> = createTemplateVariables(createSampleInputs())
    const unknown = Object.values(globals)
      .flat()
      .flatMap((variable) => findUnknown(variable, known, firstLine))
      .toSorted((a, b) => a.line - b.line)
      .slice(0, MAX_UNKNOWN)
    return {
      variables: Object.keys(globals)
        .filter((name) => Object.hasOwn(known, name))
        .toSorted(),
      unknown: unknown.map(describeUnknown),
    }
  } catch (error) {
    if (error instanceof LiquidError) throw toTemplateFailure(error, firstLine)
    throw error
  }
}

/** An upper bound for the number of variables: the words inside tags. */
function countNames(body: string): number {
  let count = 0
  for (const piece of body.split(/\{[{%]/).slice(1)) {
    const end = piece.search(/[%}]\}/)
    const tag = end === -1 ? piece : piece.slice(0, end)
    count += tag.match(/[\p{L}\p{N}_$-]+|\[/gu)?.length ?? 0
  }
  return count
}

function findUnknown(
  { segments, location }: Variable,
  known: Record<string, unknown>,
  firstLine: number,
): UnknownName[] {
  const [root, field] = segments
  if (typeof root !== 'string') return []
  const line = location.row + firstLine - 1
  if (!Object.hasOwn(known, root))
    return [{ name: root, known: Object.keys(known), prefix: '', line }]
  if (!OBJECTS.has(root) || typeof field !== 'string') return []
  const fields = Object.keys(known[root] as object)
  return fields.includes(field) ? [] : [{ name: field, known: fields, prefix: `${root}.`, line }]
}

function describeUnknown({ name, known, prefix, line }: UnknownName): UnknownVariable {
  const nearest = findNearestName(name, known)
  const hint = nearest === null ? '' : `; did you mean ${prefix}${nearest}?`
  const shown = `${prefix}${shortenName(name)}`
  return { name: shown, line, message: `There is no variable ${shown}${hint}` }
}
