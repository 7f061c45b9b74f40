import { z } from 'zod'

/** A point in time in responses: ISO 8601 in UTC with milliseconds in JSON, a Date in the code. */
export const Instant = z.codec(z.iso.datetime({ precision: 3 }), z.date(), {
  decode: (text) => new Date(text),
  encode: (date) => date.toISOString() as `${string}Z`,
})

/** A point in time in requests: ISO 8601 with any precision and time zone. */
export const InstantInput = z.iso
  .datetime({ offset: true, error: 'Must be a time such as 2026-11-15T08:30:00Z' })
  .transform((text) => new Date(text))

/** Warnings that a response carries about its request, such as unknown fields that were ignored. */
export const RequestWarnings = z
  .array(z.object({ path: z.string(), message: z.string() }))
  .optional()
  .describe(
    'Fields of the request that were ignored, with the most similar known name, and other warnings',
  )

export const IdParams = z.object({ id: z.string().min(1).max(100) })
export const SuccessResponse = z.object({ success: z.literal(true) })

export const ErrorResponse = z
  .object({
    error: z.string().describe('A sentence for people'),
    code: z.string().describe('For programs; never changes'),
    requestId: z.string(),
    details: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
    hint: z.string().optional().describe('What to do next, if known'),
  })
  .meta({ id: 'Error' })
