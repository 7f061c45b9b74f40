// Generated from the OpenAPI document by scripts/client-types.ts --write; change the routes, not this file.
import type {
  CallOptions,
  ListenedCallback,
  MeetingEvent,
  StreamMessage,
  StreamOptions,
} from './index.js'

export interface Action {
  actionId: string
  meetingId: string
  text: string
  /** Who does it; null when nobody was named */
  owner: string | null
  /** The words that name the due date; null when none was said */
  dueText: string | null
  /** Null when no due date is known */
  dueDate: string | null
  state: 'open' | 'done' | 'deleted'
  /** The segments it comes from */
  segmentNumbers: number[]
  /** What found it; `person`: a person added it */
  source: 'rules' | 'model' | 'person'
  createdAt: string
  /** When a person added or changed it; null if never */
  editedAt: string | null
}

export interface AdminEntry {
  /** The email address when the user was removed */
  userName: string
  /** `reader`: reads; `editor`: also changes; `owner`: also decides who may */
  role: 'reader' | 'editor' | 'owner'
  at: string
}

export interface Answer {
  question: string
  /** False when the meetings do not hold the answer, or no passage matches */
  found: boolean
  /** `model`: a language model wrote it; `recap`: statements of recaps; `passages`: only passages that may hold it */
  method: 'model' | 'recap' | 'passages'
  /** Why there is no answer, or only a part of one, or not one of a model; null for a whole answer */
  reason:
    | 'no_passages'
    | 'no_model'
    | 'budget'
    | 'model_failed'
    | 'model_timeout'
    | 'model_truncated'
    | 'no_citations'
    | 'too_many_statements'
    | null
  /** What went wrong with the model; null if nothing did */
  error: string | null
  /** The language model that was asked; null if none was */
  model: string | null
  /** The sentences with their citations such as [3], or that nothing was found; null when there are only passages */
  answer: string | null
  /** The same, sentence by sentence */
  sentences: AnswerSentence[]
  /** The lines that the sentences cite */
  citations: AnswerCitation[]
  /** Sentences of the model that are left out, because they cite nothing that it was given */
  droppedSentences: number
  /** The texts that match the question, best first */
  passages: AnswerPassage[]
  /** As counted by the provider, including cached tokens */
  inputTokens: number
  /** Part of inputTokens */
  cachedInputTokens: number
  outputTokens: number
  /** Null when no cost is known */
  costUsd: number | null
  /** Fields of the request that were ignored, with the most similar known name, and other warnings */
  warnings?: {
    path: string
    message: string
  }[] | undefined
}

export interface AnswerCitation {
  /** What sentences cite it by */
  number: number
  /** segment: part of a transcript; document: part of a file */
  kind: 'segment' | 'document'
  project: string
  /** Title of the meeting or the document */
  title: string
  /** The meeting of a segment or a transcript */
  meetingId: string | null
  /** Null for a document */
  segmentNumber: number | null
  /** Null for a document */
  speaker: string | null
  /** When it was said, or the date of the document */
  timestamp: string
  /** Path of the document; null for a segment */
  path: string | null
  /** Line of the file with which the text begins */
  line: number | null
  /** The words as they were said or written */
  text: string
  /** Path of the transcript or document, at that line */
  link: string
}

export interface AnswerPassage {
  /** What sentences cite it by */
  number: number
  /** segment: part of a transcript; document: part of a file */
  kind: 'segment' | 'document'
  project: string
  /** Title of the meeting or the document */
  title: string
  /** The meeting of a segment or a transcript */
  meetingId: string | null
  /** Null for a document */
  segmentNumber: number | null
  /** Null for a document */
  speaker: string | null
  /** When it was said, or the date of the document */
  timestamp: string
  /** Path of the document; null for a segment */
  path: string | null
  /** Line of the file with which the text begins */
  line: number | null
  /** The words as they were said or written */
  text: string
  /** Path of the transcript or document, at that line */
  link: string
  /** The lines before it */
  before: AnswerCitation[]
  /** The lines after it */
  after: AnswerCitation[]
}

export interface AnswerSentence {
  /** Without the numbers of its citations */
  text: string
  /** At least one */
  citationNumbers: number[]
}

export interface AuditEntry {
  id: string
  at: string
  /** Who did it: `user:` or `token:` and an id, `command line`, `upkeep`, `sign-in provider`, or `nobody` before sign-in */
  actor: string
  /** Current name of the user or token */
  actorName: string | null
  /** Current email address of the user, or the last one of a removed user */
  actorEmail: string | null
  action: string
  /** Id of what was changed */
  object: string | null
  /** Current name of the user or token of that id */
  objectName: string | null
  /** Current email address of the user of that id, or the last one of a removed user */
  objectEmail: string | null
  /** What changed, if there is more to say */
  detail: string | null
  /** IP address of the caller */
  ip: string | null
}

export interface BeforeMeetingTrigger {
  on: 'before_meeting'
  /** Minutes before the start; default 30 */
  minutes?: number | undefined
  /** Only in these projects */
  projects?: string[] | undefined
  /** Only on these platforms */
  platforms?: Array<'google_meet' | 'microsoft_teams' | 'galene' | 'livekit' | 'zoom' | 'practice'> | undefined
  /** Part of the title; with `*`, which stands for any text, the whole title */
  titlePattern?: string | undefined
}

export interface BotAccount {
  /** The value of `account` when a meeting is started */
  name: string
  platform: 'google_meet' | 'microsoft_teams' | 'galene' | 'livekit' | 'zoom' | 'practice'
  /** How many bots may use it at the same time, over all nodes */
  limit: number
  /** How many bots use it now */
  inUse: number
  addedAt: string
  lastUsedAt: string | null
  /** When a bot last saved renewed cookies */
  refreshedAt: string | null
}

export interface BriefAction {
  text: string
  /** The earlier meeting in which it was said */
  meetingId: string
  /** The segments that it comes from */
  segmentNumbers: number[]
  owner: string | null
  dueDate: string | null
}

export interface BriefStatement {
  text: string
  /** The earlier meeting in which it was said */
  meetingId: string
  /** The segments that it comes from */
  segmentNumbers: number[]
  speaker: string | null
}

export interface Calendar {
  id: string
  name: string
  kind: 'ics' | 'microsoft' | 'google'
  /** Host of the address; the address itself is never returned */
  host: string
  /** The connected account with which it is read; null for an address */
  calendarAccountId: string | null
  /** The provider’s id of the calendar; null for an address */
  providerCalendarId: string | null
  /** Until when the provider reports changes at once; null if the calendar is only polled */
  notifiedUntil: string | null
  /** Email address of the person in the invitations; null when it is not known */
  address: string | null
  /** Project of its meetings */
  project: string
  /** Bot account that joins; null to join as a guest */
  account: string | null
  /** When its bots recognize speech themselves */
  speech: 'off' | 'fallback' | 'always'
  /** Task that runs after each meeting; null for none */
  task: string | null
  /** URL that receives the events of its meetings; null for none */
  callbackUrl: string | null
  /** Token whose secret signs the callbacks; null without a callback URL */
  tokenId: string | null
  rules: CalendarRules
  /** A paused calendar is read, but no bot joins its meetings */
  isPaused: boolean
  /** IANA time zone of events that name none */
  timeZone: string
  /** When it was last read or tried; null if never */
  polledAt: string | null
  /** When its meetings last changed */
  changedAt: string | null
  /** Since when it cannot be read; null while it can */
  brokenSince: string | null
  /** Why it cannot be read, or what in it could not be understood; null for nothing */
  problem: string | null
  nextPollAt: string
  createdAt: string
}

export interface CalendarAccount {
  id: string
  provider: 'microsoft' | 'google'
  address: string
  /** `ended`: the person has to sign in at the provider again */
  state: 'connected' | 'ended'
  /** How many of its calendars are read */
  calendars: number
  connectedAt: string
}

export interface CalendarApp {
  provider: 'microsoft' | 'google'
  clientId: string
  /** Microsoft: the tenant whose people may sign in, `organizations`, or `common`; null for Google */
  tenant: string | null
  /** Microsoft: the cloud; null for Google */
  cloud: 'global' | 'us-gov-high' | 'us-gov-dod' | null
  changedAt: string
}

export interface CalendarRules {
  /** Only meetings that the person of the calendar organises */
  onlyOrganised: boolean
  /** Only meetings to which this email address is invited; null for all */
  onlyInvited: string | null
  /** Only meetings whose title has one of these texts, in any letter case; empty for all */
  onlyTitles: string[]
  /** No meeting whose title has one of these texts */
  neverTitles: string[]
  /** Only meetings that the person of the calendar accepted or organises */
  onlyAccepted: boolean
  /** No meeting that is marked as private, personal or confidential */
  neverPrivate: boolean
}

export interface ChatMessage {
  messageNumber: number
  /** Display name; empty when the platform did not say it */
  author: string
  text: string
  /** When the bot received it */
  timestamp: string
}

export interface Comment {
  commentId: string
  /** The number of the line in the transcript */
  segmentNumber: number
  /** The name of the person, or of the service token */
  author: string
  text: string
  createdAt: string
  /** Null when it was never changed */
  editedAt: string | null
  /** Whether the caller wrote it */
  canEdit: boolean
  /** Whether the caller wrote it or is an owner of the project */
  canDelete: boolean
}

export interface Connection {
  id: string
  kind: 'microsoft' | 'google'
  name: string
  /** Microsoft’s cloud; null for Google */
  cloud: 'global' | 'us-gov-high' | 'us-gov-dod' | null
  /** Directory (tenant) ID; null for Google */
  tenant: string | null
  /** Application (client) ID, or the client ID of Google’s service account */
  clientId: string
  credential: 'secret' | 'certificate' | 'key'
  /** SHA-256 of the certificate, or the ID of Google’s key; null for a secret */
  thumbprint: string | null
  /** When the certificate expires; null for a secret or key, which do not say it */
  credentialExpiresAt: string | null
  /** Project of the meetings; null for a private project of each organizer */
  project: string | null
  excludedTitles: string[]
  /** True if titles and private events are read from calendars; only for Google */
  readsCalendar: boolean
  /** Transcripts from before this time are not read */
  readsFrom: string
  isPaused: boolean
  organizers: {
    address: string
    problem: ConnectionProblem | null
    /** When the list of transcripts was last read */
    readAt: string | null
  }[]
  /** Why it cannot be read; null while it can */
  problem: ConnectionProblem | null
  brokenSince: string | null
  /** When it was last read or tried; null if never */
  polledAt: string | null
  /** When it was last read without a problem */
  readAt: string | null
  nextPollAt: string
  createdAt: string
  /** How many transcripts are in each state */
  transcripts: {
    waiting: number
    imported: number
    excluded: number
    expired: number
    failed: number
  }
}

export interface ConnectionCheck {
  name: string
  ok: boolean
  /** Result of the check */
  text: string
}

export interface ConnectionProblem {
  code:
    | 'secret_wrong'
    | 'secret_expired'
    | 'certificate_refused'
    | 'app_not_found'
    | 'tenant_not_found'
    | 'token_refused'
    | 'key_refused'
    | 'delegation_missing'
    | 'api_disabled'
    | 'clock_wrong'
    | 'access_revoked'
    | 'permission_missing'
    | 'transcripts_disabled'
    | 'speaker_names_disabled'
    | 'payment_required'
    | 'throttled'
    | 'unreachable'
    | 'unavailable'
    | 'bad_answer'
    | 'project_missing'
    | 'storage_full'
    | 'internal'
    | 'organizer_not_found'
    | 'policy_missing'
    | 'not_delegated'
    | 'sign_in_refused'
    | 'service_refused'
    | 'no_transcripts'
    | 'no_account'
    | 'event_private'
    | 'no_entries'
    | 'title_excluded'
    | 'calendar_excluded'
    | 'bot_attending'
    | 'not_ready'
    | 'not_found'
    | 'unreadable'
    | 'too_large'
  /** What is wrong and what an admin can do */
  text: string
}

export interface ConnectionTranscript {
  /** Id that the provider gave it */
  id: string
  organizer: string
  /** When the transcription began */
  beganAt: string
  foundAt: string
  state: 'waiting' | 'imported' | 'excluded' | 'expired' | 'failed'
  problem: ConnectionProblem | null
  /** When it is tried again; null if never */
  nextAttemptAt: string | null
  /** The stored meeting; null if there is none */
  meetingId: string | null
  /** When it was found that the provider changed it after it was stored */
  changedAt: string | null
}

export interface Delivery {
  /** The value of the header X-Service-Delivery-Id */
  deliveryId: string
  meetingId: string
  meetingTitle: string
  /** The callback URL without its query; only its host for a meeting that you may not edit; null for an old replay */
  url: string | null
  /** The token that signs; null when the caller may not see it, and after it was removed */
  tokenName: string | null
  /** 0 for a test event */
  sequence: number
  /** Event type */
  type: string
  /** Sent as it happened (meeting) or by a replay; null for a test event */
  kind: 'meeting' | 'replay' | null
  startedAt: string
  durationMs: number
  /** failed: it is retried; rejected: the receiver refused this event; gone: nothing more is sent to this URL */
  outcome: 'delivered' | 'failed' | 'rejected' | 'gone'
  /** HTTP status of the response; null when there was none */
  status: number | null
  /** Why there was no complete response */
  error: string | null
  /** Why it failed, for people; null when it did not */
  problem:
    | {
    /** The status of the response, or why there was none */
    label: string
    /** What it usually means */
    hint: string
  }
    | null
  /** The first 2 KiB of the response body, or a note that the body of a receiver at a private address is not shown */
  answer: string
  /** When it is retried; null when it is not */
  nextAttemptAt: string | null
}

export interface DeliveryHealth {
  /** `waiting`: callbacks of other meetings to the same address, signed with the same token, fail, so these wait until one succeeds */
  state: 'ok' | 'waiting' | 'retrying' | 'blocked' | 'closed'
  /** Events that are not delivered yet */
  pending: number
  /** Null when no event is pending */
  oldestPendingAgeMs: number | null
  /** Events that the receiver accepted */
  delivered: number
  /** Events that are no longer retried */
  failed: number
  /** Why the last attempt failed; null when none did */
  lastError: string | null
  /** The same for people */
  problem:
    | {
    /** The status of the response, or why there was none */
    label: string
    /** What it usually means */
    hint: string
  }
    | null
  /** Null when no attempt is scheduled */
  nextAttemptAt: string | null
}

export interface Document {
  /** Relative to the project folder */
  path: string
  title: string
  kind: 'meeting' | 'document'
  /** Bytes */
  size: number
  modifiedAt: string
  /** The meeting of a transcript */
  meetingId: string | null
  /** Why search does not cover the whole file */
  warning: string | null
}

export interface DocumentSavedTrigger {
  on: 'document_saved'
  /** Only in these projects */
  projects?: string[] | undefined
  /** Part of the path in the project; with `*`, which stands for any text, all of it */
  pathPattern?: string | undefined
}

export interface EarlierMeeting {
  meetingId: string
  title: string
  project: string
  startedAt: string
  /** `series`: the same series or title; `people`: at least half of the other people */
  relation: 'series' | 'people'
  /** One line about it; null without a recap */
  gist: string | null
}

export interface ErrorBody {
  /** A sentence for people */
  error: string
  /** For programs; never changes */
  code: string
  /** The same as the header X-Request-Id */
  requestId: string
  /** Every invalid field and what is wrong with it */
  details?: {
    path: string
    message: string
  }[] | undefined
  /** What to do next, if known */
  hint?: string | undefined
}

export interface Evidence {
  number: number
  at: string
  /** The state that the bot recognised the page as */
  state: string
  /** The page elements that identify the state */
  marks: string[]
  /** The texts of the page */
  survey: {
    /** URL of the page without query and fragment */
    address: string
    title: string
    language: string
    headings: string[]
    buttons: string[]
  }
  /** Path of the screenshot, a JPEG; null when there is none */
  screenshot: string | null
}

export interface Execution {
  executionId: string
  executionType: 'schedule' | 'on_demand'
  /** Name of the task */
  name: string
  status: 'running' | 'completed' | 'failed' | 'timeout' | 'stale'
  /** True when someone cancelled it; its status is failed */
  cancelled?: boolean | undefined
  triggerType: 'scheduled' | 'manual' | 'meeting_ended' | 'document_saved' | 'before_meeting'
  startedAt: string
  completedAt?: string | undefined
  durationMs?: number | undefined
  /** As counted by the provider, including cached tokens; see tokensEstimated */
  inputTokens: number
  outputTokens: number
  /** Part of inputTokens */
  cachedInputTokens?: number | undefined
  /** The provider did not report all token counts */
  usageMissing?: boolean | undefined
  /** Counts that the provider did not report are estimated from the length of the texts */
  tokensEstimated?: boolean | undefined
  /** Absent when the price of the model is unknown */
  costUsd?: number | undefined
  /** Language model, or the built-in rules; absent before one was chosen */
  model?: string | undefined
  /** The due time of a scheduled run */
  scheduledFor?: string | undefined
  /** The meeting or the document that it is about */
  triggeredBy?: {
    meetingId?: string | undefined
    /** A meeting that had not begun */
    upcomingId?: string | undefined
    documentPath?: string | undefined
  } | undefined
  /** How many earlier scheduled runs were missed and are covered by this execution */
  missed?: number | undefined
  /** How many times the model was asked; more than one after errors */
  attempts?: number | undefined
  /** The saved result */
  documentPath?: string | undefined
  /** Why the answer of the model is incomplete; absent when it is complete */
  truncatedBy?: 'length' | 'max_tokens' | 'max_steps' | 'content_filter' | undefined
  /** SHA-256 of the prompt file */
  promptHash?: string | undefined
}

