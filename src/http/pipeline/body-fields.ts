import { z } from 'zod'
import type { ErrorDetail } from '../../errors.ts'
import { findNearestName, MAX_SUGGESTIONS } from '../../lib/text/nearest-name.ts'
import { shortenName } from '../../lib/text/shorten-name.ts'
import { createIssueDescriber, MAX_PROBLEMS, MISSING_MESSAGE } from '../../lib/text/validation.ts'

type UnknownField = { prefix: string; name: string; known: readonly string[] }

/** Parses a body, or returns its problems. For a missing field it suggests the unknown field that it may be. */
export function parseBody(
  body: unknown,
  schema: z.ZodType,
  unknownFields: readonly ErrorDetail[],
): { data: unknown; problems: ErrorDetail[] } {
  const describe = createIssueDescriber()
  let missing = 0
  const { data, error } = schema.safeParse(body, {
    error: (issue) => {
      if ((issue.path ?? []).length === 0) return describeBody(body)
      const message = describe(issue)
      if (issue.input !== undefined || (missing += 1) > MAX_SUGGESTIONS) return message
      const misspelt = findMisspeltField(toDottedFieldPath(issue.path), unknownFields)
      return misspelt === null ? message : `${message}; ${misspelt}`
    },
  })
  const problems = (error?.issues ?? []).map(({ path, message }) => ({
    path: toDottedFieldPath(path) || 'body',
    message,
  }))
  return { data, problems }
}

/** The parsed values of the valid fields that have a value. */
export function pickValidFields(
  body: unknown,
  { shape }: z.ZodObject,
  problems: readonly ErrorDetail[],
): Record<string, unknown> {
  if (!isJsonObject(body)) return {}
  const isValid = (name: string) =>
    problems.every(({ path }) => path !== name && !path.startsWith(`${name}.`))
  return Object.fromEntries(
    Object.entries(shape)
      .filter(([name]) => Object.hasOwn(body, name) && isValid(name))
      .map(([name, field]) => [name, (field as z.ZodType).safeParse(body[name]).data]),
  )
}

export function toDottedFieldPath(path: readonly PropertyKey[] | undefined): string {
  return (path ?? []).map((name) => shortenName(String(name))).join('.')
}

/** The problems that a response names, and the number of further ones. */
export function limitProblems(problems: readonly ErrorDetail[]): ErrorDetail[] {
  const others = problems.length - MAX_PROBLEMS
  if (others <= 0) return [...problems]
  const message = `More problems were found: ${others}`
  return [...problems.slice(0, MAX_PROBLEMS), { path: 'body', message }]
}

function describeBody(body: unknown): string {
  return body === undefined
    ? `${MISSING_MESSAGE}: send a JSON object`
    : 'Must be a JSON object, in braces'
}

/** Compares unknown and missing fields of the same object. */
function findMisspeltField(missing: string, unknownFields: readonly ErrorDetail[]): string | null {
  const [folder, name] = splitPath(missing)
  // If there are more fields, the last entry is not a field but their number.
  const candidates = unknownFields.slice(0, MAX_SUGGESTIONS).flatMap(({ path }) => {
    const [parent, sent] = splitPath(path)
    return parent === folder ? sent : []
  })
  const nearest = findNearestName(name, candidates)
  return nearest === null ? null : `you sent ${nearest}, did you mean ${name}?`
}

function splitPath(path: string): [parent: string, name: string] {
  const dot = path.lastIndexOf('.')
  return [path.slice(0, dot + 1), path.slice(dot + 1)]
}

/** Names the first fields of a request body that are not in the schema, each with the most similar known name. */
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

/**
 * Removes optional fields that are null, because many generated clients send null for a field that is not set. A null
 * that the schema accepts has its own meaning and stays, as does the null of a required field.
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
