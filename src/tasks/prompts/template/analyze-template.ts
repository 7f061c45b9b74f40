import { LiquidError, type Variable } from 'liquidjs'
import { findNearestName } from '../../../lib/text/nearest-name.ts'
import { shortenName } from '../../../lib/text/shorten-name.ts'
import { createLiquid, toTemplateFailure } from './render-template.ts'
import { TemplateFailure } from './template-failure.ts'
import { createSampleInputs, createTemplateVariables } from './template-variables.ts'

/** A name in a template that is no variable. */
export type UnknownVariable = { name: string; line: number; message: string }

export type TemplateAnalysis = {
  /** The variables of the service that the template uses, sorted; only the first part of each. */
  variables: string[]
  /** In the order of the file. */
  unknown: UnknownVariable[]
}

/** A name in a template with the names that are known in its place. */
type UnknownName = { name: string; known: readonly string[]; prefix: string; line: number }

const MAX_UNKNOWN = 20
/**
 * The library reads the template from its start for each variable, to find its line. About 2 s; a limit of time would
 * refuse the same text on a busy machine and not on another.
 */
const MAX_CHARACTERS_READ = 500_000_000
/** Variables with fields that are always the same. */
const OBJECTS = new Set(['task', 'run', 'project', 'meeting', 'document'])

/** Finds the variables of a template without rendering it. Throws a `TemplateFailure` when it cannot be parsed. */
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

/** At least as many as there are variables: the words inside of tags. */
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
