import type { MeetingDeliveryState } from '../../deliveries/history/delivery-summary.ts'
import type { EventType } from '../../meetings/event-types.ts'

/*
 * The values of the enumerated fields of the API, without zod: the shapes validate with these lists, and the
 * console imports them at run time to build its menus and labels.
 */

export { GROUP_ROLES, type GroupRole } from '../../access/rules.ts'
export {
  MEMBER_ROLES,
  PROJECT_ACCESS_LEVELS,
  PROMPT_REFUSALS,
  type MemberRole,
  type ProjectAccess,
  type PromptRefusal,
} from '../../access/rules.ts'
export { SHARE_STATES, type ShareState } from '../../access/sharing/share-states.ts'
export { AUDIT_ACTIONS, type AuditAction } from '../../accounts/audit-actions.ts'
export { PASSWORD_HINT } from '../../accounts/sign-in/password-length.ts'
export {
  SIGN_IN_PROBLEMS,
  type SignInProblem,
} from '../../accounts/sign-in/provider/sign-in-problems.ts'
export {
  API_TOKEN_KINDS,
  API_TOKEN_SCOPES,
  ROLES,
  type ApiTokenKind,
  type ApiTokenScope,
  type Role,
} from '../../accounts/roles.ts'
export {
  ATTENTION_KINDS,
  GET_STARTED_STEPS,
  HIDDEN_LIST_KEY,
  USER_MARK_KINDS,
  type AttentionKind,
  type GetStartedStep,
  type UserMarkKind,
} from '../../accounts/users/mark-keys.ts'
export { USER_NOTICES, type UserNotice } from '../../accounts/users/notices.ts'
export { ANSWER_LIMITS, ANSWER_METHODS, type AnswerLimit } from '../../ask/answer.ts'
export {
  BRIEF_MAIL_MINUTES,
  BRIEF_MINUTES,
  MEETING_RELATIONS,
  type MeetingRelation,
} from '../../brief/brief-values.ts'
export { CALENDAR_PROVIDERS, type CalendarProviderName } from '../../calendars/calendar.ts'
export { ACCOUNT_PROBLEMS, type AccountProblem } from '../../calendars/providers/account.ts'
export {
  CONNECTION_KINDS,
  CREDENTIAL_KINDS,
  TRANSCRIPT_STATES,
  type ConnectionKind,
  type CredentialKind,
  type TranscriptState,
} from '../../connections/connection.ts'
export { MICROSOFT_CLOUDS, type MicrosoftCloud } from '../../network/microsoft-hosts.ts'
export { MAX_TERM_CHARS, MAX_TERMS } from '../../projects/vocabulary-limits.ts'
export {
  IMPORT_FORMAT_TITLES,
  IMPORT_FORMATS,
  MAX_IMPORT_BYTES,
  type ImportFormat,
} from '../../meetings/importing/format-names.ts'
export {
  MAIL_KINDS,
  MAIL_REASONS,
  MAIL_STATES,
  type MailKind,
  type MailReason,
  type MailState,
} from '../../mail/mail.ts'
export {
  DIGEST_FREQUENCIES,
  WEEKDAYS,
  type DigestFrequency,
  type Weekday,
} from '../../mail/digest/choice-names.ts'
export { RECAP_MAIL_CHOICES, type RecapMailChoice } from '../../mail/recap-mail/choice-names.ts'
export { MEETING_PLATFORMS, type MeetingPlatform } from '../../meetings/meeting-platforms.ts'
export { ACCOUNT_PLATFORMS } from '../../bots/accounts/sites.ts'
export {
  UPCOMING_REASON_TEXTS,
  UPCOMING_REASONS,
  type UpcomingReason,
} from '../../calendars/planning/reasons.ts'
export {
  DEFAULT_SPEECH_MODE,
  SPEECH_MODES,
  type SpeechMode,
} from '../../bots/platforms/speech/speech-mode.ts'
export { PART_BYTES, RECORDING_STATES, type RecordingState } from '../../recordings/recording.ts'
export { SEGMENT_SOURCES, type SegmentSource } from '../../meetings/captions/segment-sources.ts'
export { PLATFORM_NAMES, type PlatformName } from '../../bots/platforms/platform.ts'
export { ATTEMPT_OUTCOMES, type AttemptOutcome } from '../../deliveries/lane/retry-policy.ts'
export type { MeetingDeliveryState } from '../../deliveries/history/delivery-summary.ts'
export type { DeliveryErrorCode } from '../../deliveries/transport.ts'
export type { EventType } from '../../meetings/event-types.ts'
export { formatGapText } from '../../meetings/transcript/gap-causes.ts'
export {
  ACTIVE_STATUSES,
  END_REASONS,
  MEETING_STATUSES,
  OPEN_STATUSES,
  type EndReason,
  type MeetingStatus,
} from '../../meetings/status.ts'
export { MATCHED_WORDS, RESULT_KINDS, type ResultKind } from '../../projects/search/search-types.ts'
export {
  NOTIFICATION_FORMATS,
  NOTIFICATION_TOPICS,
  type NotificationFormat,
  type NotificationTopic,
} from '../../deliveries/notifications/notification.ts'
export { CAPTURES, DEFAULT_CAPTURE, type Capture } from '../../meetings/official/capture.ts'
export { OFFICIAL_MODES, type OfficialMode } from '../../meetings/official/choose-lines.ts'
export { RECAP_METHODS, type RecapMethod } from '../../recap/recap.ts'
export {
  GUEST_LINK_DAYS,
  MAX_INSTRUCTIONS_CHARS,
  RECAP_MAIL_RECIPIENTS,
  RECAP_SECTIONS,
  type RecapMailRecipients,
  type RecapSectionName,
} from '../../recap/template.ts'
export {
  ACTION_ITEM_STATES,
  ACTION_ORDERS,
  type ActionItemState,
  type ActionOrder,
} from '../../recap/store/action-item.ts'
export {
  RECAP_ITEM_KINDS,
  RECAP_ITEM_SOURCES,
  type RecapItemKind,
  type RecapItemSource,
} from '../../recap/store/recap-item.ts'
export { RECAP_DOCUMENT_STATES, type RecapDocumentState } from '../../recap/store/recap-row.ts'
export {
  EXECUTION_STATUSES,
  SKIP_REASONS,
  TASK_TIMEOUT_LIMITS_MS,
  TRIGGER_EVENTS,
  TRIGGER_TYPES,
  TRIGGERING_MEETING_STATUSES,
  TRUNCATION_REASONS,
  type ExecutionStatus,
  type SkipReason,
  type TriggerEvent,
  type TriggerType,
  type TruncationReason,
} from '../../tasks/task.ts'

