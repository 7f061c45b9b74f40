import { z } from 'zod'

/** The rule of a browser's email field: a host without a dot is valid too, such as `localhost` on a local instance. */
export const EmailAddress = z.email({ pattern: z.regexes.html5Email })
