import { LiquidError, type Variable } from 'liquidjs'
import { findNearestName } from '../../../lib/text/nearest-name.ts'
import { createLiquid, toTemplateFailure } from './render-template.ts'
import { createSampleInputs, createTemplateVariables } from './template-variables.ts'

/** A name in a template that is no variable. */
export type UnknownVariable = { name: string; line: number; message: string }

export type TemplateAnalysis = {
  /** The variables of the service that the template uses, sorted; only the first part of each. */
  variables: string[]
  /** In the order of the file. */
  unknown: UnknownVariable[]
}

const MAX_UNKNOWN = 20
const MAX_NAME_LENGTH = 60
/** Variables with fields that are always the same. */
const OBJECTS = new Set(['task', 'run', 'project', 'meeting', 'document'])

/** Finds the variables of a template without rendering it. Throws a `TemplateFailure` when it cannot be parsed. */
export function analyzeTemplate(body: string, firstLine: number): TemplateAnalysis {
  // Nothing is rendered, so no filter reads the time.
  const engine = createLiquid(new Date(0))
  try {
    const { globals } = engine.analyzeSync(engine.parse(body), { partials: false })
    const known: Record<string, unknown> = createTemplateVariables(createSampleInputs())
    const unknown = Object.values(globals)
      .flat()
      .flatMap((variable) => findUnknown(variable, known, firstLine))
      .toSorted((a, b) => a.line - b.line)
    return {
      variables: Object.keys(globals)
        .filter((name) => Object.hasOwn(known, name))
        .toSorted(),
      unknown: unknown.slice(0, MAX_UNKNOWN),
    }
  } catch (error) {
    if (error instanceof LiquidError) throw toTemplateFailure(error, firstLine)
    throw error
  }
}

function findUnknown(
  { segments, location }: Variable,
  known: Record<string, unknown>,
  firstLine: number,
): UnknownVariable[] {
  const [root, field] = segments
  if (typeof root !== 'string') return []
  const line = location.row + firstLine - 1
  if (!Object.hasOwn(known, root)) return [describeUnknown(root, Object.keys(known), '', line)]
  if (!OBJECTS.has(root) || typeof field !== 'string') return []
  const fields = Object.keys(known[root] as object)
  return fields.includes(field) ? [] : [describeUnknown(field, fields, `${root}.`, line)]
}

function describeUnknown(
  name: string,
  known: readonly string[],
  prefix: string,
  line: number,
): UnknownVariable {
  const nearest = findNearestName(name, known)
  const hint = nearest === null ? '' : `; did you mean ${prefix}${nearest}?`
  const shown = `${prefix}${name.length > MAX_NAME_LENGTH ? `${name.slice(0, MAX_NAME_LENGTH)}…` : name}`
  return { name: shown, line, message: `There is no variable ${shown}${hint}` }
}