export const EVENT_TYPES = listAll<EventType>({
  meeting_status: true,
  caption_partial: true,
  segment_finalized: true,
  coach_insight: true,
  participant_joined: true,
  participant_left: true,
  document_saved: true,
  brief_ready: true,
  transcript_changed: true,
  recap_ready: true,
  decision_recorded: true,
  action_created: true,
  action_changed: true,
})

export const DELIVERY_STATES = listAll<MeetingDeliveryState>({
  ok: true,
  waiting: true,
  retrying: true,
  blocked: true,
  closed: true,
})

/** Formats of the audit log as a file, by file extension. */
export const AUDIT_EXPORT_FORMATS = ['csv', 'jsonl'] as const
export type AuditExportFormat = (typeof AUDIT_EXPORT_FORMATS)[number]

/** Text formats of a transcript, by file extension. */
export const TEXT_TRANSCRIPT_FORMATS = ['md', 'txt', 'srt', 'vtt', 'vcon'] as const
export const TRANSCRIPT_FORMATS = ['json', ...TEXT_TRANSCRIPT_FORMATS] as const
export type TranscriptFormat = (typeof TRANSCRIPT_FORMATS)[number]

/** Lists all values of a string union from a record, whose type makes a missing or unknown value a compile error. */
function listAll<Value extends string>(values: Record<Value, true>): [Value, ...Value[]] {
  return Object.keys(values) as [Value, ...Value[]]
}
