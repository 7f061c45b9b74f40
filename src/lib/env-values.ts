import { z } from 'zod'

// How the text of an environment variable is read.

export const text = z.string().min(1)
export const flag = z.enum(['on', 'off']).transform((value) => value === 'on')

export function wholeNumber(min: number, max: number) {
  const message = `must be a whole number from ${min} to ${max}`
  return z
    .string()
    .regex(/^\d{1,12}$/, message)
    .transform(Number)
    .refine((value) => value >= min && value <= max, message)
}
