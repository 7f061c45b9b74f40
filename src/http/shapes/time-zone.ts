import { z } from 'zod'
import { canonicalTimeZone } from '../../lib/time/time-zone-name.ts'

/** The name of a time zone that a caller sends. Normalize it with `canonicalTimeZone`. */
export const TimeZoneInput = z
  .string()
  .max(64)
  .refine(
    (name) => canonicalTimeZone(name) !== null,
    'Must be an IANA time zone such as Europe/Berlin',
  )
  .meta({ examples: ['Europe/Berlin'] })
