import { z } from 'zod'
import { isUserMarkKey } from '../../accounts/users/mark-keys.ts'
import { Instant } from './common.ts'
import { USER_MARK_KINDS } from './values.ts'

/** What the console remembers for the signed-in user: first steps that were done, and dismissed notices. */

export const MarkParams = z
  .object({ kind: z.enum(USER_MARK_KINDS), key: z.string().min(1).max(200) })
  .refine(({ kind, key }) => isUserMarkKey(kind, key), {
    message: 'Is not a key of this kind',
    path: ['key'],
  })
export const MarksResponse = z.object({
  marks: z.array(z.object({ kind: z.enum(USER_MARK_KINDS), key: z.string(), at: Instant })),
})

export type WireMarks = z.input<typeof MarksResponse>
