import { z } from 'zod'

const DEFAULT_PAGE_SIZE = 50
const MAX_PAGE_SIZE = 100

/** Base64 for URLs; see formatCursor in src/db/page-cursor.ts. */
const CURSOR_PATTERN = /^[\w-]+$/

/** Clients whose numbers are all fractions write `50` as `50.0`. */
const NON_NEGATIVE_INTEGER_PATTERN = /^\d{1,9}(?:\.0+)?$/

const POSITIVE_INTEGER_PATTERN = /^0*[1-9]\d*(?:\.0+)?$/

/** The query parameter `limit`, the page size of a list. A value above the maximum is accepted. */
export function createLimitParameterSchema(documentedDefault?: number) {
  return (
    z
      .string()
      .regex(POSITIVE_INTEGER_PATTERN, 'Must be a whole number of at least 1')
      // The OpenAPI document describes the number instead of the text that carries it.
      .meta({
        type: 'integer',
        minimum: 1,
        ...(documentedDefault !== undefined && { default: documentedDefault }),
      })
      .transform((text) => Math.min(Number(text), Number.MAX_SAFE_INTEGER))
  )
}

export const PageSizeParameter = createLimitParameterSchema(DEFAULT_PAGE_SIZE)
  .optional()
  .describe(`How many to return; a number above ${MAX_PAGE_SIZE} counts as ${MAX_PAGE_SIZE}`)

/** The query parameter `cursor` of paged lists. */
export function createCursorParameterSchema(maxLength: number) {
  return z
    .string()
    .regex(CURSOR_PATTERN, 'Must be the nextCursor of an earlier answer')
    .max(maxLength)
    .optional()
    .describe('`nextCursor` of the previous page; without it the first page')
}

/** A query parameter that is a whole number. It arrives as text. */
export function createIntegerParameterSchema(documentedDefault?: number) {
  return z
    .string()
    .regex(NON_NEGATIVE_INTEGER_PATTERN, 'Must be a whole number from 0 to 999999999')
    .meta({
      type: 'integer',
      minimum: 0,
      maximum: 999_999_999,
      ...(documentedDefault !== undefined && { default: documentedDefault }),
    })
    .transform(Number)
}

/** The page size for a requested `limit`: the default if there is none, and never more than the maximum. */
export function resolvePageSize(limit: number | undefined): number {
  return Math.min(limit ?? DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE)
}
