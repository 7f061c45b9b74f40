import { z } from 'zod'

const DEFAULT_PAGE_SIZE = 50
const MAX_PAGE_SIZE = 100
/** Description of the parameter `limit` of paged lists. */
export const PAGE_SIZE_RULE = `Default ${DEFAULT_PAGE_SIZE}, at most ${MAX_PAGE_SIZE}`

export const NON_NEGATIVE_INTEGER = /^\d{1,9}$/

export const POSITIVE_INTEGER = /^0*[1-9]\d*$/

/** Page size of a list. A value above the maximum is reduced, not rejected. */
export function limitParameter() {
  return z
    .string()
    .regex(POSITIVE_INTEGER, 'Must be a whole number of at least 1')
    .transform((text) => Math.min(Number(text), Number.MAX_SAFE_INTEGER))
}

/** A whole number in a query string, where all values are text. */
export function integerParameter(name: string) {
  return z.string().regex(NON_NEGATIVE_INTEGER, `${name} must be a whole number`).transform(Number)
}

/** The page size for a requested limit. A limit above the maximum is reduced. */
export function pageSize(limit: number | undefined): number {
  return Math.min(limit ?? DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE)
}
