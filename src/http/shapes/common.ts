import { z } from 'zod'

/** Every instant on the wire: ISO 8601 UTC with milliseconds. Stored as timestamptz, so a Date inside. */
export const Instant = z.codec(z.iso.datetime({ precision: 3 }), z.date(), {
  decode: (text) => new Date(text),
  encode: (date) => date.toISOString() as `${string}Z`,
})

/** An instant that somebody else wrote: as exact as they like, in any zone. */
export const InstantInput = z.iso
  .datetime({ offset: true, error: 'Must be a time such as 2026-11-15T08:30:00Z' })
  .transform((text) => new Date(text))

/** Added to an answer when the request held fields that nobody reads. */
export const Warnings = z
  .array(z.object({ path: z.string(), message: z.string() }))
  .optional()
  .describe(
    'Fields of the request that were ignored, with the nearest known name where there is one',
  )

export const ErrorResponse = z
  .object({
    error: z.string().describe('A sentence for a person'),
    code: z.string().describe('Stable, for programs'),
    requestId: z.string(),
    details: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
    hint: z.string().optional().describe('What to do next, where that is known'),
  })
  .meta({ id: 'Error' })
