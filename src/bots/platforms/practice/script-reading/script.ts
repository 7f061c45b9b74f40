import { z } from 'zod'
import { SCRIPT_SCHEMA, type MeetingScript } from './script-schema.ts'
import { findScriptProblems } from './validate-script.ts'

/** Throws an error that lists every problem of the script. A script that passes can be played to its end. */
export function parseScript(raw: unknown): MeetingScript {
  const { data, error } = SCRIPT_SCHEMA.safeParse(raw)
  if (error) throw new Error(z.prettifyError(error))
  const problems = findScriptProblems(data)
  if (problems.length > 0) throw new Error(problems.join('\n'))
  return data
}
