import { z } from 'zod'
import type { ErrorDetail } from '../../../errors.ts'
import { findNearestName, MAX_SUGGESTIONS } from '../../../lib/text/nearest-name.ts'
import { shortenName } from '../../../lib/text/shorten-name.ts'

type UnknownField = { prefix: string; name: string; known: readonly string[] }

/** Names the first fields of a request body that no schema names, each with the most similar known name. */
export function findUnknownFields(given: unknown, schema: z.ZodObject): ErrorDetail[] {
  const found = listUnknownFields(given, schema, '')
  const named = found.slice(0, MAX_SUGGESTIONS).map(({ prefix, name, known }) => {
    const nearest = findNearestName(name, known)
    const message = `Unknown field, ignored${nearest === null ? '' : `; did you mean ${prefix}${nearest}?`}`
    return { path: `${prefix}${shortenName(name)}`, message }
  })
  const others = found.length - named.length
  if (others === 0) return named
  return [...named, { path: 'body', message: `More unknown fields were ignored: ${others}` }]
}

function listUnknownFields(given: unknown, schema: z.ZodObject, prefix: string): UnknownField[] {
  if (!isJsonObject(given)) return []
  const known = Object.keys(schema.shape)
  return Object.keys(given).flatMap((name): UnknownField[] => {
    if (!known.includes(name)) return [{ prefix, name, known }]
    const inner = unwrapOptionalAndNullable(schema.shape[name] as z.ZodType)
    return inner instanceof z.ZodObject
      ? listUnknownFields(given[name], inner, `${prefix}${name}.`)
      : []
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
