import { z } from 'zod'
import { exampleValueOfField } from './field-examples.ts'

export type JsonSchema = Record<string, unknown>
export type NamedSchemas = Record<string, JsonSchema>

/** The largest 32-bit integer. Larger integers need the format int64, which generated clients read as a wider type. */
const MAX_INT32 = 2_147_483_647

/** The JSON Schema of a value in its JSON form. Schemas with an id go to the components of the document. */
export function toJsonSchema(schema: z.ZodType, collectedSchemas: NamedSchemas): JsonSchema {
  const {
    $schema: _,
    $defs = {},
    ...root
  } = JSON.parse(
    JSON.stringify(
      z.toJSONSchema(schema, { io: 'input', override: ({ jsonSchema }) => tidySchema(jsonSchema) }),
    ).replaceAll('"#/$defs/', '"#/components/schemas/'),
  ) as { $schema: string; $defs?: NamedSchemas; id?: string }
  for (const [name, { id: _id, ...part }] of Object.entries($defs))
    collectedSchemas[name] = withExamples(part)
  const { id, ...rest } = root
  if (id === undefined) return withExamples(rest)
  collectedSchemas[id] = withExamples(rest)
  return { $ref: `#/components/schemas/${id}` }
}

/** Replaces details that zod checks inside the service with what a client needs to know. */
function tidySchema(jsonSchema: z.core.JSONSchema.BaseSchema): void {
  // Redundant with the format.
  if (jsonSchema.format === 'date-time' || jsonSchema.format === 'date') delete jsonSchema.pattern
  // One keyword for all unions, because the document, its examples and the generated client know only this one.
  if (jsonSchema.oneOf !== undefined) {
    jsonSchema.anyOf = jsonSchema.oneOf
    delete jsonSchema.oneOf
  }
  if (jsonSchema.type !== 'integer') return
  // A number in a query string is a text that matches a pattern.
  delete jsonSchema.pattern
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
  if (!(Number(jsonSchema.maximum) <= MAX_INT32)) jsonSchema.format = 'int64'
}

/** The schema with an example for each property that has none. */
function withExamples(schema: JsonSchema): JsonSchema {
  return Object.fromEntries(
    Object.entries(schema).map(([keyword, value]) => {
      if (keyword === 'properties') return [keyword, propertiesWithExamples(value as NamedSchemas)]
      if (keyword === 'items' || keyword === 'additionalProperties')
        return [keyword, isSchema(value) ? withExamples(value) : value]
      if (keyword === 'anyOf') return [keyword, (value as JsonSchema[]).map(withExamples)]
      return [keyword, value]
    }),
  )
}

function propertiesWithExamples(properties: NamedSchemas): NamedSchemas {
  return Object.fromEntries(
    Object.entries(properties).map(([name, property]) => {
      const schema = withExamples(property)
      if ('examples' in schema) return [name, schema]
      const example = exampleValueOfField(name, schema)
      return [name, example === undefined ? schema : { ...schema, examples: [example] }]
    }),
  )
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null
}
