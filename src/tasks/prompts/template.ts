import { AssertionError, Context, Liquid, LiquidError } from 'liquidjs'
import { truncateToTokens } from './document-block.ts'
import { parseDuration } from './duration.ts'
import { toFileProblem } from './parse-prompt.ts'
import { createRenderClock, type RenderClock } from './render-clock.ts'
import type { PromptProblem } from './prompt-settings.ts'

/** What the template says cannot be done; the text names the line. */
export class TemplateFailure extends Error {
  override readonly name = 'TemplateFailure'
}

/** What is listed in a scope and has a time. */
type DatedItem = { date: string }

const LIMITS = { parseLimit: 300_000, renderLimit: 2_000, memoryLimit: 20_000_000 }

function createLiquid(now: Date): Liquid {
  const engine = new Liquid({
    strictVariables: true,
    strictFilters: true,
    ownPropertyOnly: true,
    // No file is ever looked up: the only template is the one given.
    templates: {},
    ...LIMITS,
  })
  engine.registerFilter('since', (list: unknown, span: unknown) => {
    const ms = parseDuration(String(span))
    if (ms === null) throw new TypeError(`since: "${String(span)}" is not a span such as "7d"`)
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
 * The text of a prompt with its variables filled in. What comes from variables is never read as a template. The
 * clock leaves out what whoever made the scope waits for with it.
 */
export async function renderTemplate(
  body: string,
  scope: object,
  now: Date,
  clock = createRenderClock(),
): Promise<string> {
  try {
    const engine = createLiquid(now)
    return String(await engine.parseAndRender(body, createContext(engine, scope, clock)))
  } catch (error) {
    // The second is how a limit shows itself outside of every block.
    if (error instanceof LiquidError || error instanceof AssertionError) {
      throw new TemplateFailure(toReadableMessage(error), { cause: error })
    }
    throw error
  }
}

function createContext(engine: Liquid, scope: object, clock: RenderClock): Context {
  const context = new Context(scope, engine.options, {}, { liquid: engine })
  const limit = context.renderLimit
  const check = limit.check.bind(limit)
  const [began, before] = [performance.now(), clock.elapsedMs()]
  limit.check = () => check(began + clock.elapsedMs() - before)
  return context
}

/** Everything that can be wrong with a template before there is something to fill in. */
export async function findTemplateProblems(body: string, scope: object): Promise<PromptProblem[]> {
  try {
    await renderTemplate(body, scope, new Date())
    return []
  } catch (error) {
    if (error instanceof TemplateFailure) return [toFileProblem(error.message)]
    throw error
  }
}

/** The library looks files up under our name; a person only needs to know that there are none. */
function toReadableMessage({ message }: Error): string {
  const text = message.replace(/^ENOENT: Failed to lookup "(.*)" in ".*?"/, 'cannot include "$1"')
  return `Template: ${text}`.slice(0, 400)
}

function requireText(filter: string, value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'string' || typeof value === 'number') return `${value}`
  throw new TypeError(`${filter} takes a text`)
}

function requireList(filter: string, value: unknown): unknown[] {
  if (Array.isArray(value)) return value
  throw new TypeError(`${filter} takes a list`)
}

function requireWholeNumber(filter: string, value: unknown): number {
  const number = Number(value)
  if (Number.isSafeInteger(number) && number >= 0) return number
  throw new TypeError(`${filter} takes a whole number`)
}
