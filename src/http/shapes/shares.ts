import { z } from 'zod'
import { Count, Instant, MeetingId, RequestWarnings, NullableText } from './common.ts'
import { SHARE_STATES } from './values.ts'

/** Read-only links to a meeting or document. */
const MAX_DAYS = 365
const DEFAULT_DAYS = 30

const ShareId = z.string().meta({ pattern: '^share_[0-9A-Za-z]+$' })
const documentPath = z.string().min(1).max(2_000).describe('Path of the document in its project')

export const Share = z
  .object({
    shareId: ShareId,
    meetingId: MeetingId.nullable().describe('Null for a document'),
    title: NullableText.describe(
      'Title of the meeting; null for a document and for a meeting that was moved',
    ),
    path: NullableText.describe('Path of the document in its project; null for a meeting'),
    state: z
      .enum(SHARE_STATES)
      .describe(
        'Only an `active` link opens. `made_private`, `moved`, `document_removed`: ended by that change. `creator_not_owner`: its creator may not share this project any more. `token_revoked`: the API token that created it was revoked',
      ),
    hasPassword: z.boolean(),
    recipient: NullableText.meta({ examples: ['guest@example.com'] }).describe(
      'Address of the guest to whom the link was mailed; null for other links',
    ),
    createdBy: NullableText.describe(
      'Name of the user; null for a service token and a removed user',
    ),
    createdAt: Instant,
    expiresAt: Instant,
    endedAt: Instant.nullable().describe('Null unless it was ended before it expired'),
    useCount: Count.describe('How often the page was shown'),
    lastUsedAt: Instant.nullable().describe('Null if never'),
  })
  .meta({ id: 'Share' })

const shareFields = {
  days: z
    .int()
    .min(1)
    .max(MAX_DAYS)
    .default(DEFAULT_DAYS)
    .describe('The link expires after this many days'),
  password: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe('Readers must enter it; at least 8 characters'),
}
export const CreateShareBody = z.object(shareFields).meta({ examples: [{ days: 30 }] })
export const CreateDocumentShareBody = z
  .object({ path: documentPath, ...shareFields })
  .meta({ examples: [{ path: 'notes/plan.md', days: 30 }] })
export const CreateShareResponse = z.object({
  share: Share,
  url: z
    .string()
    .describe('The link. It is shown only once: only its hash is stored')
    .meta({
      examples: ['https://hansard.example.com/s/3q8VtN0bZxYw1RkLmPfGhJdSaQeUiOc7T5B2n4E6K9z'],
    }),
  warnings: RequestWarnings,
})
export const SharesResponse = z.object({
  shares: z.array(Share),
  isOn: z.boolean().describe('False when the operator turned share links off: none opens'),
})
export const ProjectSharesQuery = z.object({
  path: documentPath.optional().describe('Only links to this document'),
})

export type ApiShare = z.input<typeof Share>
export type ApiCreatedShare = z.input<typeof CreateShareResponse>
