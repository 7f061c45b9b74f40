import { z } from 'zod'

export const WHOLE_NUMBER = /^\d{1,9}$/

/** A whole number in a query, where everything is text. */
export function wholeNumber(name: string) {
  return z.string().regex(WHOLE_NUMBER, `${name} must be a whole number`).transform(Number)
}