export interface FullExecution {
  executionId: string
  executionType: 'schedule' | 'on_demand'
  /** Name of the task */
  name: string
  status: 'running' | 'completed' | 'failed' | 'timeout' | 'stale'
  /** True when someone cancelled it; its status is failed */
  cancelled?: boolean | undefined
  triggerType: 'scheduled' | 'manual' | 'meeting_ended' | 'document_saved' | 'before_meeting'
  startedAt: string
  completedAt?: string | undefined
  durationMs?: number | undefined
  /** As counted by the provider, including cached tokens; see tokensEstimated */
  inputTokens: number
  outputTokens: number
  /** Part of inputTokens */
  cachedInputTokens?: number | undefined
  /** The provider did not report all token counts */
  usageMissing?: boolean | undefined
  /** Counts that the provider did not report are estimated from the length of the texts */
  tokensEstimated?: boolean | undefined
  /** Absent when the price of the model is unknown */
  costUsd?: number | undefined
  /** Language model, or the built-in rules; absent before one was chosen */
  model?: string | undefined
  /** The due time of a scheduled run */
  scheduledFor?: string | undefined
  /** The meeting or the document that it is about */
  triggeredBy?: {
    meetingId?: string | undefined
    /** A meeting that had not begun */
    upcomingId?: string | undefined
    documentPath?: string | undefined
  } | undefined
  /** How many earlier scheduled runs were missed and are covered by this execution */
  missed?: number | undefined
  /** How many times the model was asked; more than one after errors */
  attempts?: number | undefined
  /** The saved result */
  documentPath?: string | undefined
  /** Why the answer of the model is incomplete; absent when it is complete */
  truncatedBy?: 'length' | 'max_tokens' | 'max_steps' | 'content_filter' | undefined
  /** SHA-256 of the prompt file */
  promptHash?: string | undefined
  /** Short result, or why it failed */
  resultSummary?: string | undefined
  /** The prompt with its variables filled in */
  prompt?: string | undefined
  /** The whole output */
  output: string
  /** When it was requested; startedAt is when a node started it */
  requestedAt: string
  /** The previous execution of the same task */
  previousExecutionId?: string | undefined
  /** The next execution of the same task */
  nextExecutionId?: string | undefined
}

export interface ListedAction {
  actionId: string
  meetingId: string
  text: string
  /** Who does it; null when nobody was named */
  owner: string | null
  /** The words that name the due date; null when none was said */
  dueText: string | null
  /** Null when no due date is known */
  dueDate: string | null
  state: 'open' | 'done' | 'deleted'
  /** The segments it comes from */
  segmentNumbers: number[]
  /** What found it; `person`: a person added it */
  source: 'rules' | 'model' | 'person'
  createdAt: string
  /** When a person added or changed it; null if never */
  editedAt: string | null
  meetingTitle: string
  project: string
  meetingStartedAt: string
}

export interface ListedDecision {
  id: string
  text: string
  /** Null when the speaker is not known */
  speaker: string | null
  /** The segments it comes from */
  segmentNumbers: number[]
  /** When a person added or changed it; null if never */
  editedAt: string | null
  meetingId: string
  meetingTitle: string
  project: string
  meetingStartedAt: string
}

export interface ListedMeeting {
  meetingId: string
  status:
    | 'scheduled'
    | 'awaiting_transcript'
    | 'joining'
    | 'lobby'
    | 'live'
    | 'stopping'
    | 'leaving'
    | 'ended'
    | 'error'
  platform:
    | 'google_meet'
    | 'microsoft_teams'
    | 'galene'
    | 'livekit'
    | 'zoom'
    | 'practice'
    | 'imported'
  title: string
  /** While the meeting is scheduled, when the bot joins */
  startedAt: string
  /** When the bot was asked to join; null when the meeting was started at once */
  joinAt: string | null
  /** Participants that are present, without the bot; after the end, all that were ever present */
  participantCount: number
  /** Final segments */
  segmentCount: number
  project: string
  /** Null when no document is saved, and while the meeting is scheduled */
  documentPath: string | null
  /** Why it ends, ended or failed; null before that */
  reason:
    | 'stopped'
    | 'asked_to_leave'
    | 'everyone_left'
    | 'nobody_joined'
    | 'silence'
    | 'max_duration'
    | 'lobby_timeout'
    | 'service_restarted'
    | 'at_capacity'
    | 'missed'
    | 'not_allowed'
    | 'transcription_off'
    | 'transcript_not_allowed'
    | 'transcript_not_ready'
    | 'transcript_expired'
    | 'transcript_no_licence'
    | 'no_connection'
    | 'host_ended'
    | 'removed'
    | 'denied'
    | 'no_answer'
    | 'sign_in_required'
    | 'blocked_by_platform'
    | 'captcha'
    | 'meeting_not_found'
    | 'meeting_not_started'
    | 'page_not_loaded'
    | 'captions_unavailable'
    | 'browser_crashed'
    | 'internal'
    | 'app_not_installed'
    | 'host_did_not_start'
    | 'stream_ended_by_host'
    | 'stream_not_allowed'
    | 'stream_revoked'
    | 'stream_failed'
    | 'credentials_rejected'
    | null
  /** Explanation of the reason for people */
  detail: string | null
  /** When the bot was first in the call */
  liveAt: string | null
  endedAt: string | null
  /** One line about it: how many decisions and action items its recap has, and the first of them, or the first sentence of the summary; while it is active, what was said last; null when there is neither */
  gist: string | null
}

export interface Mail {
  id: string
  kind: 'recap' | 'guest_recap' | 'digest' | 'brief' | 'invitation' | 'password_reset' | 'test'
  /** Name of the user; null for a person without an account */
  name: string | null
  /** Where it is sent */
  email: string
  /** `waiting`: to be sent, or sent again; `sent`: the mail server accepted it; `failed`: it could not be sent; `dropped`: it must not be sent any more */
  state: 'waiting' | 'sent' | 'failed' | 'dropped'
  /** Why it was not sent */
  reason:
    | 'refused'
    | 'given_up'
    | 'content_gone'
    | 'no_access'
    | 'turned_off'
    | 'project_off'
    | 'link_ended'
    | 'has_account'
    | 'too_late'
    | null
  /** The last answer of the mail server, or why there was none */
  response: string | null
  attempts: number
  createdAt: string
  finishedAt: string | null
  /** True if it can be sent again: it failed or waits, and is not older than a week */
  canRetry: boolean
  /** When it is sent at the earliest; null if it is finished */
  dueAt: string | null
}

export interface MeetingDetail {
  meetingId: string
  status:
    | 'scheduled'
    | 'awaiting_transcript'
    | 'joining'
    | 'lobby'
    | 'live'
    | 'stopping'
    | 'leaving'
    | 'ended'
    | 'error'
  platform:
    | 'google_meet'
    | 'microsoft_teams'
    | 'galene'
    | 'livekit'
    | 'zoom'
    | 'practice'
    | 'imported'
  title: string
  /** While the meeting is scheduled, when the bot joins */
  startedAt: string
  /** When the bot was asked to join; null when the meeting was started at once */
  joinAt: string | null
  /** Participants that are present, without the bot; after the end, all that were ever present */
  participantCount: number
  /** Final segments */
  segmentCount: number
  project: string
  /** Null when no document is saved, and while the meeting is scheduled */
  documentPath: string | null
  /** Why it ends, ended or failed; null before that */
  reason:
    | 'stopped'
    | 'asked_to_leave'
    | 'everyone_left'
    | 'nobody_joined'
    | 'silence'
    | 'max_duration'
    | 'lobby_timeout'
    | 'service_restarted'
    | 'at_capacity'
    | 'missed'
    | 'not_allowed'
    | 'transcription_off'
    | 'transcript_not_allowed'
    | 'transcript_not_ready'
    | 'transcript_expired'
    | 'transcript_no_licence'
    | 'no_connection'
    | 'host_ended'
    | 'removed'
    | 'denied'
    | 'no_answer'
    | 'sign_in_required'
    | 'blocked_by_platform'
    | 'captcha'
    | 'meeting_not_found'
    | 'meeting_not_started'
    | 'page_not_loaded'
    | 'captions_unavailable'
    | 'browser_crashed'
    | 'internal'
    | 'app_not_installed'
    | 'host_did_not_start'
    | 'stream_ended_by_host'
    | 'stream_not_allowed'
    | 'stream_revoked'
    | 'stream_failed'
    | 'credentials_rejected'
    | null
  /** Explanation of the reason for people */
  detail: string | null
  /** When the bot was first in the call */
  liveAt: string | null
  endedAt: string | null
  delivery: DeliveryHealth | null
  botName: string
  /** Requested language of the captions */
  language: string | null
  /** Requested language of the recap; null for the default */
  recapLanguage: string | null
  /** When the bot recognizes speech itself */
  speech: 'off' | 'fallback' | 'always'
  /** The bot account that the bot joined with; null for a guest */
  account: string | null
  /** The meeting that this one tries again; null for a first attempt, and when you may not read that one */
  retryOf: string | null
  /** The newest meeting that tries this one again; null when there is none you may read */
  retriedAs:
    | {
    meetingId: string
    status:
      | 'scheduled'
      | 'awaiting_transcript'
      | 'joining'
      | 'lobby'
      | 'live'
      | 'stopping'
      | 'leaving'
      | 'ended'
      | 'error'
  }
    | null
  /** What the transcript is made of */
  capture: 'bot' | 'official' | 'both'
  /** Whether …/chat has the messages of the meeting chat */
  storesChat: boolean
  /** How many times a bot tried to join */
  visits: number
  /** What the official transcript is used for. `keep`: nothing; `fill`: the times at which nothing was recorded; `replace`: the time that it covers; null if the bot is the only source, or there is no bot */
  officialTranscript: 'keep' | 'fill' | 'replace' | null
  /** How many changes …/edits lists: of the title and of names of speakers */
  editCount: number
  /** Speakers that people gave another name. Events keep the name of the platform */
  renamedSpeakers: {
    platformName: string
    name: string
  }[]
  /** Every status change, oldest first */
  statuses: {
    status: string
    at: string
    reason: string | null
    detail: string | null
  }[]
  participants: {
    participantId: string
    name: string
    isHost: boolean
    joinedAt: string
    /** Null while present */
    leftAt: string | null
  }[]
  /** Speakers with the most words first */
  talkTime: {
    speaker: string
    segments: number
    words: number
    /** Estimated from when segments start, because captions have no durations */
    seconds: number
    /** Share of all words, from 0 to 1 */
    share: number
  }[]
  insights: {
    insightId: string
    category: string
    severity: string
    title: string
    text: string
    /** Null for all participants */
    speaker: string | null
    engine: string
    /** The segments the insight is based on */
    segmentNumbers: number[]
    timestamp: string
  }[]
  /** Problems that did not stop the bot but may need attention; the newest for each subject */
  warnings: {
    code:
      | 'page_drift'
      | 'unidentified'
      | 'chat_unavailable'
      | 'caption_language'
      | 'speaker_names'
      | 'speech_used'
      | 'speech_incomplete'
      | 'speech_behind'
      | 'speech_unavailable'
    subject: string
    text: string
    at: string
  }[]
  /** How many pieces of evidence …/evidence lists */
  evidenceCount: number
}

export interface MeetingEndedTrigger {
  on: 'meeting_ended'
  /** Only in these projects */
  projects?: string[] | undefined
  /** Only on these platforms */
  platforms?: Array<'google_meet' | 'microsoft_teams' | 'galene' | 'livekit' | 'zoom' | 'practice' | 'imported'> | undefined
  /** Part of the title; with `*`, which stands for any text, the whole title */
  titlePattern?: string | undefined
  /** Words of the transcript */
  minWords?: number | undefined
  /** Minutes from joining the call to its end */
  minMinutes?: number | undefined
  /** Default ended; error is the status of a failed meeting */
  statuses?: Array<'ended' | 'error'> | undefined
}

export interface MeetingStatus {
  meetingId: string
  status:
    | 'scheduled'
    | 'awaiting_transcript'
    | 'joining'
    | 'lobby'
    | 'live'
    | 'stopping'
    | 'leaving'
    | 'ended'
    | 'error'
  platform:
    | 'google_meet'
    | 'microsoft_teams'
    | 'galene'
    | 'livekit'
    | 'zoom'
    | 'practice'
    | 'imported'
  title: string
  /** While the meeting is scheduled, when the bot joins */
  startedAt: string
  /** When the bot was asked to join; null when the meeting was started at once */
  joinAt: string | null
  /** Participants that are present, without the bot; after the end, all that were ever present */
  participantCount: number
  /** Final segments */
  segmentCount: number
  project: string
  /** Null when no document is saved, and while the meeting is scheduled */
  documentPath: string | null
  delivery: DeliveryHealth | null
  /** One line about it: how many decisions and action items its recap has, and the first of them, or the first sentence of the summary; while it is active, what was said last; null when there is neither */
  gist: string | null
}

export interface Notification {
  id: string
  project: string
  name: string
  /** `teams`: a webhook of a workflow in Microsoft Teams */
  format: 'slack' | 'teams' | 'mattermost'
  /** `failures`: of meetings and tasks of the project */
  topics: Array<'recaps' | 'decisions' | 'actions' | 'failures'>
  /** Host of the address; the address itself is never returned */
  host: string
  /** `closed`: nothing is sent until it is resumed; the others as for callbacks */
  state: 'ok' | 'waiting' | 'retrying' | 'blocked' | 'closed'
  /** True if a person paused it, or the chat wants no more messages */
  isPaused: boolean
  /** Why messages do not arrive; null while they do */
  problem:
    | {
    /** The status of the response, or why there was none */
    label: string
    /** What it usually means */
    hint: string
  }
    | null
  /** What the chat answered to the message that did not arrive; null without one */
  answer: string | null
  /** Messages that were not sent yet */
  pending: number
  delivered: number
  /** Messages that were given up */
  failed: number
  /** Null while none fail */
  nextAttemptAt: string | null
  /** Who added it, as in the audit log */
  createdBy: string
  createdAt: string
}

export interface NotificationAttempt {
  startedAt: string
  durationMs: number
  outcome: 'delivered' | 'failed' | 'rejected' | 'gone'
  /** HTTP status of the answer; null when there was none */
  status: number | null
  /** Why the message did not arrive; null if it did */
  problem:
    | {
    /** The status of the response, or why there was none */
    label: string
    /** What it usually means */
    hint: string
  }
    | null
  /** The first 2 KiB of the answer */
  answer: string
  deliveryId: string
  /** The topic of the first event in the message, or `test` */
  type: string
  nextAttemptAt: string | null
}

export interface PastExecution {
  executionId: string
  executionType: 'schedule' | 'on_demand'
  /** Name of the task */
  name: string
  status: 'running' | 'completed' | 'failed' | 'timeout' | 'stale'
  /** True when someone cancelled it; its status is failed */
  cancelled?: boolean | undefined
  triggerType: 'scheduled' | 'manual' | 'meeting_ended' | 'document_saved' | 'before_meeting'
  startedAt: string
  completedAt?: string | undefined
  durationMs?: number | undefined
  /** As counted by the provider, including cached tokens; see tokensEstimated */
  inputTokens: number
  outputTokens: number
  /** Part of inputTokens */
  cachedInputTokens?: number | undefined
  /** The provider did not report all token counts */
  usageMissing?: boolean | undefined
  /** Counts that the provider did not report are estimated from the length of the texts */
  tokensEstimated?: boolean | undefined
  /** Absent when the price of the model is unknown */
  costUsd?: number | undefined
  /** Language model, or the built-in rules; absent before one was chosen */
  model?: string | undefined
  /** The due time of a scheduled run */
  scheduledFor?: string | undefined
  /** The meeting or the document that it is about */
  triggeredBy?: {
    meetingId?: string | undefined
    /** A meeting that had not begun */
    upcomingId?: string | undefined
    documentPath?: string | undefined
  } | undefined
  /** How many earlier scheduled runs were missed and are covered by this execution */
  missed?: number | undefined
  /** How many times the model was asked; more than one after errors */
  attempts?: number | undefined
  /** The saved result */
  documentPath?: string | undefined
  /** Why the answer of the model is incomplete; absent when it is complete */
  truncatedBy?: 'length' | 'max_tokens' | 'max_steps' | 'content_filter' | undefined
  /** SHA-256 of the prompt file */
  promptHash?: string | undefined
  /** Short result, or why it failed */
  resultSummary?: string | undefined
}

export interface PreviewedMeeting {
  title: string
  startsAt: string
  /** Null without a link */
  platform: 'google_meet' | 'microsoft_teams' | 'galene' | 'livekit' | 'zoom' | 'practice' | null
  /** Short form of the link; null without one */
  label: string | null
  willJoin: boolean
  /** Why a bot joins or does not */
  reason:
    | 'will_join'
    | 'no_bot_free'
    | 'past'
    | 'missed'
    | 'bot_left'
    | 'cancelled'
    | 'no_link'
    | 'skipped_by_person'
    | 'paused'
    | 'no_access'
    | 'token_revoked'
    | 'account_missing'
    | 'callback_blocked'
    | 'all_day'
    | 'private'
    | 'declined'
    | 'not_accepted'
    | 'not_organised'
    | 'not_invited'
    | 'title_excluded'
    | 'title_not_matching'
    | 'same_room'
  /** The reason as a sentence */
  reasonText: string
  endsAt: string
}

