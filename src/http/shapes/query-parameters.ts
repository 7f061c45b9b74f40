import { z } from 'zod'

export const NON_NEGATIVE_INTEGER = /^\d{1,9}$/

export const POSITIVE_INTEGER = /^0*[1-9]\d*$/

/** How many of a list; more than anybody gets is no mistake. */
export function limitParameter() {
  return z
    .string()
    .regex(POSITIVE_INTEGER, 'Must be a whole number of at least 1')
    .transform((text) => Math.min(Number(text), Number.MAX_SAFE_INTEGER))
}

/** A whole number in a query, where everything is text. */
export function integerParameter(name: string) {
  return z.string().regex(NON_NEGATIVE_INTEGER, `${name} must be a whole number`).transform(Number)
}
