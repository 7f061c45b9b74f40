// The types of the events for people who receive them: prints them, or with --write writes the files.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { EVENTS } from '../src/meetings/event-types.ts'
import { declareField, type Schema } from './typescript-declarations.ts'

/** Each folder can be copied without the other. */
export const TYPES_FILES = ['receiver/events.d.ts', 'client/events.d.ts'].map((name) =>
  join(import.meta.dirname, '..', name),
)

type EventDefinitions = Record<string, { about: string; payload: z.ZodObject }>

/** The declarations of the payloads, laid out as the formatter leaves them. */
export function declareEvents(table: EventDefinitions = EVENTS): string {
  const fields = Object.entries(table).map(([type, { about, payload }]) => {
    const schema = z.toJSONSchema(payload) as Schema
    const field = declareField(type, { ...schema, description: about }, true, '  ')
    // A receiver should know all that it gets.
    if (/: unknown\b/.test(field)) throw new Error(`no TypeScript for something in ${type}`)
    return field
  })
  return [
    '// Made from the table of events by scripts/receiver-types.ts: change that table, not this file.',
    '',
    '/** What each type of event carries. */',
    'export interface EventPayloads {',
    ...fields,
    '}',
    '',
  ].join('\n')
}

// The launcher imports the script that it runs, so import.meta.main would not tell.
if (process.argv[1] === import.meta.filename) {
  if (process.argv.includes('--write')) {
    for (const file of TYPES_FILES) writeFileSync(file, declareEvents())
  } else process.stdout.write(declareEvents())
}