export interface Project {
  /** The value of `project` in requests */
  id: string
  /** The title in the front matter of its README.md, otherwise the id */
  name: string
  /** Whether it has saved transcripts */
  hasMeetings: boolean
  /** Saved transcripts */
  meetingCount: number
  /** Files that are not transcripts */
  documentCount: number
  /** `team`: every user of the instance; `private`: only its members */
  access: 'team' | 'private'
}

export interface ProjectMember {
  userId: string
  name: string
  email: string
  /** `reader`: reads; `editor`: also changes; `owner`: also decides who may */
  role: 'reader' | 'editor' | 'owner'
  /** The role that groups of the identity provider give; null when none does */
  groupRole: 'reader' | 'editor' | 'owner' | null
  /** Who added the member or last changed the role: `user:` or `token:` and an id; `provisioning` for a member through a group; null for the user who created the project */
  addedBy: string | null
  addedAt: string
}

export interface Prompt {
  /** The value of `promptName` in requests */
  name: string
  description?: string | undefined
  /** Language model; absent for the default one */
  model?: string | undefined
  /** Built-in rules that run instead of a model */
  builtin?: string | undefined
  /** Project that receives the results */
  project?: string | undefined
  /** Why the prompt cannot run; empty when it can */
  problems: {
    path: string
    message: string
  }[]
}

export interface ProviderCalendar {
  /** To send as `providerCalendarId` */
  id: string
  name: string
  isPrimary: boolean
}

export interface RecapDecision {
  id: string
  text: string
  /** Null when the speaker is not known */
  speaker: string | null
  /** The segments it comes from */
  segmentNumbers: number[]
  /** When a person added or changed it; null if never */
  editedAt: string | null
  /** Why it was decided; null when nobody said it, and by rules */
  reason: string | null
}

export interface RecapItem {
  id: string
  kind: 'summary' | 'decision' | 'action' | 'question'
  text: string
  /** Null when the speaker is not known */
  speaker: string | null
  /** Who does it; null when nobody was named */
  owner: string | null
  /** Null when no due date is known */
  dueDate: string | null
  /** The segments it comes from */
  segmentNumbers: number[]
  /** When a person added or changed it; null if never */
  editedAt: string | null
}

export interface RecapSentence {
  id: string
  text: string
  /** The segments it comes from */
  segmentNumbers: number[]
  /** When a person added or changed it; null if never */
  editedAt: string | null
}

export interface RecapStatement {
  id: string
  text: string
  /** Null when the speaker is not known */
  speaker: string | null
  /** The segments it comes from */
  segmentNumbers: number[]
  /** When a person added or changed it; null if never */
  editedAt: string | null
}

export interface Receiver {
  /** The callback URL without its query; only its host for a meeting that you may not edit */
  url: string
  /** The token that signs; null when the caller may not see it, and after it was removed */
  tokenName: string | null
  /** Why callbacks fail; null while none do */
  problem:
    | {
    /** The status of the response, or why there was none */
    label: string
    /** What it usually means */
    hint: string
  }
    | null
  /** Null while none fail */
  failingSince: string | null
  /** Null while none fail */
  nextAttemptAt: string | null
  /** Events that are not delivered yet */
  pending: number
  /** Meetings whose callbacks go there */
  meetingCount: number
  /** At most 5 of them, those that fail first */
  meetings: {
    meetingId: string
    title: string
    /** Events that are not delivered yet */
    pending: number
    isFailing: boolean
  }[]
}

export interface RemovedCounts {
  documents: number
  deliveries: number
  segments: number
  events: number
  insights: number
  participants: number
  evidence: number
  chatMessages: number
  comments: number
  recaps: number
  actions: number
  recapItems: number
  edits: number
  setAsideSegments: number
}

export interface SavedMeeting {
  filename: string
  title: string
  date: string
  /** Null when the file names no meeting */
  meetingId: string | null
  status: 'in_progress' | 'completed'
  /** Names, when recorded */
  participants: string[]
}

export interface SearchResult {
  /** segment: part of a transcript; document: part of a file */
  kind: 'segment' | 'document'
  project: string
  /** Title of the meeting or the document */
  title: string
  /** The meeting of a segment or a transcript */
  meetingId: string | null
  /** Null for a document */
  segmentNumber: number | null
  /** Null for a document */
  speaker: string | null
  /** When it was said, or the date of the document */
  timestamp: string
  /** Path of the document; null for a segment */
  path: string | null
  /** Line of the file with the first match */
  line: number | null
  /** The passage */
  text: string
  /** Positions of the matches in the passage, in UTF-16 code units */
  matches: {
    start: number
    end: number
  }[]
  /** Higher is better */
  score: number
  /** Path of the transcript or document, at that line */
  link: string
}

export interface Segment {
  speaker: string
  text: string
  timestamp: string
  /** Consecutive, from 1 */
  segmentNumber: number
  /** `captions`: captions of the platform; `speech`: speech that Hansard recognized; `imported`: an imported transcript; `official`: the official transcript of the platform */
  source: 'captions' | 'speech' | 'imported' | 'official'
  /** True when words before or in the segment are missing, because speech could not be recognized completely; absent otherwise */
  incomplete?: boolean | undefined
}

export interface Share {
  shareId: string
  /** Null for a document */
  meetingId: string | null
  /** Title of the meeting; null for a document and for a meeting that was moved */
  title: string | null
  /** Path of the document in its project; null for a meeting */
  path: string | null
  /** Only an `active` link opens. `made_private`, `moved`, `document_removed`: ended by that change. `creator_not_owner`: its creator may not share this project any more. `token_revoked`: the API token that created it was revoked */
  state:
    | 'active'
    | 'expired'
    | 'revoked'
    | 'made_private'
    | 'moved'
    | 'document_removed'
    | 'creator_not_owner'
    | 'token_revoked'
  hasPassword: boolean
  /** Address of the guest to whom the link was mailed; null for other links */
  recipient: string | null
  /** Name of the user; null for a service token and a removed user */
  createdBy: string | null
  createdAt: string
  expiresAt: string
  /** Null unless it was ended before it expired */
  endedAt: string | null
  /** How often the page was shown */
  useCount: number
  /** Null if never */
  lastUsedAt: string | null
}

export interface Task {
  name: string
  promptName: string
  /** Absent when the task has no schedule */
  cronExpression?: string | undefined
  /** Absent when no event starts the task */
  trigger?: MeetingEndedTrigger | DocumentSavedTrigger | BeforeMeetingTrigger | undefined
  /** IANA time zone of the schedule */
  timezone: string
  /** Absent when all users see the task */
  project?: string | undefined
  /** User with whose rights it runs; null for the instance or a removed user */
  owner: {
    id: string
    name: string
  } | null
  /** False after its owner was removed, until someone takes it over */
  canRun: boolean
  /** Whether the schedule and the trigger are active */
  enabled: boolean
  timeoutMs: number
  lastRunAt?: string | undefined
  /** Status of the last execution */
  lastStatus?: 'running' | 'completed' | 'failed' | 'timeout' | 'stale' | undefined
  /** True when the last execution was cancelled; its status is failed */
  lastCancelled?: boolean | undefined
  /** When it next runs by its schedule */
  nextRunAt?: string | undefined
  /** Whether it has a schedule */
  isScheduled: boolean
  createdAt: string
  updatedAt: string
  /** When a scheduled run was last skipped */
  lastSkippedAt?: string | undefined
  lastSkipReason?: 'overlap' | 'missed' | 'budget' | 'owner_removed' | undefined
}

export interface Token {
  id: string
  name: string
  /** The first characters of the API key */
  keyPrefix: string
  /** The last four characters of the API key */
  keyLast4: string
  /** null: the key has all permissions */
  scopes: Array<'read' | 'meetings' | 'tasks'> | null
  /** `service`: acts for the instance; `personal`: has the rights of its creator */
  kind: 'service' | 'personal'
  /** The only projects that the key may use; null for all */
  projects: string[] | null
  /** Whether it uses no private project; true for tokens that removed users left */
  isTeamOnly: boolean
  createdAt: string
  /** Name of the user who created it, even if the user was removed; null for the command line */
  createdBy: string | null
  /** Id of the user who created it; null for the command line and after the user was removed */
  creatorId: string | null
  /** Null when it was never used */
  lastUsedAt: string | null
  /** IP address of the last use */
  lastUsedFrom: string | null
  /** Null when it does not expire */
  expiresAt: string | null
  /** Null when it is not revoked */
  revokedAt: string | null
  /** When the next signing secret was created; null when none is pending */
  nextSecretSince: string | null
  /** When the next signing secret becomes active even if no user activates it */
  nextSecretDue: string | null
  /** Until when the previous signing secret stays valid; null when there is none */
  oldSecretUntil: string | null
  /** Set when a person connected an assistant by the address of this instance */
  assistant:
    | {
    /** Where it receives its access */
    host: string
    /** True if that host also publishes its name */
    isVerified: boolean
  }
    | null
}

export interface TranscriptGap {
  /** Why nothing was recorded: captions_lost, bot_rejoined, restarted, node_lost, speech_lost, paused. There may be more in later versions */
  cause: string
  startedAt: string
  /** null while the gap lasts */
  endedAt: string | null
  /** The last segment before the gap; 0 for none */
  afterSegmentNumber: number
  /** For people: `33 s not recorded: Hansard restarted` */
  text: string
}

export interface UpcomingMeeting {
  /** Of a meeting that was scheduled without a calendar, its meeting id */
  id: string
  /** Null for a meeting scheduled without a calendar */
  calendarId: string | null
  calendarName: string | null
  /** Null until shortly before the start */
  meetingId: string | null
  title: string
  startsAt: string
  /** Null without a link */
  platform: 'google_meet' | 'microsoft_teams' | 'galene' | 'livekit' | 'zoom' | 'practice' | null
  /** Short form of the link; null without one */
  label: string | null
  willJoin: boolean
  /** Why a bot joins or does not */
  reason:
    | 'will_join'
    | 'no_bot_free'
    | 'past'
    | 'missed'
    | 'bot_left'
    | 'cancelled'
    | 'no_link'
    | 'skipped_by_person'
    | 'paused'
    | 'no_access'
    | 'token_revoked'
    | 'account_missing'
    | 'callback_blocked'
    | 'all_day'
    | 'private'
    | 'declined'
    | 'not_accepted'
    | 'not_organised'
    | 'not_invited'
    | 'title_excluded'
    | 'title_not_matching'
    | 'same_room'
  /** The reason as a sentence */
  reasonText: string
  /** Null when it is not known */
  endsAt: string | null
  project: string
  /** What a person decided for this meeting; null when the rules decide */
  attend: boolean | null
}

export interface Usage {
  day: string
  task: string
  model: string
  executions: number
  /** As counted by the provider, including cached tokens */
  inputTokens: number
  cachedInputTokens: number
  outputTokens: number
  /** Cost of the executions with a known price; null when there are none */
  costUsd: number | null
  /** Executions without a known price */
  unpriced: number
  /** Executions whose provider did not report all tokens; the rest is estimated */
  estimated: number
}

export interface ActionsListQuery {
  /** Only items in this state; default "open" */
  state?: 'open' | 'done' | 'deleted' | undefined
  /** Part of the name of the owner */
  owner?: string | undefined
  /** true: only items whose owner is you, by your full name, your email address, or your first name where no one else has it; needs a personal token */
  mine?: 'true' | 'false' | undefined
  /** Only items of this project */
  project?: string | undefined
  /** Only items of this meeting */
  meetingId?: string | undefined
  /** Only items of meetings that started at this time or later */
  from?: string | undefined
  /** Only items of meetings that started before this time */
  to?: string | undefined
  /** Only items that are due before this date */
  dueBefore?: string | undefined
  /** `recap`: those of the newest recap first; `due`: those that are due first, and those without a date last; default "recap" */
  order?: 'recap' | 'due' | undefined
  /** How many to return; a number above 100 counts as 100; default 50 */
  limit?: number | undefined
  /** `nextCursor` of the previous page; without it the first page */
  cursor?: string | undefined
}

export interface ActionsListAnswer {
  actions: ListedAction[]
  /** Send it as `cursor` to get the next page; null on the last page */
  nextCursor: string | null
}

export interface ActionsUpdateBody {
  text?: string | undefined
  /** Who does it; null for nobody */
  owner?: string | null | undefined
  /** Null for no due date */
  dueDate?: string | null | undefined
  /** `done` ticks it; `deleted` hides it */
  state?: 'open' | 'done' | 'deleted' | undefined
}

export interface ActionsUpdateAnswer {
  action: ListedAction
  /** Fields of the request that were ignored, with the most similar known name, and other warnings */
  warnings?: {
    path: string
    message: string
  }[] | undefined
}

export interface AskQuestionBody {
  /** In any language */
  question: string
  /** Only texts of this project */
  project?: string | undefined
  /** Only what was said in this meeting */
  meetingId?: string | undefined
  /** Only texts since then */
  from?: string | undefined
  /** Only texts before then */
  to?: string | undefined
}

export type AskQuestionAnswer = Answer

export interface AskStreamBody {
  /** In any language */
  question: string
  /** Only texts of this project */
  project?: string | undefined
  /** Only what was said in this meeting */
  meetingId?: string | undefined
  /** Only texts since then */
  from?: string | undefined
  /** Only texts before then */
  to?: string | undefined
}

export interface AuditExportQuery {
  /** Only what this actor did */
  actor?: string | undefined
  /** Only this action */
  action?:
    | 'user created'
    | 'user removed'
    | 'user deactivated'
    | 'user reactivated'
    | 'user invited'
    | 'invitation withdrawn'
    | 'signed in'
    | 'sign-in failed'
    | 'signed out'
    | 'session ended'
    | 'sessions ended'
    | 'profile changed'
    | 'role changed'
    | 'email changed'
    | 'password changed'
    | 'password reset'
    | 'reset link created'
    | 'reset link withdrawn'
    | 'identity linked'
    | 'identity unlinked'
    | 'identity link failed'
    | 'passkey added'
    | 'passkey removed'
    | 'token created'
    | 'token revoked'
    | 'assistant connected'
    | 'assistant token reused'
    | 'meetings of token stopped'
    | 'scheduled meetings of token stopped'
    | 'next secret created'
    | 'next secret activated'
    | 'next secret cancelled'
    | 'bot account added'
    | 'bot account renewed'
    | 'bot account removed'
    | 'speech installation started'
    | 'speech recognition removed'
    | 'backup made'
    | 'project access changed'
    | 'project member added'
    | 'project member removed'
    | 'admin added to project'
    | 'meeting moved'
    | 'meeting renamed'
    | 'speaker renamed'
    | 'meeting start changed'
    | 'official transcript used'
    | 'official transcripts of project changed'
    | 'task taken over'
    | 'prompt created'
    | 'prompt changed'
    | 'prompt removed'
    | 'share link created'
    | 'share link revoked'
    | 'share links ended'
    | 'share password failed'
    | 'share links mailed'
    | 'recap mail to guests changed'
    | 'guest unsubscribed'
    | 'notification added'
    | 'notification changed'
    | 'notification removed'
    | 'vocabulary changed'
    | 'calendar added'
    | 'calendar changed'
    | 'calendar removed'
    | 'calendar account connected'
    | 'calendar account removed'
    | 'calendar application changed'
    | 'calendar application removed'
    | 'test mail sent'
    | 'mail sent again'
    | 'mail choice changed'
    | 'digest feed created'
    | 'digest feed removed'
    | 'connection added'
    | 'connection changed'
    | 'connection removed'
    | 'provisioning turned on'
    | 'provisioning turned off'
    | 'provisioning changed'
    | 'provisioning token created'
    | 'provisioning token revoked'
    | 'provisioned user changed'
    | 'group created'
    | 'group changed'
    | 'group removed'
    | 'group role changed'
    | undefined
  /** Only changes of the object with this id */
  object?: string | undefined
  /** Only from this time on */
  from?: string | undefined
  /** Only before this time */
  to?: string | undefined
  /** `csv`, or `jsonl` for one JSON object on each line; default "csv" */
  format?: 'csv' | 'jsonl' | undefined
}

