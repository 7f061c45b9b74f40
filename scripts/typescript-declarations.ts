// Converts the part of JSON Schema that the HTTP API uses to TypeScript declarations.

const LINE_WIDTH = 100

/** The supported part of JSON Schema. Anything else throws, because a wrong type is worse than none. */
export type Schema = {
  $ref?: string
  type?: string | string[]
  const?: unknown
  enum?: unknown[]
  anyOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  additionalProperties?: Schema | boolean
  required?: string[]
  description?: string
  default?: unknown
  format?: string
}

const SIMPLE: Readonly<Record<string, string>> = {
  string: 'string',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
  null: 'null',
}

/** Declares one field of an object, in the formatter's layout. JSON leaves out fields that are undefined. */
export function declareField(
  name: string,
  schema: Schema,
  isRequired: boolean,
  indent: string,
): string {
  const facts = [
    ...(schema.description === undefined ? [] : [schema.description]),
    ...(schema.default === undefined ? [] : [`default ${JSON.stringify(schema.default)}`]),
  ]
  const comment = facts.length === 0 ? '' : `${indent}/** ${facts.join('; ')} */\n`
  const start = `${indent}${quoteName(name)}${isRequired ? '' : '?'}:`
  const types = membersOf(schema, indent)
  const members = isRequired ? types : [...types, 'undefined']
  const line = `${start} ${members.join(' | ')}`
  const isShort = types.length === 1 || line.length <= LINE_WIDTH
  return comment + (isShort ? line : [start, ...members].join(`\n${indent}  | `))
}

export function declareType(schema: Schema, indent = ''): string {
  return membersOf(schema, indent).join(' | ')
}

/** The members of a schema's union type; usually just one. */
function membersOf(schema: Schema, indent: string): string[] {
  if (Object.keys(schema).every((keyword) => keyword === 'description')) return ['unknown']
  if (schema.$ref !== undefined) return [schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1)]
  if (schema.anyOf !== undefined) return schema.anyOf.flatMap((one) => membersOf(one, indent))
  if ('const' in schema) return [literal(schema.const)]
  if (schema.enum !== undefined) return schema.enum.map(literal)
  return [schema.type ?? 'nothing'].flat().map((type) => typeOf(type, schema, indent))
}

function typeOf(type: string, schema: Schema, indent: string): string {
  if (schema.format === 'binary') return 'Blob'
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
    return fields.length === 0 ? 'Record<string, never>' : ['{', ...fields, `${indent}}`].join('\n')
  }
  if (type === 'object' && typeof schema.additionalProperties === 'object') {
    const isAnything = Object.keys(schema.additionalProperties).length === 0
    const value = isAnything ? 'unknown' : declareType(schema.additionalProperties, indent)
    return `Record<string, ${value}>`
  }
  throw new Error(`no TypeScript for ${JSON.stringify(schema)}`)
}

function quoteName(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : literal(name)
}

function literal(value: unknown): string {
  return typeof value === 'string' ? `'${value.replace(/['\\]/g, '\\$&')}'` : JSON.stringify(value)
}
