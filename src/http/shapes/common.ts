import { z } from 'zod'

/** Every instant on the wire: ISO 8601 UTC with milliseconds. Stored as timestamptz, so a Date inside. */
export const Instant = z.codec(z.iso.datetime({ precision: 3 }), z.date(), {
  decode: (text) => new Date(text),
  encode: (date) => date.toISOString() as `${string}Z`,
})

/** Added to an answer when the request held fields that nobody reads. */
export const Warnings = z
  .array(z.object({ path: z.string(), message: z.string() }))
  .optional()
  .describe('Fields of the request that were ignored, with the nearest known name where there is one')