export interface AuditListQuery {
  /** Only what this actor did */
  actor?: string | undefined
  /** Only this action */
  action?:
    | 'user created'
    | 'user removed'
    | 'user deactivated'
    | 'user reactivated'
    | 'user invited'
    | 'invitation withdrawn'
    | 'signed in'
    | 'sign-in failed'
    | 'signed out'
    | 'session ended'
    | 'sessions ended'
    | 'profile changed'
    | 'role changed'
    | 'email changed'
    | 'password changed'
    | 'password reset'
    | 'reset link created'
    | 'reset link withdrawn'
    | 'identity linked'
    | 'identity unlinked'
    | 'identity link failed'
    | 'passkey added'
    | 'passkey removed'
    | 'token created'
    | 'token revoked'
    | 'assistant connected'
    | 'assistant token reused'
    | 'meetings of token stopped'
    | 'scheduled meetings of token stopped'
    | 'next secret created'
    | 'next secret activated'
    | 'next secret cancelled'
    | 'bot account added'
    | 'bot account renewed'
    | 'bot account removed'
    | 'speech installation started'
    | 'speech recognition removed'
    | 'backup made'
    | 'project access changed'
    | 'project member added'
    | 'project member removed'
    | 'admin added to project'
    | 'meeting moved'
    | 'meeting renamed'
    | 'speaker renamed'
    | 'meeting start changed'
    | 'official transcript used'
    | 'official transcripts of project changed'
    | 'task taken over'
    | 'prompt created'
    | 'prompt changed'
    | 'prompt removed'
    | 'share link created'
    | 'share link revoked'
    | 'share links ended'
    | 'share password failed'
    | 'share links mailed'
    | 'recap mail to guests changed'
    | 'guest unsubscribed'
    | 'notification added'
    | 'notification changed'
    | 'notification removed'
    | 'vocabulary changed'
    | 'calendar added'
    | 'calendar changed'
    | 'calendar removed'
    | 'calendar account connected'
    | 'calendar account removed'
    | 'calendar application changed'
    | 'calendar application removed'
    | 'test mail sent'
    | 'mail sent again'
    | 'mail choice changed'
    | 'digest feed created'
    | 'digest feed removed'
    | 'connection added'
    | 'connection changed'
    | 'connection removed'
    | 'provisioning turned on'
    | 'provisioning turned off'
    | 'provisioning changed'
    | 'provisioning token created'
    | 'provisioning token revoked'
    | 'provisioned user changed'
    | 'group created'
    | 'group changed'
    | 'group removed'
    | 'group role changed'
    | undefined
  /** Only changes of the object with this id */
  object?: string | undefined
  /** Only from this time on */
  from?: string | undefined
  /** Only before this time */
  to?: string | undefined
  /** How many to return; a number above 100 counts as 100; default 50 */
  limit?: number | undefined
  /** `nextCursor` of the previous page; without it the first page */
  cursor?: string | undefined
}

export interface AuditListAnswer {
  entries: AuditEntry[]
  /** Send it as `cursor` to get the next page; null on the last page */
  nextCursor: string | null
}

export interface BotAccountsListAnswer {
  botAccounts: BotAccount[]
}

export interface CalendarAccountsCalendarsAnswer {
  calendars: ProviderCalendar[]
}

export interface CalendarAccountsListAnswer {
  accounts: CalendarAccount[]
  /** The providers whose accounts can be connected */
  providers: Array<'microsoft' | 'google'>
}

export interface CalendarAccountsRemoveAnswer {
  success: true
}

export interface CalendarAppsListAnswer {
  apps: CalendarApp[]
  /** The redirect URI to enter at each provider */
  redirectUri: string
}

export interface CalendarAppsRemoveAnswer {
  success: true
}

export interface CalendarAppsUpdateBody {
  /** Application (client) ID */
  clientId: string
  /** Value of the client secret. It is never returned; leave it out to keep it */
  clientSecret?: string | undefined
  /** Microsoft: whose people may sign in; default "common" */
  tenant?: string | undefined
  /** default "global" */
  cloud?: 'global' | 'us-gov-high' | 'us-gov-dod' | undefined
}

export interface CalendarAppsUpdateAnswer {
  app: CalendarApp
  /** Fields of the request that were ignored, with the most similar known name, and other warnings */
  warnings?: {
    path: string
    message: string
  }[] | undefined
}

export interface CalendarsCreateBody {
  name: string
  /** Secret address of the calendar in iCal format: https, http or webcal */
  url?: string | undefined
  /** Instead of `url`: a connected account of yours, with `providerCalendarId` */
  calendarAccountId?: string | undefined
  /** A calendar of the connected account */
  providerCalendarId?: string | undefined
  /** Project of its meetings; default a private project of the user, and `api` with a service token */
  project?: string | undefined
  /** Email address of the person in the invitations; default that of the connected account or of the user */
  address?: string | null | undefined
  /** Name of the bot account to join with */
  account?: string | null | undefined
  /** When its bots recognize speech themselves: `fallback` where captions are missing, `always` instead of captions; default "fallback" */
  speech?: 'off' | 'fallback' | 'always' | undefined
  /** Name of a task that runs after each meeting of this calendar */
  task?: string | null | undefined
  /** URL that receives the events of its meetings */
  callbackUrl?: string | null | undefined
  /** Token whose secret signs the callbacks. With an API key it is the token of this key, and need not be sent */
  tokenId?: string | null | undefined
  /** Which meetings are joined */
  rules?: {
    /** Only meetings that the person of the calendar organises; default false */
    onlyOrganised?: boolean | undefined
    /** Only meetings to which this email address is invited; null for all; default null */
    onlyInvited?: string | null | undefined
    /** Only meetings whose title has one of these texts, in any letter case; empty for all; default [] */
    onlyTitles?: string[] | undefined
    /** No meeting whose title has one of these texts; default [] */
    neverTitles?: string[] | undefined
    /** Only meetings that the person of the calendar accepted or organises; default false */
    onlyAccepted?: boolean | undefined
    /** No meeting that is marked as private, personal or confidential. Default true with a connected account, and false with an address */
    neverPrivate?: boolean | undefined
  } | undefined
  /** default false */
  isPaused?: boolean | undefined
  /** IANA time zone of events that name none; default "UTC" */
  timeZone?: string | undefined
}

export interface CalendarsCreateAnswer {
  calendar: Calendar
  /** Fields of the request that were ignored, with the most similar known name, and other warnings */
  warnings?: {
    path: string
    message: string
  }[] | undefined
}

export interface CalendarsGetAnswer {
  calendar: Calendar
  /** Fields of the request that were ignored, with the most similar known name, and other warnings */
  warnings?: {
    path: string
    message: string
  }[] | undefined
}

export interface CalendarsListAnswer {
  calendars: Calendar[]
}

export interface CalendarsPollAnswer {
  calendar: Calendar
  /** Fields of the request that were ignored, with the most similar known name, and other warnings */
  warnings?: {
    path: string
    message: string
  }[] | undefined
}

export interface CalendarsPreviewAnswer {
  /** What the calendar has in the next two weeks */
  meetings: PreviewedMeeting[]
  /** What in the calendar could not be understood */
  problems: string[]
  /** Fields of the request that were ignored, with the most similar known name, and other warnings */
  warnings?: {
    path: string
    message: string
  }[] | undefined
}

export interface CalendarsPreviewAddressBody {
  /** Secret address of the calendar in iCal format: https, http or webcal */
  url?: string | undefined
  /** Instead of `url`: a connected account of yours, with `providerCalendarId` */
  calendarAccountId?: string | undefined
  /** A calendar of the connected account */
  providerCalendarId?: string | undefined
  /** Email address of the person in the invitations; default that of the connected account or of the user */
  address?: string | null | undefined
  /** Which meetings are joined */
  rules?: {
    /** Only meetings that the person of the calendar organises; default false */
    onlyOrganised?: boolean | undefined
    /** Only meetings to which this email address is invited; null for all; default null */
    onlyInvited?: string | null | undefined
    /** Only meetings whose title has one of these texts, in any letter case; empty for all; default [] */
    onlyTitles?: string[] | undefined
    /** No meeting whose title has one of these texts; default [] */
    neverTitles?: string[] | undefined
    /** Only meetings that the person of the calendar accepted or organises; default false */
    onlyAccepted?: boolean | undefined
    /** No meeting that is marked as private, personal or confidential. Default true with a connected account, and false with an address */
    neverPrivate?: boolean | undefined
  } | undefined
  /** IANA time zone of events that name none */
  timeZone?: string | undefined
}

export interface CalendarsPreviewAddressAnswer {
  /** What the calendar has in the next two weeks */
  meetings: PreviewedMeeting[]
  /** What in the calendar could not be understood */
  problems: string[]
  /** Fields of the request that were ignored, with the most similar known name, and other warnings */
  warnings?: {
    path: string
    message: string
  }[] | undefined
}

export interface CalendarsPreviewWithRulesBody {
  /** Email address of the person in the invitations; default that of the connected account or of the user */
  address?: string | null | undefined
  /** Which meetings are joined */
  rules?: {
    /** Only meetings that the person of the calendar organises; default false */
    onlyOrganised?: boolean | undefined
    /** Only meetings to which this email address is invited; null for all; default null */
    onlyInvited?: string | null | undefined
    /** Only meetings whose title has one of these texts, in any letter case; empty for all; default [] */
    onlyTitles?: string[] | undefined
    /** No meeting whose title has one of these texts; default [] */
    neverTitles?: string[] | undefined
    /** Only meetings that the person of the calendar accepted or organises; default false */
    onlyAccepted?: boolean | undefined
    /** No meeting that is marked as private, personal or confidential. Default true with a connected account, and false with an address */
    neverPrivate?: boolean | undefined
  } | undefined
  /** IANA time zone of events that name none */
  timeZone?: string | undefined
}

export interface CalendarsPreviewWithRulesAnswer {
  /** What the calendar has in the next two weeks */
  meetings: PreviewedMeeting[]
  /** What in the calendar could not be understood */
  problems: string[]
  /** Fields of the request that were ignored, with the most similar known name, and other warnings */
  warnings?: {
    path: string
    message: string
  }[] | undefined
}

export interface CalendarsRemoveAnswer {
  success: true
}

export interface CalendarsUpdateBody {
  name?: string | undefined
  /** Secret address of the calendar in iCal format: https, http or webcal */
  url?: string | undefined
  /** Project of its meetings from now on */
  project?: string | undefined
  /** Email address of the person in the invitations; default that of the connected account or of the user */
  address?: string | null | undefined
  /** Name of the bot account to join with */
  account?: string | null | undefined
  /** When its bots recognize speech themselves: `fallback` where captions are missing, `always` instead of captions */
  speech?: 'off' | 'fallback' | 'always' | undefined
  /** Name of a task that runs after each meeting of this calendar */
  task?: string | null | undefined
  /** URL that receives the events of its meetings */
  callbackUrl?: string | null | undefined
  /** Token whose secret signs the callbacks. With an API key it is the token of this key, and need not be sent */
  tokenId?: string | null | undefined
  /** Which meetings are joined */
  rules?: {
    /** Only meetings that the person of the calendar organises; default false */
    onlyOrganised?: boolean | undefined
    /** Only meetings to which this email address is invited; null for all; default null */
    onlyInvited?: string | null | undefined
    /** Only meetings whose title has one of these texts, in any letter case; empty for all; default [] */
    onlyTitles?: string[] | undefined
    /** No meeting whose title has one of these texts; default [] */
    neverTitles?: string[] | undefined
    /** Only meetings that the person of the calendar accepted or organises; default false */
    onlyAccepted?: boolean | undefined
    /** No meeting that is marked as private, personal or confidential. Default true with a connected account, and false with an address */
    neverPrivate?: boolean | undefined
  } | undefined
  isPaused?: boolean | undefined
  /** IANA time zone of events that name none */
  timeZone?: string | undefined
}

export interface CalendarsUpdateAnswer {
  calendar: Calendar
  /** Fields of the request that were ignored, with the most similar known name, and other warnings */
  warnings?: {
    path: string
    message: string
  }[] | undefined
}

export interface CallbacksTestBody {
  /** URL that receives the test event */
  callbackUrl?: string | undefined
  /** Send to the callback URL of this meeting instead */
  meetingId?: string | undefined
}

export interface CallbacksTestAnswer {
  deliveryId: string
  /** Whether the receiver responded with a 2xx status */
  delivered: boolean
  /** HTTP status of the response; null when there was none */
  status: number | null
  /** Why there was no complete response */
  error:
    | 'dns_error'
    | 'connection_refused'
    | 'connection_reset'
    | 'timeout'
    | 'tls_error'
    | 'blocked_address'
    | 'bad_answer'
    | null
  /** Why it failed, for people; null when it did not */
  problem:
    | {
    /** The status of the response, or why there was none */
    label: string
    /** What it usually means */
    hint: string
  }
    | null
  /** The first 2 KiB of the response body, or a note that the body of a receiver at a private address is not shown */
  answer: string
  durationMs: number
  /** Fields of the request that were ignored, with the most similar known name, and other warnings */
  warnings?: {
    path: string
    message: string
  }[] | undefined
}

export interface ConnectionsCheckAnswer {
  /** True if everything that was tried works */
  ok: boolean
  checks: ConnectionCheck[]
  /** Fields of the request that were ignored, with the most similar known name, and other warnings */
  warnings?: {
    path: string
    message: string
  }[] | undefined
}

export interface ConnectionsCreateBody {
  name: string
  /** default "microsoft" */
  kind?: 'microsoft' | 'google' | undefined
  /** default "global" */
  cloud?: 'global' | 'us-gov-high' | 'us-gov-dod' | undefined
  /** For Microsoft 365: directory (tenant) ID */
  tenant?: string | undefined
  /** For Microsoft 365: application (client) ID */
  clientId?: string | undefined
  /** Value of a client secret of the app registration. It is never returned */
  clientSecret?: string | undefined
  /** Instead of a secret: PEM text with an RSA private key and its certificate. It is never returned */
  certificate?: string | undefined
  /** For Google: the JSON file of a service account’s key. It is never returned */
  serviceAccountKey?: string | undefined
  /** For Google: read titles and private events from the calendars of the organizers. Needs the scope calendar.events.readonly; without it, no title can be excluded; default true */
  readsCalendar?: boolean | undefined
  /** Existing project of the meetings; null for a private project of each organizer, who then needs an account here; default null */
  project?: string | null | undefined
  /** Addresses with which the people sign in whose meetings are read */
  organizers: string[]
  /** No meeting whose title has one of these texts, in any letter case; default [] */
  excludedTitles?: string[] | undefined
  /** Reads also older transcripts, from this time on; default now */
  readsFrom?: string | undefined
  /** A paused connection is not read; default false */
  isPaused?: boolean | undefined
}

export interface ConnectionsCreateAnswer {
  connection: Connection
  /** Fields of the request that were ignored, with the most similar known name, and other warnings */
  warnings?: {
    path: string
    message: string
  }[] | undefined
}

export interface ConnectionsListAnswer {
  connections: Connection[]
}

export interface ConnectionsReadAnswer {
  connection: Connection
  /** Fields of the request that were ignored, with the most similar known name, and other warnings */
  warnings?: {
    path: string
    message: string
  }[] | undefined
}

export interface ConnectionsRemoveAnswer {
  success: true
}

export interface ConnectionsTranscriptsQuery {
  /** Only transcripts in this state */
  state?: 'waiting' | 'imported' | 'excluded' | 'expired' | 'failed' | undefined
  /** How many to return; a number above 100 counts as 100; default 50 */
  limit?: number | undefined
  /** `nextCursor` of the previous page; without it the first page */
  cursor?: string | undefined
}

export interface ConnectionsTranscriptsAnswer {
  transcripts: ConnectionTranscript[]
  /** Send it as `cursor` to get the next page; null on the last page */
  nextCursor: string | null
}

export interface ConnectionsUpdateBody {
  name?: string | undefined
  /** Value of a client secret of the app registration. It is never returned */
  clientSecret?: string | undefined
  /** Instead of a secret: PEM text with an RSA private key and its certificate. It is never returned */
  certificate?: string | undefined
  /** For Google: the JSON file of a service account’s key. It is never returned */
  serviceAccountKey?: string | undefined
  /** For Google: read titles and private events from the calendars of the organizers. Needs the scope calendar.events.readonly; without it, no title can be excluded */
  readsCalendar?: boolean | undefined
  /** Existing project of the meetings; null for a private project of each organizer, who then needs an account here */
  project?: string | null | undefined
  /** Addresses with which the people sign in whose meetings are read */
  organizers?: string[] | undefined
  /** No meeting whose title has one of these texts, in any letter case */
  excludedTitles?: string[] | undefined
  /** A paused connection is not read */
  isPaused?: boolean | undefined
}

export interface ConnectionsUpdateAnswer {
  connection: Connection
  /** Fields of the request that were ignored, with the most similar known name, and other warnings */
  warnings?: {
    path: string
    message: string
  }[] | undefined
}

export interface DecisionsListQuery {
  /** Only decisions of this project */
  project?: string | undefined
  /** Only decisions of this meeting */
  meetingId?: string | undefined
  /** Part of the name of the speaker */
  speaker?: string | undefined
  /** Only decisions of meetings that started at this time or later */
  from?: string | undefined
  /** Only decisions of meetings that started before this time */
  to?: string | undefined
  /** How many to return; a number above 100 counts as 100; default 50 */
  limit?: number | undefined
  /** `nextCursor` of the previous page; without it the first page */
  cursor?: string | undefined
}

export interface DecisionsListAnswer {
  decisions: ListedDecision[]
  /** Send it as `cursor` to get the next page; null on the last page */
  nextCursor: string | null
}

export interface DeliveriesFailedAnswer {
  /** Events that are no longer retried, are still stored, and have not been sent again */
  events: number
  /** The meetings of these events */
  meetings: number
  /** When the last of them was given up; null when there are none */
  lastFailedAt: string | null
  /** The 20 URLs with the most failed events; without their query strings, and only with their hosts if you may not edit the meetings */
  destinations: {
    url: string
    events: number
    meetings: number
  }[]
}

export interface DeliveriesGetAnswer {
  delivery: Delivery
}

