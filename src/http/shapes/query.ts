import { z } from 'zod'

export const WHOLE_NUMBER = /^\d{1,9}$/

export const SOME_NUMBER = /^0*[1-9]\d*$/

/** How many of a list; more than anybody gets is no mistake. */
export function pageLimit() {
  return z
    .string()
    .regex(SOME_NUMBER, 'Must be a whole number of at least 1')
    .transform((text) => Math.min(Number(text), Number.MAX_SAFE_INTEGER))
}

/** A whole number in a query, where everything is text. */
export function wholeNumber(name: string) {
  return z.string().regex(WHOLE_NUMBER, `${name} must be a whole number`).transform(Number)
}
