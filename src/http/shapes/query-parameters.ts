import { z } from 'zod'

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