export interface DeliveriesListQuery {
  /** Only attempts with this outcome */
  outcome?: 'delivered' | 'failed' | 'rejected' | 'gone' | undefined
  /** Only attempts of this event type */
  type?: string | undefined
  /** Only attempts of the event with this sequence */
  sequence?: number | undefined
  /** How many to return; a number above 100 counts as 100; default 50 */
  limit?: number | undefined
  /** `nextCursor` of the previous page; without it the first page */
  cursor?: string | undefined
  /** Only attempts of this meeting */
  meeting?: string | undefined
  /** Only attempts at this receiver: the `url` of an attempt */
  receiver?: string | undefined
  /** Only attempts since then */
  since?: string | undefined
}

export interface DeliveriesListAnswer {
  deliveries: Delivery[]
  /** Send it as `cursor` to get the next page; null on the last page */
  nextCursor: string | null
}

export interface DeliveriesReceiversAnswer {
  /** At most 100 */
  receivers: Receiver[]
}

export interface DeliveriesReplayFailedAnswer {
  /** How many will be sent; at most 500 in one call */
  events: number
  /** The meetings of these events */
  meetings: number
  /** How many are left; call again to send them */
  remaining: number
}

export interface DeliveriesRetryBody {
  /** Only callbacks to this receiver: its `url` in the list of receivers */
  receiver?: string | undefined
}

export interface DeliveriesRetryAnswer {
  /** Meetings whose callbacks are sent now */
  meetings: number
  /** Fields of the request that were ignored, with the most similar known name, and other warnings */
  warnings?: {
    path: string
    message: string
  }[] | undefined
}

export interface EventsStreamQuery {
  /** Start after this id; the header Last-Event-ID does the same */
  after?: string | undefined
  /** Event types, separated by commas; default all */
  events?: string | undefined
  /** Only events of this meeting */
  meeting?: string | undefined
}

export interface ExecutionsGetAnswer {
  execution: FullExecution
}

export interface ExecutionsStreamQuery {
  /** Id of the last received event, or a number of characters to skip */
  after?: string | undefined
}

export interface ListenersAnswersBody {
  /** `deliveryId` of the callback */
  deliveryId: string
  /** HTTP status of the response; null when there was none */
  status: number | null
  /** Why there was no complete response */
  error:
    | 'dns_error'
    | 'connection_refused'
    | 'connection_reset'
    | 'timeout'
    | 'tls_error'
    | 'blocked_address'
    | 'bad_answer'
    | null
  /** The first 2 KiB of the response body */
  answer: string
  durationMs: number
}

export interface ListenersAnswersAnswer {
  success: true
  /** Fields of the request that were ignored, with the most similar known name, and other warnings */
  warnings?: {
    path: string
    message: string
  }[] | undefined
}

export interface ListenersStreamQuery {
  /** Start after this id; the header Last-Event-ID does the same */
  after?: string | undefined
  /** Event types, separated by commas; default all */
  events?: string | undefined
  /** Only events of this meeting */
  meeting?: string | undefined
}

export interface MailListQuery {
  /** Only mail in this state */
  state?: 'waiting' | 'sent' | 'failed' | 'dropped' | undefined
  /** How many to return; a number above 100 counts as 100; default 50 */
  limit?: number | undefined
  /** `nextCursor` of the previous page; without it the first page */
  cursor?: string | undefined
}

export interface MailListAnswer {
  mails: Mail[]
  /** Send it as `cursor` to get the next page; null on the last page */
  nextCursor: string | null
}

export interface MailRetryAnswer {
  success: true
}

export interface MailStatusAnswer {
  /** True if the settings name a mail server */
  isOn: boolean
  server: string | null
  tls: 'required' | 'opportunistic' | 'off' | null
  /** The sender */
  from: string | null
  /** How much mail is in each state, as long as its records are kept */
  counts: {
    waiting: number
    sent: number
    failed: number
    dropped: number
  }
}

export interface MeetingsAddCommentBody {
  /** The number of the line in the transcript */
  segmentNumber: number
  /** Plain text; line breaks are kept */
  text: string
}

export interface MeetingsAddCommentAnswer {
  comment: Comment
  /** Fields of the request that were ignored, with the most similar known name, and other warnings */
  warnings?: {
    path: string
    message: string
  }[] | undefined
}

export interface MeetingsAddRecapItemBody {
  kind: 'summary' | 'decision' | 'action' | 'question'
  text: string
  /** The lines of the transcript that it comes from */
  segmentNumbers: number[]
  /** Who said it; null for nobody. Not for action items */
  speaker?: string | null | undefined
  /** Who does it; null for nobody. Only for action items */
  owner?: string | null | undefined
  /** Null for no due date. Only for action items */
  dueDate?: string | null | undefined
}

export interface MeetingsAddRecapItemAnswer {
  item: RecapItem
  /** Fields of the request that were ignored, with the most similar known name, and other warnings */
  warnings?: {
    path: string
    message: string
  }[] | undefined
}

export interface MeetingsBookmarksAnswer {
  meetingId: string
  /** In the order of the lines */
  bookmarks: {
    /** The number of the line in the transcript */
    segmentNumber: number
    createdAt: string
  }[]
}

export interface MeetingsChatQuery {
  /** Only messages after this message number; default 0 */
  after?: number | undefined
  /** How many to return; a number above 1000 counts as that; default 1000 */
  limit?: number | undefined
}

export interface MeetingsChatAnswer {
  meetingId: string
  /** Whether the meeting was started with `chat.store` */
  isStored: boolean
  /** Oldest first */
  messages: ChatMessage[]
  /** Stored messages of the meeting */
  total: number
}

export interface MeetingsCommentsAnswer {
  meetingId: string
  /** In the order of the lines */
  comments: Comment[]
}

export interface MeetingsDeliveriesQuery {
  /** Only attempts with this outcome */
  outcome?: 'delivered' | 'failed' | 'rejected' | 'gone' | undefined
  /** Only attempts of this event type */
  type?: string | undefined
  /** Only attempts of the event with this sequence */
  sequence?: number | undefined
  /** How many to return; a number above 100 counts as 100; default 50 */
  limit?: number | undefined
  /** `nextCursor` of the previous page; without it the first page */
  cursor?: string | undefined
}

export interface MeetingsDeliveriesAnswer {
  deliveries: Delivery[]
  /** Send it as `cursor` to get the next page; null on the last page */
  nextCursor: string | null
  /** Events that are no longer retried; a replay sends them again */
  failedEvents: {
    sequence: number
    reason: string
    at: string
  }[]
}

export interface MeetingsEditsAnswer {
  /** Newest first, at most 500 */
  edits: {
    /** Counts from 1 in each meeting */
    editNumber: number
    kind: 'title' | 'speaker' | 'start' | 'lines'
    /** Null for a meeting that had no title; a start is in ISO 8601 */
    from: string | null
    to: string | null
    at: string
    /** Name of the person or API token at that time */
    by: string
    /** Whether it is the newest change of its kind that was not undone; other changes cannot be undone */
    canUndo: boolean
  }[]
}

export interface MeetingsEditsUndoAnswer {
  success: true
  meetingId: string
}

export interface MeetingsEventsQuery {
  /** Start after this sequence; the header Last-Event-ID does the same; default 0 */
  after?: number | undefined
}

export interface MeetingsEvidenceAnswer {
  evidence: Evidence[]
}

export interface MeetingsGetAnswer {
  meeting: MeetingDetail
}

export interface MeetingsImportBody {
  /** The text of the file, at most 20 MiB and 20,000 segments */
  content: string
  /** Gives a title, and for some products the start, if the file has none */
  fileName?: string | undefined
  /** Without it the format is recognised by the content */
  format?:
    | 'hansard-json'
    | 'fireflies-json'
    | 'podcast-json'
    | 'vexa-json'
    | 'deepgram-json'
    | 'aws-transcribe-json'
    | 'assemblyai-json'
    | 'fathom-json'
    | 'granola-json'
    | 'whisper-json'
    | 'json'
    | 'teams-vtt'
    | 'zoom-vtt'
    | 'vtt'
    | 'srt'
    | 'sbv'
    | 'ttml'
    | 'tsv'
    | 'hansard-markdown'
    | 'hansard-text'
    | 'google-meet-text'
    | 'otter-text'
    | 'fireflies-text'
    | 'text'
    | undefined
  /** Label for the meeting; default the title in the file, or its name */
  title?: string | undefined
  /** Project to save the transcript into; default "api" */
  project?: string | undefined
  /** When the meeting started; default the start in the file. Without one the meeting ends now */
  startedAt?: string | undefined
  /** Time zone of dates in the file that name none; by default the time zone of the service */
  timeZone?: string | undefined
  /** Language in which a language model writes the recap; default that of the project, or the setting HANSARD_RECAP_LANGUAGE */
  recapLanguage?: string | undefined
}

export interface MeetingsImportAnswer {
  meetingId: string
  status:
    | 'scheduled'
    | 'awaiting_transcript'
    | 'joining'
    | 'lobby'
    | 'live'
    | 'stopping'
    | 'leaving'
    | 'ended'
    | 'error'
  platform:
    | 'google_meet'
    | 'microsoft_teams'
    | 'galene'
    | 'livekit'
    | 'zoom'
    | 'practice'
    | 'imported'
  project: string
  /** Null when no document is saved, and while the meeting is scheduled */
  documentPath: string | null
  segmentCount: number
  /** The format that was read */
  format:
    | 'hansard-json'
    | 'fireflies-json'
    | 'podcast-json'
    | 'vexa-json'
    | 'deepgram-json'
    | 'aws-transcribe-json'
    | 'assemblyai-json'
    | 'fathom-json'
    | 'granola-json'
    | 'whisper-json'
    | 'json'
    | 'teams-vtt'
    | 'zoom-vtt'
    | 'vtt'
    | 'srt'
    | 'sbv'
    | 'ttml'
    | 'tsv'
    | 'hansard-markdown'
    | 'hansard-text'
    | 'google-meet-text'
    | 'otter-text'
    | 'fireflies-text'
    | 'text'
  /** Fields of the request that were ignored, with the most similar known name, and other warnings */
  warnings?: {
    path: string
    message: string
  }[] | undefined
}

export interface MeetingsListQuery {
  /** Only meetings of this project */
  project?: string | undefined
  /** Only meetings with this status */
  status?:
    | 'scheduled'
    | 'awaiting_transcript'
    | 'joining'
    | 'lobby'
    | 'live'
    | 'stopping'
    | 'leaving'
    | 'ended'
    | 'error'
    | undefined
  /** Only meetings on this platform */
  platform?:
    | 'google_meet'
    | 'microsoft_teams'
    | 'galene'
    | 'livekit'
    | 'zoom'
    | 'practice'
    | 'imported'
    | undefined
  /** true: leave out scheduled meetings, which are otherwise listed first */
  begun?: 'true' | 'false' | undefined
  /** false: leave out meetings that were tried again, whose `meetingId` another one has as `retryOf` */
  retried?: 'true' | 'false' | undefined
  /** Part of the title */
  q?: string | undefined
  /** How many to return; a number above 100 counts as 100; default 50 */
  limit?: number | undefined
  /** `nextCursor` of the previous page; without it the first page */
  cursor?: string | undefined
}

export interface MeetingsListAnswer {
  meetings: ListedMeeting[]
  /** Send it as `cursor` to get the next page; null on the last page */
  nextCursor: string | null
}

export interface MeetingsMakeRecapAnswer {
  meetingId: string
  status: 'in_progress'
}

export interface MeetingsReadEventsQuery {
  /** Only events after this sequence; default 0 */
  after?: number | undefined
  /** How many to return; a number above 1000 counts as 1000; default 100 */
  limit?: number | undefined
  /** How many seconds to wait for an event; a number above 25 counts as 25; default 0 */
  wait?: number | undefined
}

export interface MeetingsReadEventsAnswer {
  events: MeetingEvent[]
}

export interface MeetingsRecapAnswer {
  meetingId: string
  /** `in_progress`: a newer recap of this meeting is being made */
  status: 'in_progress' | 'completed'
  /** `rules`: without a language model */
  method: 'rules' | 'model'
  /** The language model; null for rules */
  model: string | null
  /** Why the recap is by rules although a language model is configured, or that the model wrote in another language than it was asked to; else null */
  error: string | null
  /** Grows with every change */
  version: number
  madeAt: string
  /** Language of the meeting; null when not known */
  language: string | null
  /** Language of the texts; by rules that of the meeting; null when not known */
  writtenLanguage: string | null
  /** A few words about the meeting, by a model; null by rules */
  title: string | null
  /** The sections that it was made with, in the order in which they are shown */
  sections: Array<'summary' | 'decisions' | 'actions' | 'openQuestions' | 'topics'>
  /** Three to six sentences, fewer when little was said, and those that people added */
  summary: RecapSentence[]
  decisions: RecapDecision[]
  /** Without deleted ones */
  actions: Action[]
  openQuestions: RecapStatement[]
  topics: {
    title: string
    /** Milliseconds since the start of the meeting */
    startMs: number
    endMs: number
    firstSegmentNumber: number
    lastSegmentNumber: number
  }[]
  /** How much of the meeting was read; very long meetings are sampled */
  coverage: {
    segmentsRead: number
    segmentsTotal: number
  }
  /** Statements and topics of the model that are left out, because the segments they cite do not prove them */
  droppedStatements: number
  /** Tokens that the model has used */
  tokens: number
  /** Null when no cost is known */
  costUsd: number | null
  /** Whether the transcript document has the recap; `edited`: a person changed the document, so it was left as it is */
  documentState: 'waiting' | 'written' | 'none' | 'edited' | 'failed'
}

export interface MeetingsRemoveAnswer {
  success: true
  meetingId: string
  /** How much stored data of the meeting was deleted */
  removed: RemovedCounts
}

export interface MeetingsRemoveBookmarkAnswer {
  success: true
}

export interface MeetingsRemoveCommentAnswer {
  success: true
}

export interface MeetingsRemoveShareAnswer {
  success: true
}

export interface MeetingsReplayBody {
  /** First sequence; default the first stored event */
  from?: number | undefined
  /** Last sequence; default the newest stored event */
  to?: number | undefined
  /** Default the callback URL of the meeting */
  callbackUrl?: string | undefined
}

export interface MeetingsReplayAnswer {
  replayId: string
  /** First sequence */
  from: number
  /** Last sequence */
  to: number
  /** How many will be sent */
  events: number
  /** Fields of the request that were ignored, with the most similar known name, and other warnings */
  warnings?: {
    path: string
    message: string
  }[] | undefined
}

export interface MeetingsSaveBookmarkAnswer {
  success: true
}

export interface MeetingsShareBody {
  /** The link expires after this many days; default 30 */
  days?: number | undefined
  /** Readers must enter it; at least 8 characters */
  password?: string | undefined
}

export interface MeetingsShareAnswer {
  share: Share
  /** The link. It is shown only once: only its hash is stored */
  url: string
  /** Fields of the request that were ignored, with the most similar known name, and other warnings */
  warnings?: {
    path: string
    message: string
  }[] | undefined
}

export interface MeetingsSharesAnswer {
  shares: Share[]
  /** False when the operator turned share links off: none opens */
  isOn: boolean
}

export interface MeetingsSpeakersRenameBody {
  /** The name that the transcript shows */
  from: string
  /** The new name. Control characters are removed, and at most 200 characters stay. If another speaker has it, both are shown as one */
  to: string
}

export interface MeetingsSpeakersRenameAnswer {
  meetingId: string
  from: string
  /** The name as it is stored */
  to: string
  /** Fields of the request that were ignored, with the most similar known name, and other warnings */
  warnings?: {
    path: string
    message: string
  }[] | undefined
}

export interface MeetingsStartBody {
  /** Meeting URL on a supported platform */
  url: string
  /** Label for the meeting */
  title?: string | undefined
  /** When the bot joins, at most 90 days ahead; without it the bot joins now */
  joinAt?: string | undefined
  /** URL that receives the events */
  callbackUrl: string
  /** Project to save the transcript into; letters, digits, spaces, dots, hyphens and underscores; default "api" */
  project?: string | undefined
  /** Save a transcript document in the project; default true */
  saveTranscript?: boolean | undefined
  /** Language of the captions; default that of the platform */
  language?: string | undefined
  /** Language in which a language model writes the recap; default that of the project, or the setting HANSARD_RECAP_LANGUAGE */
  recapLanguage?: string | undefined
  /** When the bot recognizes speech itself: `fallback` where captions are missing or in another language, `always` instead of captions; default "fallback" */
  speech?: 'off' | 'fallback' | 'always' | undefined
  /** What the transcript is made of. `bot`: what a bot records; `official`: the official transcript, without a bot; `both`: a bot, completed by the official transcript. The last two need a connection; default "bot" */
  capture?: 'bot' | 'official' | 'both' | undefined
  /** The name the bot joins with; default the setting HANSARD_BOT_NAME */
  botName?: string | undefined
  /** Name of the bot account to join with; without it the bot joins as a guest */
  account?: string | undefined
  /** Report coaching insights; default true */
  coach?: boolean | undefined
  /** Event types to send to the callback URL; default all but `brief_ready` and those about the recap */
  events?: Array<'meeting_status' | 'caption_partial' | 'segment_finalized' | 'coach_insight' | 'participant_joined' | 'participant_left' | 'document_saved' | 'brief_ready' | 'transcript_changed' | 'recap_ready' | 'decision_recorded' | 'action_created' | 'action_changed'> | undefined
  /** After how many seconds the bot leaves; defaults are the settings HANSARD_LEAVE_… */
  leave?: {
    /** Seconds in the lobby */
    lobbyTimeout?: number | undefined
    /** Seconds until the meeting starts */
    hostTimeout?: number | undefined
    /** Seconds while no one else joins */
    nobodyJoined?: number | undefined
    /** Seconds after everyone else has left */
    everyoneLeft?: number | undefined
    /** Seconds without any speech; null: never */
    silence?: number | null | undefined
    /** Seconds in the meeting altogether */
    maxDuration?: number | undefined
  } | undefined
  /** What the bot does with the meeting chat */
  chat?: {
    /** Posted when the bot is admitted; `{name}` becomes its name; null: nothing. Default the setting HANSARD_CHAT_NOTICE */
    notice?: string | null | undefined
    /** Whether “hansard leave”, “hansard pause” and “hansard resume” in the chat are obeyed; default true */
    commands?: boolean | undefined
    /** Whether the chat messages are stored with the meeting; default false */
    store?: boolean | undefined
  } | undefined
}

