import { z } from 'zod'
import { Count, Instant, NextCursor, RequestWarnings, NullableText } from './common.ts'
import { createCursorParameterSchema, PageSizeParameter } from './query-parameters.ts'
import { TimeZoneInput } from './time-zone.ts'
import {
  BRIEF_MAIL_MINUTES,
  DIGEST_FREQUENCIES,
  MAIL_KINDS,
  MAIL_REASONS,
  MAIL_STATES,
  RECAP_MAIL_CHOICES,
  WEEKDAYS,
} from './values.ts'

const state = z
  .enum(MAIL_STATES)
  .describe(
    '`waiting`: to be sent, or sent again; `sent`: the mail server accepted it; `failed`: it could not be sent; `dropped`: it must not be sent any more',
  )

export const Mail = z
  .object({
    id: z.string().meta({ examples: ['mail_0ToY1a2B5b0c6a1f9d2f1a7e3b4c'] }),
    kind: z.enum(MAIL_KINDS),
    name: NullableText.describe('Name of the user; null for a person without an account'),
    email: z.string().describe('Where it is sent'),
    state,
    reason: z.enum(MAIL_REASONS).nullable().describe('Why it was not sent'),
    response: NullableText.meta({ examples: ['250 2.0.0 Ok: queued'] }).describe(
      'The last answer of the mail server, or why there was none',
    ),
    attempts: Count,
    createdAt: Instant,
    finishedAt: Instant.nullable(),
    canRetry: z
      .boolean()
      .describe('True if it can be sent again: it failed or waits, and is not older than a week'),
    dueAt: Instant.nullable().describe('When it is sent at the earliest; null if it is finished'),
  })
  .meta({ id: 'Mail' })

export const MailQuery = z.object({
  state: z.enum(MAIL_STATES).optional().describe('Only mail in this state'),
  limit: PageSizeParameter,
  cursor: createCursorParameterSchema(200),
})
export const MailResponse = z.object({ mails: z.array(Mail), nextCursor: NextCursor })

export const MailStatusResponse = z.object({
  isOn: z.boolean().describe('True if the settings name a mail server'),
  server: NullableText.meta({ examples: ['mail.example.com:587'] }),
  tls: z.enum(['required', 'opportunistic', 'off']).nullable(),
  from: NullableText.meta({ examples: ['hansard@example.com'] }).describe('The sender'),
  counts: z
    .object({ waiting: Count, sent: Count, failed: Count, dropped: Count })
    .describe('How much mail is in each state, as long as its records are kept'),
})

const recapMail = z
  .enum(RECAP_MAIL_CHOICES)
  .describe('Which of the recaps that projects mail the user wants')
const digestFields = {
  frequency: z.enum(DIGEST_FREQUENCIES).describe('How often a digest is mailed'),
  weekday: z.enum(WEEKDAYS).describe('Day of a weekly digest'),
  hour: z.int().min(0).max(23).describe('Hour at which it is mailed, in the time zone'),
}

const briefMinutes = z
  .union(BRIEF_MAIL_MINUTES.map((minutes) => z.literal(minutes)))
  .nullable()
  .describe('How many minutes before their meetings the user gets a brief; null for none')

/** Which mail the signed-in user wants. Absent fields stay unchanged. */
export const NotificationsBody = z.object({
  recapMail: recapMail.optional(),
  digest: z.object({ ...digestFields, timeZone: TimeZoneInput }).optional(),
  briefMinutes: briefMinutes.optional(),
})
export const NotificationsResponse = z.object({
  recapMail,
  digest: z.object({
    ...digestFields,
    timeZone: NullableText.describe('IANA time zone; null if none was chosen yet'),
  }),
  briefMinutes: z.int().nullable().describe('Null for no briefs'),
  feed: z
    .object({ createdAt: Instant.describe('When its address was created') })
    .nullable()
    .describe('The digest as a feed; null without one'),
  warnings: RequestWarnings,
})

export const CreateDigestFeedBody = z.object({
  timeZone: TimeZoneInput.describe('Used if the user has not chosen one yet'),
})
export const CreatedDigestFeedResponse = z.object({
  url: z
    .url()
    .meta({ examples: ['https://hansard.example.com/feeds/digest/4fJq0Zb1y9nB4Q2wKxT5'] })
    .describe('The secret address of the feed, which is returned only once'),
  warnings: RequestWarnings,
})

export type ApiDigestChoice = z.input<typeof NotificationsResponse>['digest']
export type ApiMail = z.input<typeof Mail>
export type ApiMailStatus = z.input<typeof MailStatusResponse>
