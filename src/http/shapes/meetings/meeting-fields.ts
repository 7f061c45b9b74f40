import { z } from 'zod'
import {
  canonicalLanguageTag,
  LANGUAGE_TAG_ERROR,
  MAX_LANGUAGE_TAG_LENGTH,
} from '../../../lib/text/language-tag.ts'
import { MEETING_STATUSES, type MeetingStatus } from '../values.ts'
import { DocumentPath, Instant } from '../common.ts'

// Fields that several requests and responses about meetings have.

export const NullableDocumentPath = DocumentPath.nullable().describe(
  'Null when no document is saved, and while the meeting is scheduled',
)
export const MeetingStatusField = z.enum(MEETING_STATUSES as [MeetingStatus, ...MeetingStatus[]])

/** When the bot of a scheduled meeting joins, in responses. */
export const JoinAt = Instant.nullable().describe(
  'When the bot was asked to join; null when the meeting was started at once',
)
export const MeetingTitleInput = z.string().trim().min(1).max(200).meta({ pattern: '\\S' })

/** The id of a meeting in requests. An unknown id gets 404, no matter its form. */
export const MeetingIdInput = z.string().min(1).max(100)

/** The language of a recap in requests. */
export const RecapLanguage = z
  .string()
  .refine((tag) => canonicalLanguageTag(tag) !== null, LANGUAGE_TAG_ERROR)
  .meta({ maxLength: MAX_LANGUAGE_TAG_LENGTH, examples: ['de'] })
export const RecapLanguageInput = RecapLanguage.optional().describe(
  'Language in which a language model writes the recap; default that of the project, or the setting HANSARD_RECAP_LANGUAGE',
)
