import { z } from 'zod'
import { RequestWarnings, NullableText } from './common.ts'
import { RecapLanguage } from './meetings/meeting-fields.ts'
import {
  GUEST_LINK_DAYS,
  MAX_INSTRUCTIONS_CHARS,
  RECAP_MAIL_RECIPIENTS,
  RECAP_SECTIONS,
} from './values.ts'

const recapLanguage = NullableText.describe(
  'Language in which a model writes; null for the setting HANSARD_RECAP_LANGUAGE',
)
const sections = z
  .array(z.enum(RECAP_SECTIONS))
  .describe('The sections that recaps have, in their order')
const instructions = z
  .string()
  .describe('What a language model is asked for besides; empty for nothing')
  .meta({ examples: ['Write for people who missed the meeting. Name customers.'] })

const recapMail = z
  .enum(RECAP_MAIL_RECIPIENTS)
  .describe(
    'Who gets new recaps by mail: `nobody`, `participants` with an account, or `members`, who are all who may read the project',
  )

const mailsGuests = z
  .boolean()
  .describe(
    'True if people without an account get recaps too, by the addresses in the calendar invitation and with a share link. Only owners of the project turn it on, and it works while the owner who did so is one',
  )
const guestLinkDays = z
  .int()
  .min(1)
  .max(GUEST_LINK_DAYS.max)
  .meta({ examples: [14] })
  .describe('The share links of guests expire after this many days. Only owners change it')

export const RecapSettingsResponse = z.object({
  project: z.string(),
  recapLanguage,
  sections,
  instructions,
  recapMail,
  mailsGuests,
  guestLinkDays,
  warnings: RequestWarnings,
})

export const UpdateRecapSettingsBody = z
  .object({
    recapLanguage: RecapLanguage.nullable().optional(),
    sections: sections
      .min(1)
      .max(RECAP_SECTIONS.length)
      .refine((names) => new Set(names).size === names.length, 'Must not name a section twice')
      .optional(),
    instructions: instructions.max(MAX_INSTRUCTIONS_CHARS).optional(),
    recapMail: recapMail.optional(),
    mailsGuests: mailsGuests.optional(),
    guestLinkDays: guestLinkDays.optional(),
  })
  .meta({ examples: [{ recapLanguage: 'de', sections: ['decisions', 'actions', 'summary'] }] })

/** The JSON form of the response, for the console. */
export type ApiRecapSettings = z.input<typeof RecapSettingsResponse>