export interface MeetingsStartAnswer {
  meetingId: string
  status:
    | 'scheduled'
    | 'awaiting_transcript'
    | 'joining'
    | 'lobby'
    | 'live'
    | 'stopping'
    | 'leaving'
    | 'ended'
    | 'error'
  platform: 'google_meet' | 'microsoft_teams' | 'galene' | 'livekit' | 'zoom' | 'practice'
  project: string
  /** Null when no document is saved, and while the meeting is scheduled */
  documentPath: string | null
  /** When the bot was asked to join; null when the meeting was started at once */
  joinAt: string | null
  /** Fields of the request that were ignored, with the most similar known name, and other warnings */
  warnings?: {
    path: string
    message: string
  }[] | undefined
}

export interface MeetingsStatusAnswer {
  meetings: MeetingStatus[]
}

export interface MeetingsStopBody {
  /** The id that start returned */
  meetingId: string
}

export interface MeetingsStopAnswer {
  meetingId: string
  status:
    | 'scheduled'
    | 'awaiting_transcript'
    | 'joining'
    | 'lobby'
    | 'live'
    | 'stopping'
    | 'leaving'
    | 'ended'
    | 'error'
  /** Fields of the request that were ignored, with the most similar known name, and other warnings */
  warnings?: {
    path: string
    message: string
  }[] | undefined
}

export interface MeetingsTranscriptQuery {
  /** Only segments after this segment number; default 0 */
  after?: number | undefined
  /** Maximum number of segments after `after`; default all */
  limit?: number | undefined
  /** json: this object; otherwise the transcript as text; default "json" */
  format?: 'json' | 'md' | 'txt' | 'srt' | 'vtt' | 'vcon' | undefined
}

export interface MeetingsTranscriptAnswer {
  meetingId: string
  status:
    | 'scheduled'
    | 'awaiting_transcript'
    | 'joining'
    | 'lobby'
    | 'live'
    | 'stopping'
    | 'leaving'
    | 'ended'
    | 'error'
  project: string
  /** Null when no document is saved, and while the meeting is scheduled */
  documentPath: string | null
  /** In the order in which they became final while the meeting is active; by start time once it is over. With `after` or `limit` always by segment number */
  segments: Segment[]
  /** Times in which nothing was recorded, oldest first; with a range those in it */
  gaps: TranscriptGap[]
  title: string
  platform:
    | 'google_meet'
    | 'microsoft_teams'
    | 'galene'
    | 'livekit'
    | 'zoom'
    | 'practice'
    | 'imported'
  startedAt: string
  /** Null while the meeting is running */
  endedAt: string | null
  /** Names of everyone who took part */
  participants: string[]
}

export interface MeetingsTranscriptTextQuery {
  /** Only segments after this segment number; default 0 */
  after?: number | undefined
  /** Maximum number of segments after `after`; default all */
  limit?: number | undefined
}

export interface MeetingsUpdateBody {
  /** The project to move the meeting to */
  project?: string | undefined
  /** The new title; the path of the document stays */
  title?: string | undefined
  /** When the bot joins, at most 90 days ahead; only while the meeting is scheduled */
  joinAt?: string | undefined
  /** What the official transcript of a meeting that a bot attended is used for; only if there is one, and only after the meeting */
  officialTranscript?: 'keep' | 'fill' | 'replace' | undefined
  /** When an imported meeting started: all its times move, and its recap is made again with new due dates */
  startedAt?: string | undefined
}

export interface MeetingsUpdateAnswer {
  meetingId: string
  status:
    | 'scheduled'
    | 'awaiting_transcript'
    | 'joining'
    | 'lobby'
    | 'live'
    | 'stopping'
    | 'leaving'
    | 'ended'
    | 'error'
  title: string
  project: string
  /** Null when no document is saved, and while the meeting is scheduled */
  documentPath: string | null
  /** When the bot was asked to join; null when the meeting was started at once */
  joinAt: string | null
  /** Fields of the request that were ignored, with the most similar known name, and other warnings */
  warnings?: {
    path: string
    message: string
  }[] | undefined
}

export interface MeetingsUpdateCommentBody {
  /** Plain text; line breaks are kept */
  text: string
}

export interface MeetingsUpdateCommentAnswer {
  comment: Comment
  /** Fields of the request that were ignored, with the most similar known name, and other warnings */
  warnings?: {
    path: string
    message: string
  }[] | undefined
}

export interface MeetingsUpdateRecapItemBody {
  text?: string | undefined
  /** The lines of the transcript that it comes from */
  segmentNumbers?: number[] | undefined
  /** Who said it; null for nobody. Not for action items */
  speaker?: string | null | undefined
  /** Who does it; null for nobody. Only for action items */
  owner?: string | null | undefined
  /** Null for no due date. Only for action items */
  dueDate?: string | null | undefined
}

export interface MeetingsUpdateRecapItemAnswer {
  item: RecapItem
  /** Fields of the request that were ignored, with the most similar known name, and other warnings */
  warnings?: {
    path: string
    message: string
  }[] | undefined
}

export interface ProjectsAccessAnswer {
  project: string
  /** `team`: every user of the instance; `private`: only its members */
  access: 'team' | 'private'
  /** Fields of the request that were ignored, with the most similar known name, and other warnings */
  warnings?: {
    path: string
    message: string
  }[] | undefined
  /** Admins who added themselves in the last 90 days, newest first. Empty for callers who are not owners. */
  adminEntries: AdminEntry[]
}

export interface ProjectsAddNotificationBody {
  name: string
  /** `teams`: a webhook of a workflow in Microsoft Teams */
  format: 'slack' | 'teams' | 'mattermost'
  /** Secret address of the webhook, which the chat shows */
  url: string
  /** `failures`: of meetings and tasks of the project */
  topics: Array<'recaps' | 'decisions' | 'actions' | 'failures'>
}

export interface ProjectsAddNotificationAnswer {
  notification: Notification
  /** Fields of the request that were ignored, with the most similar known name, and other warnings */
  warnings?: {
    path: string
    message: string
  }[] | undefined
}

export interface ProjectsDocumentsQuery {
  /** Only documents directly in this folder, and its subfolders; empty for the project folder */
  folder?: string | undefined
  /** How many to return; a number above 100 counts as 100. Without limit and cursor, everything */
  limit?: number | undefined
  /** `nextCursor` of the previous page; without it the first page */
  cursor?: string | undefined
}

export interface ProjectsDocumentsAnswer {
  project: string
  /** Names of the subfolders of the requested folder */
  folders?: string[] | undefined
  documents: Document[]
  /** Send it as `cursor` to get the next page; null on the last page */
  nextCursor: string | null
}

export interface ProjectsListQuery {
  /** How many to return; a number above 100 counts as 100. Without limit and cursor, everything */
  limit?: number | undefined
  /** `nextCursor` of the previous page; without it the first page */
  cursor?: string | undefined
}

export interface ProjectsListAnswer {
  projects: Project[]
  /** Send it as `cursor` to get the next page; null on the last page */
  nextCursor: string | null
}

export interface ProjectsMeetingsQuery {
  /** How many to return; a number above 100 counts as 100. Without limit and cursor, everything */
  limit?: number | undefined
  /** `nextCursor` of the previous page; without it the first page */
  cursor?: string | undefined
}

export interface ProjectsMeetingsAnswer {
  project: string
  meetings: SavedMeeting[]
  /** Send it as `cursor` to get the next page; null on the last page */
  nextCursor: string | null
}

export interface ProjectsMembersAnswer {
  project: string
  members: ProjectMember[]
}

export interface ProjectsNotificationAttemptsAnswer {
  /** At most 50 */
  attempts: NotificationAttempt[]
}

export interface ProjectsNotificationsAnswer {
  notifications: Notification[]
}

export interface ProjectsPreviewNotificationBody {
  /** `teams`: a webhook of a workflow in Microsoft Teams */
  format: 'slack' | 'teams' | 'mattermost'
  /** `failures`: of meetings and tasks of the project */
  topics: Array<'recaps' | 'decisions' | 'actions' | 'failures'>
}

export interface ProjectsPreviewNotificationAnswer {
  /** The body of the request as JSON, indented */
  body: string
  /** The same message as plain text */
  text: string
  /** Fields of the request that were ignored, with the most similar known name, and other warnings */
  warnings?: {
    path: string
    message: string
  }[] | undefined
}

export interface ProjectsRecapSettingsAnswer {
  project: string
  /** Language in which a model writes; null for the setting HANSARD_RECAP_LANGUAGE */
  recapLanguage: string | null
  /** The sections that recaps have, in their order */
  sections: Array<'summary' | 'decisions' | 'actions' | 'openQuestions' | 'topics'>
  /** What a language model is asked for besides; empty for nothing */
  instructions: string
  /** Who gets new recaps by mail: `nobody`, `participants` with an account, or `members`, who are all who may read the project */
  recapMail: 'nobody' | 'participants' | 'members'
  /** True if people without an account get recaps too, by the addresses in the calendar invitation and with a share link. Only owners of the project turn it on, and it works while the owner who did so is one */
  mailsGuests: boolean
  /** The share links of guests expire after this many days. Only owners change it */
  guestLinkDays: number
  /** Fields of the request that were ignored, with the most similar known name, and other warnings */
  warnings?: {
    path: string
    message: string
  }[] | undefined
}

export interface ProjectsRemoveDocumentAnswer {
  success: true
}

export interface ProjectsRemoveMemberAnswer {
  success: true
}

export interface ProjectsRemoveNotificationAnswer {
  success: true
}

export interface ProjectsRemoveShareAnswer {
  success: true
}

export type ProjectsSaveDocumentBody = string

export interface ProjectsSaveDocumentAnswer {
  project: string
  document: Document
}

export interface ProjectsSetAccessBody {
  /** `team`: every user of the instance; `private`: only its members */
  access: 'team' | 'private'
}

export interface ProjectsSetAccessAnswer {
  project: string
  /** `team`: every user of the instance; `private`: only its members */
  access: 'team' | 'private'
  /** Fields of the request that were ignored, with the most similar known name, and other warnings */
  warnings?: {
    path: string
    message: string
  }[] | undefined
  /** How many share links ended because the project was made private */
  endedShares: number
}

export interface ProjectsSetMemberBody {
  /** Send this or email */
  userId?: string | undefined
  email?: string | undefined
  /** `reader`: reads; `editor`: also changes; `owner`: also decides who may */
  role: 'reader' | 'editor' | 'owner'
}

export interface ProjectsSetMemberAnswer {
  member: ProjectMember
  /** Fields of the request that were ignored, with the most similar known name, and other warnings */
  warnings?: {
    path: string
    message: string
  }[] | undefined
}

export interface ProjectsShareDocumentBody {
  /** Path of the document in its project */
  path: string
  /** The link expires after this many days; default 30 */
  days?: number | undefined
  /** Readers must enter it; at least 8 characters */
  password?: string | undefined
}

export interface ProjectsShareDocumentAnswer {
  share: Share
  /** The link. It is shown only once: only its hash is stored */
  url: string
  /** Fields of the request that were ignored, with the most similar known name, and other warnings */
  warnings?: {
    path: string
    message: string
  }[] | undefined
}

export interface ProjectsSharesQuery {
  /** Only links to this document */
  path?: string | undefined
}

export interface ProjectsSharesAnswer {
  shares: Share[]
  /** False when the operator turned share links off: none opens */
  isOn: boolean
}

export interface ProjectsTestNotificationAnswer {
  startedAt: string
  durationMs: number
  outcome: 'delivered' | 'failed' | 'rejected' | 'gone'
  /** HTTP status of the answer; null when there was none */
  status: number | null
  /** Why the message did not arrive; null if it did */
  problem:
    | {
    /** The status of the response, or why there was none */
    label: string
    /** What it usually means */
    hint: string
  }
    | null
  /** The first 2 KiB of the answer */
  answer: string
  /** Fields of the request that were ignored, with the most similar known name, and other warnings */
  warnings?: {
    path: string
    message: string
  }[] | undefined
}

export interface ProjectsTranscriptSettingsAnswer {
  project: string
  /** What happens when the official transcript of a meeting that a bot attended is found. `keep`: Hansard stores it, and the meeting stays as it is; `fill`: it adds lines where the bot recorded nothing; `replace`: it replaces the bot’s lines while it lasts */
  officialTranscripts: 'keep' | 'fill' | 'replace'
  /** Fields of the request that were ignored, with the most similar known name, and other warnings */
  warnings?: {
    path: string
    message: string
  }[] | undefined
}

export interface ProjectsUpdateNotificationBody {
  name?: string | undefined
  /** `teams`: a webhook of a workflow in Microsoft Teams */
  format?: 'slack' | 'teams' | 'mattermost' | undefined
  /** Secret address of the webhook, which the chat shows */
  url?: string | undefined
  /** `failures`: of meetings and tasks of the project */
  topics?: Array<'recaps' | 'decisions' | 'actions' | 'failures'> | undefined
  /** False sends what waits, and also resumes what the chat stopped */
  isPaused?: boolean | undefined
}

export interface ProjectsUpdateNotificationAnswer {
  notification: Notification
  /** Fields of the request that were ignored, with the most similar known name, and other warnings */
  warnings?: {
    path: string
    message: string
  }[] | undefined
}

export interface ProjectsUpdateRecapSettingsBody {
  recapLanguage?: string | null | undefined
  /** The sections that recaps have, in their order */
  sections?: Array<'summary' | 'decisions' | 'actions' | 'openQuestions' | 'topics'> | undefined
  /** What a language model is asked for besides; empty for nothing */
  instructions?: string | undefined
  /** Who gets new recaps by mail: `nobody`, `participants` with an account, or `members`, who are all who may read the project */
  recapMail?: 'nobody' | 'participants' | 'members' | undefined
  /** True if people without an account get recaps too, by the addresses in the calendar invitation and with a share link. Only owners of the project turn it on, and it works while the owner who did so is one */
  mailsGuests?: boolean | undefined
  /** The share links of guests expire after this many days. Only owners change it */
  guestLinkDays?: number | undefined
}

export interface ProjectsUpdateRecapSettingsAnswer {
  project: string
  /** Language in which a model writes; null for the setting HANSARD_RECAP_LANGUAGE */
  recapLanguage: string | null
  /** The sections that recaps have, in their order */
  sections: Array<'summary' | 'decisions' | 'actions' | 'openQuestions' | 'topics'>
  /** What a language model is asked for besides; empty for nothing */
  instructions: string
  /** Who gets new recaps by mail: `nobody`, `participants` with an account, or `members`, who are all who may read the project */
  recapMail: 'nobody' | 'participants' | 'members'
  /** True if people without an account get recaps too, by the addresses in the calendar invitation and with a share link. Only owners of the project turn it on, and it works while the owner who did so is one */
  mailsGuests: boolean
  /** The share links of guests expire after this many days. Only owners change it */
  guestLinkDays: number
  /** Fields of the request that were ignored, with the most similar known name, and other warnings */
  warnings?: {
    path: string
    message: string
  }[] | undefined
}

export interface ProjectsUpdateTranscriptSettingsBody {
  /** What happens when the official transcript of a meeting that a bot attended is found. `keep`: Hansard stores it, and the meeting stays as it is; `fill`: it adds lines where the bot recorded nothing; `replace`: it replaces the bot’s lines while it lasts */
  officialTranscripts: 'keep' | 'fill' | 'replace'
}

export interface ProjectsUpdateTranscriptSettingsAnswer {
  project: string
  /** What happens when the official transcript of a meeting that a bot attended is found. `keep`: Hansard stores it, and the meeting stays as it is; `fill`: it adds lines where the bot recorded nothing; `replace`: it replaces the bot’s lines while it lasts */
  officialTranscripts: 'keep' | 'fill' | 'replace'
  /** Fields of the request that were ignored, with the most similar known name, and other warnings */
  warnings?: {
    path: string
    message: string
  }[] | undefined
}

export interface ProjectsUpdateVocabularyBody {
  /** Names and terms as they are spelt */
  add?: string[] | undefined
  remove?: string[] | undefined
}

export interface ProjectsUpdateVocabularyAnswer {
  project: string
  /** In alphabetical order */
  terms: string[]
  /** Fields of the request that were ignored, with the most similar known name, and other warnings */
  warnings?: {
    path: string
    message: string
  }[] | undefined
}

