// Generates the TypeScript types of events for receivers. Prints them, or writes the files with --write.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { EVENTS } from '../src/meetings/event-types.ts'
import { declareField, type Schema } from './typescript-declarations.ts'

/** Both folders have the same types, so that each folder can be copied alone. */
export const TYPES_FILES = ['receiver/events.d.ts', 'client/events.d.ts'].map((name) =>
  join(import.meta.dirname, '..', name),
)

type EventDefinitions = Record<string, { about: string; payload: z.ZodObject }>

/** TypeScript declarations of the event payloads, in the formatter's layout. */
export function declareEvents(table: EventDefinitions = EVENTS): string {
  const fields = Object.entries(table).map(([type, { about, payload }]) => {
    const schema = z.toJSONSchema(payload) as Schema
    const field = declareField(type, { ...schema, description: about }, true, '  ')
    // Receivers need the type of every field.
    if (/: unknown\b/.test(field)) throw new Error(`no TypeScript for something in ${type}`)
    return field
  })
  return [
    '// Generated from the table of events by scripts/receiver-types.ts; change that table, not this file.',
    '',
    '/** The payload of each event type. */',
    'export interface EventPayloads {',
    ...fields,
    '}',
    '',
  ].join('\n')
}

// The launcher imports the script, so import.meta.main is false here.
if (process.argv[1] === import.meta.filename) {
  if (process.argv.includes('--write')) {
    for (const file of TYPES_FILES) writeFileSync(file, declareEvents())
  } else process.stdout.write(declareEvents())
}
