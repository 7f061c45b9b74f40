import { z } from 'zod'

/** A whole number in a query, where everything is text. */
export function wholeNumber(name: string) {
  return z
    .string()
    .regex(/^\d{1,9}$/, `${name} must be a whole number`)
    .transform(Number)
}