export interface ProjectsVocabularyAnswer {
  project: string
  /** In alphabetical order */
  terms: string[]
  /** Fields of the request that were ignored, with the most similar known name, and other warnings */
  warnings?: {
    path: string
    message: string
  }[] | undefined
}

export interface PromptsListAnswer {
  prompts: Prompt[]
}

export interface RecordingsCreateBody {
  /** Gives a title, and for some products the start of the meeting */
  fileName: string
  /** Size of the file */
  bytes: number
  /** Label for the meeting; default the file name */
  title?: string | undefined
  /** Project to save the meeting into; default "api" */
  project?: string | undefined
  /** When the meeting started; default the start in the file name. Without one the meeting ends at the time of the upload */
  startedAt?: string | undefined
  /** Time zone of a start in the file name that names none; by default the time zone of the service */
  timeZone?: string | undefined
  /** Language of the speech; default English */
  language?: string | undefined
  /** Language in which a language model writes the recap; default that of the project, or the setting HANSARD_RECAP_LANGUAGE */
  recapLanguage?: string | undefined
}

export interface RecordingsCreateAnswer {
  recordingId: string
  /** `uploading`: parts are missing; `waiting`: it waits for a node; `processing`: it is recognized; `imported`: it is a meeting; `failed`: see `detail` */
  state: 'uploading' | 'waiting' | 'processing' | 'imported' | 'failed'
  project: string
  fileName: string
  title: string | null
  bytes: number
  /** Size of each part but the last one */
  partBytes: number
  /** How many parts the file has */
  parts: number
  /** 0 once the sound is deleted */
  partsReceived: number
  /** Null until the file is complete */
  durationSeconds: number | null
  /** Up to where it is recognized */
  positionSeconds: number
  /** How much is recognized; null while that is not known */
  percent: number | null
  /** Why it failed, or what is missing in the transcript */
  detail: string | null
  /** The meeting that it became */
  meetingId: string | null
  createdAt: string
  /** Fields of the request that were ignored, with the most similar known name, and other warnings */
  warnings?: {
    path: string
    message: string
  }[] | undefined
}

export interface RecordingsGetAnswer {
  recordingId: string
  /** `uploading`: parts are missing; `waiting`: it waits for a node; `processing`: it is recognized; `imported`: it is a meeting; `failed`: see `detail` */
  state: 'uploading' | 'waiting' | 'processing' | 'imported' | 'failed'
  project: string
  fileName: string
  title: string | null
  bytes: number
  /** Size of each part but the last one */
  partBytes: number
  /** How many parts the file has */
  parts: number
  /** 0 once the sound is deleted */
  partsReceived: number
  /** Null until the file is complete */
  durationSeconds: number | null
  /** Up to where it is recognized */
  positionSeconds: number
  /** How much is recognized; null while that is not known */
  percent: number | null
  /** Why it failed, or what is missing in the transcript */
  detail: string | null
  /** The meeting that it became */
  meetingId: string | null
  createdAt: string
}

export interface RecordingsListAnswer {
  recordings: {
    recordingId: string
    /** `uploading`: parts are missing; `waiting`: it waits for a node; `processing`: it is recognized; `imported`: it is a meeting; `failed`: see `detail` */
    state: 'uploading' | 'waiting' | 'processing' | 'imported' | 'failed'
    project: string
    fileName: string
    title: string | null
    bytes: number
    /** Size of each part but the last one */
    partBytes: number
    /** How many parts the file has */
    parts: number
    /** 0 once the sound is deleted */
    partsReceived: number
    /** Null until the file is complete */
    durationSeconds: number | null
    /** Up to where it is recognized */
    positionSeconds: number
    /** How much is recognized; null while that is not known */
    percent: number | null
    /** Why it failed, or what is missing in the transcript */
    detail: string | null
    /** The meeting that it became */
    meetingId: string | null
    createdAt: string
  }[]
}

export interface RecordingsRemoveAnswer {
  success: true
}

export type RecordingsSendPartBody = Blob

export interface RecordingsSendPartAnswer {
  recordingId: string
  /** `uploading`: parts are missing; `waiting`: it waits for a node; `processing`: it is recognized; `imported`: it is a meeting; `failed`: see `detail` */
  state: 'uploading' | 'waiting' | 'processing' | 'imported' | 'failed'
  project: string
  fileName: string
  title: string | null
  bytes: number
  /** Size of each part but the last one */
  partBytes: number
  /** How many parts the file has */
  parts: number
  /** 0 once the sound is deleted */
  partsReceived: number
  /** Null until the file is complete */
  durationSeconds: number | null
  /** Up to where it is recognized */
  positionSeconds: number
  /** How much is recognized; null while that is not known */
  percent: number | null
  /** Why it failed, or what is missing in the transcript */
  detail: string | null
  /** The meeting that it became */
  meetingId: string | null
  createdAt: string
}

export interface RemovalsListQuery {
  /** How many to return; a number above 100 counts as 100; default 50 */
  limit?: number | undefined
  /** `nextCursor` of the previous page; without it the first page */
  cursor?: string | undefined
}

export interface RemovalsListAnswer {
  removals: {
    meetingId: string
    at: string
    /** Id of the token or user, or retention */
    removedBy: string
    removed: RemovedCounts
  }[]
  /** Send it as `cursor` to get the next page; null on the last page */
  nextCursor: string | null
}

export interface SearchFindQuery {
  /** Words, and "words in quotes" for an exact phrase */
  q: string
  /** Only results of this project */
  project?: string | undefined
  /** Only segments of this speaker */
  speaker?: string | undefined
  /** Only results since then */
  from?: string | undefined
  /** Only results before then */
  to?: string | undefined
  /** Only parts of transcripts, or only of files */
  kind?: 'segment' | 'document' | undefined
  /** How many to return; a number above 100 counts as 100; default 50 */
  limit?: number | undefined
  /** `nextCursor` of the previous page; without it the first page */
  cursor?: string | undefined
}

export interface SearchFindAnswer {
  results: SearchResult[]
  /** all: results have all words; any: nothing has them all, results have some words */
  matched: 'all' | 'any'
  /** Words that occur nowhere, and the words that were searched instead */
  corrections: {
    word: string
    meant: string[]
  }[]
  /** Send it as `cursor` to get the next page; null on the last page */
  nextCursor: string | null
}

export interface TasksCancelAnswer {
  success: true
  message: string
  execution: PastExecution
}

export interface TasksCreateBody {
  /** Unique; used in paths */
  name: string
  /** A file in scheduled-prompts, without .md */
  promptName: string
  /** Five fields: minute hour day-of-month month day-of-week; without it the task runs only on demand */
  cronExpression?: string | null | undefined
  /** Starts the task when a meeting ends or will start, or when a document is saved */
  trigger?: MeetingEndedTrigger | DocumentSavedTrigger | BeforeMeetingTrigger | null | undefined
  /** IANA time zone of the schedule; default "UTC" */
  timezone?: string | undefined
  /** Whether the schedule and the trigger are active; default true */
  enabled?: boolean | undefined
  /** Milliseconds; default 300000 */
  timeout?: number | undefined
  /** Project whose readers see the task and its results; without it all users do, and it reads team projects only */
  project?: string | undefined
}

export interface TasksCreateAnswer {
  task: Task
  /** Fields of the request that were ignored, with the most similar known name, and other warnings */
  warnings?: {
    path: string
    message: string
  }[] | undefined
}

export interface TasksDisableAnswer {
  success: true
  message: string
  task: Task
}

export interface TasksEnableAnswer {
  success: true
  message: string
  task: Task
}

export interface TasksGetAnswer {
  task: Task
  recentExecutions: Execution[]
}

export interface TasksHistoryQuery {
  /** How many to return; a number above 100 counts as 100; default 50 */
  limit?: number | undefined
  /** How many to skip; default 0 */
  offset?: number | undefined
}

export interface TasksHistoryAnswer {
  executions: PastExecution[]
  /** How many executions the task has */
  total: number
  limit: number
  offset: number
}

export interface TasksListQuery {
  /** Only tasks with a schedule, or only those without */
  scheduled?: 'true' | 'false' | undefined
}

export interface TasksListAnswer {
  tasks: Task[]
}

export interface TasksRemoveAnswer {
  success: true
  message: string
}

export interface TasksRunAnswer {
  success: true
  message: string
  taskName: string
  executionId: string
}

export interface TasksTakeOverAnswer {
  success: true
  message: string
  task: Task
}

export interface TasksUpdateBody {
  /** A file in scheduled-prompts, without .md */
  promptName?: string | undefined
  /** Null or empty removes the schedule */
  cronExpression?: string | null | undefined
  /** Null removes the trigger */
  trigger?: MeetingEndedTrigger | DocumentSavedTrigger | BeforeMeetingTrigger | null | undefined
  /** IANA time zone of the schedule */
  timezone?: string | undefined
  /** Whether the schedule and the trigger are active */
  enabled?: boolean | undefined
  /** Milliseconds */
  timeout?: number | undefined
  /** The same as timeout */
  timeoutMs?: number | undefined
  /** Cannot be changed */
  name?: string | undefined
  /** Cannot be changed; ignored */
  lastRunAt?: unknown | undefined
  /** Cannot be changed; ignored */
  lastStatus?: unknown | undefined
  /** Cannot be changed; ignored */
  lastCancelled?: unknown | undefined
  /** Cannot be changed; ignored */
  nextRunAt?: unknown | undefined
  /** Cannot be changed; ignored */
  isScheduled?: unknown | undefined
  /** Cannot be changed; ignored */
  createdAt?: unknown | undefined
  /** Cannot be changed; ignored */
  updatedAt?: unknown | undefined
  /** Cannot be changed; ignored */
  lastSkippedAt?: unknown | undefined
  /** Cannot be changed; ignored */
  lastSkipReason?: unknown | undefined
  /** Cannot be changed; ignored */
  project?: unknown | undefined
  /** Cannot be changed; ignored */
  owner?: unknown | undefined
  /** Cannot be changed; ignored */
  canRun?: unknown | undefined
}

export interface TasksUpdateAnswer {
  task: Task
  /** Fields of the request that were ignored, with the most similar known name, and other warnings */
  warnings?: {
    path: string
    message: string
  }[] | undefined
}

export interface TokenGetAnswer {
  token: Token
}

export interface UpcomingBriefAnswer {
  upcomingId: string
  title: string
  startsAt: string
  /** Who was invited and did not decline; empty if it is not your calendar and you are not invited */
  people: {
    /** Null without an account */
    name: string | null
    address: string
  }[]
  /** Earlier meetings, of the series first */
  meetings: EarlierMeeting[]
  /** Of the three newest of these meetings */
  decisions: BriefStatement[]
  /** What is still to be done from these meetings */
  actions: BriefAction[]
  /** Of the three newest of these meetings */
  openQuestions: BriefStatement[]
  /** Documents of the project with all words of the title */
  documents: {
    project: string
    path: string
    title: string
  }[]
}

export interface UpcomingListQuery {
  /** Meetings that end after this time; default now */
  from?: string | undefined
  /** Meetings that start before this time; default in 14 days */
  to?: string | undefined
  /** How many to return; a number above 100 counts as 100; default 50 */
  limit?: number | undefined
  /** `nextCursor` of the previous page; without it the first page */
  cursor?: string | undefined
}

export interface UpcomingListAnswer {
  upcoming: UpcomingMeeting[]
  /** Send it as `cursor` to get the next page; null on the last page */
  nextCursor: string | null
}

export interface UpcomingUpdateBody {
  /** True joins whatever the rules say, false never joins and stops a bot that is already there, null lets the rules decide */
  attend: boolean | null
}

export interface UpcomingUpdateAnswer {
  upcoming: UpcomingMeeting
  /** Fields of the request that were ignored, with the most similar known name, and other warnings */
  warnings?: {
    path: string
    message: string
  }[] | undefined
}

export interface UsageCsvQuery {
  /** First day (UTC); default 29 days before the last */
  from?: string | undefined
  /** Last day (UTC); default today */
  to?: string | undefined
}

export interface UsageListQuery {
  /** First day (UTC); default 29 days before the last */
  from?: string | undefined
  /** Last day (UTC); default today */
  to?: string | undefined
  /** Media type; default "json" */
  format?: 'json' | 'csv' | undefined
}

export interface UsageListAnswer {
  /** First day */
  from: string
  /** Last day */
  to: string
  usage: Usage[]
  total: {
    executions: number
    /** As counted by the provider, including cached tokens */
    inputTokens: number
    cachedInputTokens: number
    outputTokens: number
    /** Cost of the executions with a known price; null when there are none */
    costUsd: number | null
    /** Executions without a known price */
    unpriced: number
    /** Executions whose provider did not report all tokens; the rest is estimated */
    estimated: number
  }
}

