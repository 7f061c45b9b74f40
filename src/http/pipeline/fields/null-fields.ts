import { z } from 'zod'
import { isJsonObject, unwrapOptionalAndNullable } from './unknown-fields.ts'

/**
 * The body without the optional fields that are null: many generated clients send null for a field that is not set.
 * A null that the schema accepts has a meaning of its own and stays; so does the null of a required field.
 */
export function dropNullOptionalFields(given: unknown, schema: z.ZodType): unknown {
  const inner = unwrapOptionalAndNullable(schema)
  if (!(inner instanceof z.ZodObject) || !isJsonObject(given)) return given
  const fields = Object.entries(given).flatMap(([name, value]) => {
    if (!Object.hasOwn(inner.shape, name)) return [[name, value]]
    const field = inner.shape[name] as z.ZodType
    return value === null && isNullMeaningless(field)
      ? []
      : [[name, dropNullOptionalFields(value, field)]]
  })
  return Object.fromEntries(fields)
}

function isNullMeaningless(field: z.ZodType): boolean {
  return !field.safeParse(null).success && field.safeParse(undefined).success
}
