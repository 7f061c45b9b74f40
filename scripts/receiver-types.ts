// The types of the events for people who receive them: prints receiver/events.d.ts, or with --write writes it.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { EVENTS } from '../src/meetings/events.ts'

export const TYPES_FILE = join(import.meta.dirname, '../receiver/events.d.ts')
const LINE_WIDTH = 100

/** The part of JSON Schema that payloads use. Anything else is refused: a wrong type is worse than none. */
type Schema = {
  type?: string | string[]
  const?: unknown
  enum?: unknown[]
  anyOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  description?: string
}
type Table = Record<string, { about: string; payload: z.ZodObject }>

const SIMPLE: Readonly<Record<string, string>> = {
  string: 'string',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
  null: 'null',
}

/** The declarations of the payloads, laid out as the formatter leaves them. */
export function declareEvents(table: Table = EVENTS): string {
  const fields = Object.entries(table).map(([type, { about, payload }]) => {
    const schema = z.toJSONSchema(payload) as Schema
    return declareField(type, { ...schema, description: about }, true, '  ')
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

function declareField(name: string, schema: Schema, isRequired: boolean, indent: string): string {
  const comment = schema.description === undefined ? '' : `${indent}/** ${schema.description} */\n`
  const start = `${indent}${name}${isRequired ? '' : '?'}:`
  const members = membersOf(schema, indent)
  const line = `${start} ${members.join(' | ')}`
  const isShort = members.length === 1 || line.length <= LINE_WIDTH
  return comment + (isShort ? line : [start, ...members].join(`\n${indent}  | `))
}

/** The members of the union that a schema stands for; mostly one. */
function membersOf(schema: Schema, indent: string): string[] {
  if (schema.anyOf !== undefined) return schema.anyOf.flatMap((one) => membersOf(one, indent))
  if ('const' in schema) return [literal(schema.const)]
  if (schema.enum !== undefined) return schema.enum.map(literal)
  return [schema.type ?? 'nothing'].flat().map((type) => typeOf(type, schema, indent))
}

function typeOf(type: string, schema: Schema, indent: string): string {
  const simple = SIMPLE[type]
  if (simple !== undefined) return simple
  if (type === 'array' && schema.items !== undefined) {
    const members = membersOf(schema.items, indent)
    return members.length === 1 ? `${members.join('')}[]` : `Array<${members.join(' | ')}>`
  }
  if (type === 'object' && schema.properties !== undefined) {
    const required = new Set(schema.required)
    const fields = Object.entries(schema.properties).map(([name, field]) =>
      declareField(name, field, required.has(name), `${indent}  `),
    )
    return ['{', ...fields, `${indent}}`].join('\n')
  }
  throw new Error(`no TypeScript for ${JSON.stringify(schema)}`)
}

function literal(value: unknown): string {
  return typeof value === 'string' ? `'${value.replace(/['\\]/g, '\\$&')}'` : JSON.stringify(value)
}

// The launcher imports the script that it runs, so import.meta.main would not tell.
if (process.argv[1] === import.meta.filename) {
  if (process.argv.includes('--write')) writeFileSync(TYPES_FILE, declareEvents())
  else process.stdout.write(declareEvents())
}