/** Every operation of the HTTP API. */
export interface Api {
  actions: {
    /** Action items of all meetings */
    list(query?: ActionsListQuery, options?: CallOptions): Promise<ActionsListAnswer>
    /** Change an action item */
    update(
      actionId: string,
      body: ActionsUpdateBody,
      options?: CallOptions,
    ): Promise<ActionsUpdateAnswer>
  }
  ask: {
    /** Ask a question about meetings and documents */
    question(body: AskQuestionBody, options?: CallOptions): Promise<AskQuestionAnswer>
    /** Ask a question about meetings and documents, as a stream */
    stream(
      body: AskStreamBody,
      options?: StreamOptions,
    ): AsyncGenerator<StreamMessage, void, undefined>
  }
  audit: {
    /** All matching entries of the audit log as a file */
    export(query?: AuditExportQuery, options?: CallOptions): Promise<string>
    /** The audit log, newest first */
    list(query?: AuditListQuery, options?: CallOptions): Promise<AuditListAnswer>
  }
  botAccounts: {
    /** Signed-in accounts that bots can join meetings with */
    list(options?: CallOptions): Promise<BotAccountsListAnswer>
  }
  calendarAccounts: {
    /** The calendars of a connected account */
    calendars(
      calendarAccountId: string,
      options?: CallOptions,
    ): Promise<CalendarAccountsCalendarsAnswer>
    /** Your connected accounts at Microsoft and Google */
    list(options?: CallOptions): Promise<CalendarAccountsListAnswer>
    /** Remove a connected account */
    remove(calendarAccountId: string, options?: CallOptions): Promise<CalendarAccountsRemoveAnswer>
  }
  calendarApps: {
    /** The applications with which people connect their calendars */
    list(options?: CallOptions): Promise<CalendarAppsListAnswer>
    /** Remove the application of a provider */
    remove(
      provider: 'microsoft' | 'google',
      options?: CallOptions,
    ): Promise<CalendarAppsRemoveAnswer>
    /** Set the application of a provider */
    update(
      provider: 'microsoft' | 'google',
      body: CalendarAppsUpdateBody,
      options?: CallOptions,
    ): Promise<CalendarAppsUpdateAnswer>
  }
  calendars: {
    /** Add a calendar */
    create(body: CalendarsCreateBody, options?: CallOptions): Promise<CalendarsCreateAnswer>
    /** A calendar */
    get(calendarId: string, options?: CallOptions): Promise<CalendarsGetAnswer>
    /** Your calendars by name */
    list(options?: CallOptions): Promise<CalendarsListAnswer>
    /** Read a calendar now */
    poll(calendarId: string, options?: CallOptions): Promise<CalendarsPollAnswer>
    /** Show what bots would join from a calendar */
    preview(calendarId: string, options?: CallOptions): Promise<CalendarsPreviewAnswer>
    /** Show what bots would join, before a calendar is added */
    previewAddress(
      body: CalendarsPreviewAddressBody,
      options?: CallOptions,
    ): Promise<CalendarsPreviewAddressAnswer>
    /** Show what bots would join from a calendar with other rules */
    previewWithRules(
      calendarId: string,
      body: CalendarsPreviewWithRulesBody,
      options?: CallOptions,
    ): Promise<CalendarsPreviewWithRulesAnswer>
    /** Remove a calendar */
    remove(calendarId: string, options?: CallOptions): Promise<CalendarsRemoveAnswer>
    /** Change a calendar; only the sent fields change */
    update(
      calendarId: string,
      body: CalendarsUpdateBody,
      options?: CallOptions,
    ): Promise<CalendarsUpdateAnswer>
  }
  callbacks: {
    /** Send a test event and return the response of the receiver */
    test(body: CallbacksTestBody, options?: CallOptions): Promise<CallbacksTestAnswer>
  }
  connections: {
    /** Check what a connection needs */
    check(connectionId: string, options?: CallOptions): Promise<ConnectionsCheckAnswer>
    /** Connect an organization of Microsoft 365 or Google Workspace */
    create(body: ConnectionsCreateBody, options?: CallOptions): Promise<ConnectionsCreateAnswer>
    /** The connections of the organization */
    list(options?: CallOptions): Promise<ConnectionsListAnswer>
    /** Read a connection now */
    read(connectionId: string, options?: CallOptions): Promise<ConnectionsReadAnswer>
    /** Remove a connection */
    remove(connectionId: string, options?: CallOptions): Promise<ConnectionsRemoveAnswer>
    /** The transcripts that a connection found, newest first */
    transcripts(
      connectionId: string,
      query?: ConnectionsTranscriptsQuery,
      options?: CallOptions,
    ): Promise<ConnectionsTranscriptsAnswer>
    /** Change a connection; only the sent fields change */
    update(
      connectionId: string,
      body: ConnectionsUpdateBody,
      options?: CallOptions,
    ): Promise<ConnectionsUpdateAnswer>
  }
  decisions: {
    /** Decisions of all meetings */
    list(query?: DecisionsListQuery, options?: CallOptions): Promise<DecisionsListAnswer>
  }
  deliveries: {
    /** Events of all meetings that are no longer retried, by callback URL */
    failed(options?: CallOptions): Promise<DeliveriesFailedAnswer>
    /** One delivery attempt */
    get(deliveryId: string, options?: CallOptions): Promise<DeliveriesGetAnswer>
    /** Delivery attempts of all meetings, newest first */
    list(query?: DeliveriesListQuery, options?: CallOptions): Promise<DeliveriesListAnswer>
    /** Receivers with callbacks to deliver, those that fail first */
    receivers(options?: CallOptions): Promise<DeliveriesReceiversAnswer>
    /** Send the events of all meetings again that are no longer retried */
    replayFailed(options?: CallOptions): Promise<DeliveriesReplayFailedAnswer>
    /** Send callbacks now that wait because their receiver fails */
    retry(body?: DeliveriesRetryBody, options?: CallOptions): Promise<DeliveriesRetryAnswer>
  }
  events: {
    /** Events of all meetings as they happen (server-sent events) */
    stream(
      query?: EventsStreamQuery,
      options?: StreamOptions,
    ): AsyncGenerator<MeetingEvent, void, undefined>
  }
  executions: {
    /** One execution, with its prompt and its whole output */
    get(executionId: string, options?: CallOptions): Promise<ExecutionsGetAnswer>
    /** The output of an execution while it runs (server-sent events) */
    stream(
      executionId: string,
      query?: ExecutionsStreamQuery,
      options?: StreamOptions,
    ): AsyncGenerator<StreamMessage, void, undefined>
  }
  listeners: {
    /** Report the response of the receiver to a callback */
    answers(
      name: string,
      body: ListenersAnswersBody,
      options?: CallOptions,
    ): Promise<ListenersAnswersAnswer>
    /** Callbacks as server-sent events, for `hansard listen` */
    stream(
      name: string,
      query?: ListenersStreamQuery,
      options?: StreamOptions,
    ): AsyncGenerator<ListenedCallback, void, undefined>
  }
  mail: {
    /** Mail that waits and mail that was sent, newest first */
    list(query?: MailListQuery, options?: CallOptions): Promise<MailListAnswer>
    /** Send a mail again that failed or waits */
    retry(mailId: string, options?: CallOptions): Promise<MailRetryAnswer>
    /** The mail server, and how many mails are in each state */
    status(options?: CallOptions): Promise<MailStatusAnswer>
  }
  meetings: {
    /** Comment on a line */
    addComment(
      meetingId: string,
      body: MeetingsAddCommentBody,
      options?: CallOptions,
    ): Promise<MeetingsAddCommentAnswer>
    /** Add an item to a recap */
    addRecapItem(
      meetingId: string,
      body: MeetingsAddRecapItemBody,
      options?: CallOptions,
    ): Promise<MeetingsAddRecapItemAnswer>
    /** Your bookmarks in a transcript */
    bookmarks(meetingId: string, options?: CallOptions): Promise<MeetingsBookmarksAnswer>
    /** The chat messages of a meeting */
    chat(
      meetingId: string,
      query?: MeetingsChatQuery,
      options?: CallOptions,
    ): Promise<MeetingsChatAnswer>
    /** Comments on lines of a transcript */
    comments(meetingId: string, options?: CallOptions): Promise<MeetingsCommentsAnswer>
    /** Delivery attempts of a meeting, newest first */
    deliveries(
      meetingId: string,
      query?: MeetingsDeliveriesQuery,
      options?: CallOptions,
    ): Promise<MeetingsDeliveriesAnswer>
    /** Download the saved markdown document */
    document(meetingId: string, options?: CallOptions): Promise<string>
    /** Changes of the title, of names of speakers, of the start, and of the lines */
    edits(meetingId: string, options?: CallOptions): Promise<MeetingsEditsAnswer>
    /** Undo a change of the title, of the name of a speaker, of the start, or of the lines */
    editsUndo(
      meetingId: string,
      editNumber: string,
      options?: CallOptions,
    ): Promise<MeetingsEditsUndoAnswer>
    /** Events of a meeting as they happen (server-sent events), including partial captions */
    events(
      meetingId: string,
      query?: MeetingsEventsQuery,
      options?: StreamOptions,
    ): AsyncGenerator<MeetingEvent, void, undefined>
    /** Page state and screenshots of failed joins and unexpected ends */
    evidence(meetingId: string, options?: CallOptions): Promise<MeetingsEvidenceAnswer>
    /** One screenshot (JPEG) */
    evidenceScreenshot(meetingId: string, number: string, options?: CallOptions): Promise<Blob>
    /** One meeting */
    get(meetingId: string, options?: CallOptions): Promise<MeetingsGetAnswer>
    /** Import a transcript */
    import(body: MeetingsImportBody, options?: CallOptions): Promise<MeetingsImportAnswer>
    /** Meetings, newest first */
    list(query?: MeetingsListQuery, options?: CallOptions): Promise<MeetingsListAnswer>
    /** Make the recap of a meeting again */
    makeRecap(meetingId: string, options?: CallOptions): Promise<MeetingsMakeRecapAnswer>
    /** Events of a meeting, with the same bytes as their callbacks */
    readEvents(
      meetingId: string,
      query?: MeetingsReadEventsQuery,
      options?: CallOptions,
    ): Promise<MeetingsReadEventsAnswer>
    /** The recap of a meeting */
    recap(meetingId: string, options?: CallOptions): Promise<MeetingsRecapAnswer>
    /** Remove a meeting that has ended */
    remove(meetingId: string, options?: CallOptions): Promise<MeetingsRemoveAnswer>
    /** Remove a bookmark */
    removeBookmark(
      meetingId: string,
      segmentNumber: number,
      options?: CallOptions,
    ): Promise<MeetingsRemoveBookmarkAnswer>
    /** Delete a comment */
    removeComment(
      meetingId: string,
      commentId: string,
      options?: CallOptions,
    ): Promise<MeetingsRemoveCommentAnswer>
    /** Delete an item of a recap */
    removeRecapItem(meetingId: string, itemId: string, options?: CallOptions): Promise<void>
    /** Revoke a share link of a meeting */
    removeShare(
      meetingId: string,
      shareId: string,
      options?: CallOptions,
    ): Promise<MeetingsRemoveShareAnswer>
    /** Send stored events again, with the same sequence and bytes */
    replay(
      meetingId: string,
      body?: MeetingsReplayBody,
      options?: CallOptions,
    ): Promise<MeetingsReplayAnswer>
    /** Bookmark a line */
    saveBookmark(
      meetingId: string,
      segmentNumber: number,
      options?: CallOptions,
    ): Promise<MeetingsSaveBookmarkAnswer>
    /** Share a meeting by a read-only link */
    share(
      meetingId: string,
      body: MeetingsShareBody,
      options?: CallOptions,
    ): Promise<MeetingsShareAnswer>
    /** Share links of a meeting */
    shares(meetingId: string, options?: CallOptions): Promise<MeetingsSharesAnswer>
    /** Give a speaker another name */
    speakersRename(
      meetingId: string,
      body: MeetingsSpeakersRenameBody,
      options?: CallOptions,
    ): Promise<MeetingsSpeakersRenameAnswer>
    /** Join and transcribe a meeting */
    start(body: MeetingsStartBody, options?: CallOptions): Promise<MeetingsStartAnswer>
    /** Active meetings */
    status(options?: CallOptions): Promise<MeetingsStatusAnswer>
    /** Leave a meeting */
    stop(body: MeetingsStopBody, options?: CallOptions): Promise<MeetingsStopAnswer>
    /** The transcript of a running or ended meeting */
    transcript(
      meetingId: string,
      query?: MeetingsTranscriptQuery,
      options?: CallOptions,
    ): Promise<MeetingsTranscriptAnswer>
    /** The transcript of a running or ended meeting as text */
    transcriptText(
      meetingId: string,
      format: 'md' | 'txt' | 'srt' | 'vtt' | 'vcon',
      query?: MeetingsTranscriptTextQuery,
      options?: CallOptions,
    ): Promise<string>
    /** Rename a meeting, move it to another project, or change a scheduled one */
    update(
      meetingId: string,
      body: MeetingsUpdateBody,
      options?: CallOptions,
    ): Promise<MeetingsUpdateAnswer>
    /** Change a comment */
    updateComment(
      meetingId: string,
      commentId: string,
      body: MeetingsUpdateCommentBody,
      options?: CallOptions,
    ): Promise<MeetingsUpdateCommentAnswer>
    /** Change an item of a recap */
    updateRecapItem(
      meetingId: string,
      itemId: string,
      body: MeetingsUpdateRecapItemBody,
      options?: CallOptions,
    ): Promise<MeetingsUpdateRecapItemAnswer>
  }
  projects: {
    /** Who may use a project */
    access(projectId: string, options?: CallOptions): Promise<ProjectsAccessAnswer>
    /** Add a notification: send messages to a chat */
    addNotification(
      projectId: string,
      body: ProjectsAddNotificationBody,
      options?: CallOptions,
    ): Promise<ProjectsAddNotificationAnswer>
    /** The text of one document */
    document(projectId: string, path: string, options?: CallOptions): Promise<string>
    /** Documents of a project, by path */
    documents(
      projectId: string,
      query?: ProjectsDocumentsQuery,
      options?: CallOptions,
    ): Promise<ProjectsDocumentsAnswer>
    /** Projects, by id */
    list(query?: ProjectsListQuery, options?: CallOptions): Promise<ProjectsListAnswer>
    /** Saved transcripts of a project, newest first */
    meetings(
      projectId: string,
      query?: ProjectsMeetingsQuery,
      options?: CallOptions,
    ): Promise<ProjectsMeetingsAnswer>
    /** Members of a project */
    members(projectId: string, options?: CallOptions): Promise<ProjectsMembersAnswer>
    /** The newest attempts to send a message, newest first */
    notificationAttempts(
      projectId: string,
      notificationId: string,
      options?: CallOptions,
    ): Promise<ProjectsNotificationAttemptsAnswer>
    /** The notifications of a project by name */
    notifications(projectId: string, options?: CallOptions): Promise<ProjectsNotificationsAnswer>
    /** Show a sample message in the format of a chat */
    previewNotification(
      projectId: string,
      body: ProjectsPreviewNotificationBody,
      options?: CallOptions,
    ): Promise<ProjectsPreviewNotificationAnswer>
    /** What the recaps of a project are */
    recapSettings(projectId: string, options?: CallOptions): Promise<ProjectsRecapSettingsAnswer>
    /** Remove a document */
    removeDocument(
      projectId: string,
      path: string,
      options?: CallOptions,
    ): Promise<ProjectsRemoveDocumentAnswer>
    /** Remove a member from a project */
    removeMember(
      projectId: string,
      userId: string,
      options?: CallOptions,
    ): Promise<ProjectsRemoveMemberAnswer>
    /** Remove a notification */
    removeNotification(
      projectId: string,
      notificationId: string,
      options?: CallOptions,
    ): Promise<ProjectsRemoveNotificationAnswer>
    /** Revoke a share link of a project */
    removeShare(
      projectId: string,
      shareId: string,
      options?: CallOptions,
    ): Promise<ProjectsRemoveShareAnswer>
    /** Create or replace a document */
    saveDocument(
      projectId: string,
      path: string,
      body: ProjectsSaveDocumentBody,
      options?: CallOptions,
    ): Promise<ProjectsSaveDocumentAnswer>
    /** Open a project to the team, or make it private */
    setAccess(
      projectId: string,
      body: ProjectsSetAccessBody,
      options?: CallOptions,
    ): Promise<ProjectsSetAccessAnswer>
    /** Add a member to a project, or change their role */
    setMember(
      projectId: string,
      body: ProjectsSetMemberBody,
      options?: CallOptions,
    ): Promise<ProjectsSetMemberAnswer>
    /** Share a document by a read-only link */
    shareDocument(
      projectId: string,
      body: ProjectsShareDocumentBody,
      options?: CallOptions,
    ): Promise<ProjectsShareDocumentAnswer>
    /** Share links of a project */
    shares(
      projectId: string,
      query?: ProjectsSharesQuery,
      options?: CallOptions,
    ): Promise<ProjectsSharesAnswer>
    /** Send a sample message and return the answer of the chat */
    testNotification(
      projectId: string,
      notificationId: string,
      options?: CallOptions,
    ): Promise<ProjectsTestNotificationAnswer>
    /** What a project does with official transcripts */
    transcriptSettings(
      projectId: string,
      options?: CallOptions,
    ): Promise<ProjectsTranscriptSettingsAnswer>
    /** Change a notification; only the sent fields change */
    updateNotification(
      projectId: string,
      notificationId: string,
      body: ProjectsUpdateNotificationBody,
      options?: CallOptions,
    ): Promise<ProjectsUpdateNotificationAnswer>
    /** Change what the recaps of a project are */
    updateRecapSettings(
      projectId: string,
      body: ProjectsUpdateRecapSettingsBody,
      options?: CallOptions,
    ): Promise<ProjectsUpdateRecapSettingsAnswer>
    /** Change what a project does with official transcripts */
    updateTranscriptSettings(
      projectId: string,
      body: ProjectsUpdateTranscriptSettingsBody,
      options?: CallOptions,
    ): Promise<ProjectsUpdateTranscriptSettingsAnswer>
    /** Change the vocabulary of a project */
    updateVocabulary(
      projectId: string,
      body: ProjectsUpdateVocabularyBody,
      options?: CallOptions,
    ): Promise<ProjectsUpdateVocabularyAnswer>
    /** The vocabulary of a project */
    vocabulary(projectId: string, options?: CallOptions): Promise<ProjectsVocabularyAnswer>
  }
  prompts: {
    /** Prompts by name, with the problems that prevent them from running */
    list(options?: CallOptions): Promise<PromptsListAnswer>
  }
  recordings: {
    /** Begin to import a recording */
    create(body: RecordingsCreateBody, options?: CallOptions): Promise<RecordingsCreateAnswer>
    /** One recording */
    get(recordingId: string, options?: CallOptions): Promise<RecordingsGetAnswer>
    /** Recordings, newest first */
    list(options?: CallOptions): Promise<RecordingsListAnswer>
    /** Cancel or forget a recording */
    remove(recordingId: string, options?: CallOptions): Promise<RecordingsRemoveAnswer>
    /** Send a part of a recording */
    sendPart(
      recordingId: string,
      part: string,
      body: RecordingsSendPartBody,
      options?: CallOptions,
    ): Promise<RecordingsSendPartAnswer>
  }
  removals: {
    /** Removed meetings, newest first */
    list(query?: RemovalsListQuery, options?: CallOptions): Promise<RemovalsListAnswer>
  }
  search: {
    /** Search in transcripts and documents */
    find(query: SearchFindQuery, options?: CallOptions): Promise<SearchFindAnswer>
  }
  tasks: {
    /** Cancel a running or queued execution */
    cancel(name: string, executionId: string, options?: CallOptions): Promise<TasksCancelAnswer>
    /** Create a task */
    create(body: TasksCreateBody, options?: CallOptions): Promise<TasksCreateAnswer>
    /** Pause the schedule of a task */
    disable(name: string, options?: CallOptions): Promise<TasksDisableAnswer>
    /** Enable the schedule of a task */
    enable(name: string, options?: CallOptions): Promise<TasksEnableAnswer>
    /** A task and its latest executions */
    get(name: string, options?: CallOptions): Promise<TasksGetAnswer>
    /** Executions of a task, newest first */
    history(
      name: string,
      query?: TasksHistoryQuery,
      options?: CallOptions,
    ): Promise<TasksHistoryAnswer>
    /** Tasks by name */
    list(query?: TasksListQuery, options?: CallOptions): Promise<TasksListAnswer>
    /** Delete a task with its history */
    remove(name: string, options?: CallOptions): Promise<TasksRemoveAnswer>
    /** Run a task now */
    run(name: string, options?: CallOptions): Promise<TasksRunAnswer>
    /** Let a task run with your rights */
    takeOver(name: string, options?: CallOptions): Promise<TasksTakeOverAnswer>
    /** Update a task; only the sent fields change */
    update(name: string, body: TasksUpdateBody, options?: CallOptions): Promise<TasksUpdateAnswer>
  }
  token: {
    /** The token of this API key */
    get(options?: CallOptions): Promise<TokenGetAnswer>
  }
  upcoming: {
    /** What to know before an upcoming meeting */
    brief(upcomingId: string, options?: CallOptions): Promise<UpcomingBriefAnswer>
    /** Upcoming meetings, by start */
    list(query?: UpcomingListQuery, options?: CallOptions): Promise<UpcomingListAnswer>
    /** Join or skip one upcoming meeting */
    update(
      upcomingId: string,
      body: UpcomingUpdateBody,
      options?: CallOptions,
    ): Promise<UpcomingUpdateAnswer>
  }
  usage: {
    /** Tokens and cost by day, task and model, as CSV */
    csv(query?: UsageCsvQuery, options?: CallOptions): Promise<string>
    /** Tokens and cost by day, task and model */
    list(query?: UsageListQuery, options?: CallOptions): Promise<UsageListAnswer>
  }
}
