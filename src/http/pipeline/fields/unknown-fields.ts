import { z } from 'zod'
import type { ErrorDetail } from '../../../errors.ts'
import { findNearestName } from '../../../lib/text/nearest-name.ts'

/** Names the fields of a request body that no schema names, each with the most similar known name. */
export function findUnknownFields(given: unknown, schema: z.ZodObject, prefix = ''): ErrorDetail[] {
  if (!isJsonObject(given)) return []
  const known = Object.keys(schema.shape)
  return Object.keys(given).flatMap((name): ErrorDetail[] => {
    if (known.includes(name)) {
      const inner = unwrapOptionalAndNullable(schema.shape[name] as z.ZodType)
      return inner instanceof z.ZodObject
        ? findUnknownFields(given[name], inner, `${prefix}${name}.`)
        : []
    }
    const nearest = findNearestName(name, known)
    const message = `Unknown field, ignored${nearest === null ? '' : `; did you mean ${prefix}${nearest}?`}`
    return [{ path: `${prefix}${name}`, message }]
  })
}

export function unwrapOptionalAndNullable(schema: z.ZodType): z.ZodType {
  return schema instanceof z.ZodOptional || schema instanceof z.ZodNullable
    ? unwrapOptionalAndNullable(schema.unwrap() as z.ZodType)
    : schema
}

export function isJsonObject(given: unknown): given is Record<string, unknown> {
  return typeof given === 'object' && given !== null && !Array.isArray(given)
}
