import { z } from 'zod'

const DEFAULT_PAGE_SIZE = 50
const MAX_PAGE_SIZE = 100
/** Text of the API reference that describes the query parameter `limit` of paged lists. */
export const PAGE_SIZE_DESCRIPTION = `Default ${DEFAULT_PAGE_SIZE}, at most ${MAX_PAGE_SIZE}`

/** Clients for which every number is a fraction write `50` as `50.0`. */
export const NON_NEGATIVE_INTEGER_PATTERN = /^\d{1,9}(?:\.0+)?$/

export const POSITIVE_INTEGER_PATTERN = /^0*[1-9]\d*(?:\.0+)?$/

/** Schema of the query parameter `limit`, the page size of a list. A value above the maximum page size is accepted. */
export function createLimitParameterSchema() {
  return z
    .string()
    .regex(POSITIVE_INTEGER_PATTERN, 'Must be a whole number of at least 1')
    .transform((text) => Math.min(Number(text), Number.MAX_SAFE_INTEGER))
}

/** Schema of a query parameter that is a whole number; in a query string it arrives as text. */
export function createIntegerParameterSchema() {
  return z
    .string()
    .regex(NON_NEGATIVE_INTEGER_PATTERN, 'Must be a whole number from 0 to 999999999')
    .transform(Number)
}

/** The page size to use for a requested `limit`: the default without one, and never more than the maximum. */
export function resolvePageSize(limit: number | undefined): number {
  return Math.min(limit ?? DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE)
}
