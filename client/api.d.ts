// Generated from the OpenAPI document by scripts/client-types.ts --write; change the routes, not this file.
import type {
  CallOptions,
  ListenedCallback,
  MeetingEvent,
  StreamMessage,
  StreamOptions,
} from './index.js'

export interface BotAccount {
  /** What `account` of a start names */
  name: string
  platform: 'google_meet' | 'microsoft_teams' | 'practice'
  /** Bots that may use it at once, over all nodes */
  limit: number
  inUse: number
  addedAt: string
  lastUsedAt: string | null
  /** When a bot last brought renewed cookies back */
  refreshedAt: string | null
}

export interface Delivery {
  /** What X-Service-Delivery-Id said */
  deliveryId: string
  meetingId: string
  /** 0 for a test */
  sequence: number
  type: string
  /** On which way it was sent */
  kind: 'meeting' | 'replay' | null
  startedAt: string
  durationMs: number
  /** failed: tried again; rejected: the event is blamed; gone: no more is sent */
  outcome: 'delivered' | 'failed' | 'rejected' | 'gone'
  /** Of the answer; null when there was none */
  status: number | null
  /** Why there was no whole answer */
  error: string | null
  /** The first 2 KiB of the answer */
  answer: string
  nextAttemptAt: string | null
}

export interface DeliveryHealth {
  state: 'ok' | 'retrying' | 'blocked' | 'closed'
  /** Events that wait to be delivered */
  pending: number
  oldestPendingAgeMs: number | null
  delivered: number
  /** Events that were given up */
  failed: number
  lastError: string | null
  nextAttemptAt: string | null
}

export interface Document {
  /** From the folder of the project on */
  path: string
  title: string
  kind: 'meeting' | 'document'
  /** Bytes */
  size: number
  modifiedAt: string
  meetingId: string | null
  /** Why not all of the file can be found */
  warning: string | null
}

export interface ErrorBody {
  /** A sentence for a person */
  error: string
  /** Stable, for programs */
  code: string
  requestId: string
  details?: {
    path: string
    message: string
  }[]
  /** What to do next, where that is known */
  hint?: string
}

export interface Evidence {
  number: number
  at: string
  /** What the page was taken for */
  state: string
  /** By which marks */
  marks: string[]
  /** The page in words */
  survey: {
    /** Without query and fragment */
    address: string
    title: string
    language: string
    headings: string[]
    buttons: string[]
  }
  /** Path of a JPEG */
  screenshot: string | null
}

export interface Execution {
  executionId: string
  executionType: 'schedule' | 'on_demand'
  name: string
  status: 'running' | 'completed' | 'failed' | 'timeout' | 'stale'
  triggerType: 'scheduled' | 'manual'
  startedAt: string
  completedAt?: string
  durationMs?: number
  /** As the provider counts them, cached ones included */
  inputTokens: number
  outputTokens: number
  cachedInputTokens?: number
  /** The provider did not say all of it */
  usageMissing?: boolean
  /** Absent where the price is not known */
  costUsd?: number
  model?: string
  scheduledFor?: string
  /** Due times that this execution stands for besides its own */
  missed?: number
  attempts?: number
  documentPath?: string
  /** SHA-256 of the prompt file */
  promptHash?: string
}

export interface FullExecution {
  executionId: string
  executionType: 'schedule' | 'on_demand'
  name: string
  status: 'running' | 'completed' | 'failed' | 'timeout' | 'stale'
  triggerType: 'scheduled' | 'manual'
  startedAt: string
  completedAt?: string
  durationMs?: number
  /** As the provider counts them, cached ones included */
  inputTokens: number
  outputTokens: number
  cachedInputTokens?: number
  /** The provider did not say all of it */
  usageMissing?: boolean
  /** Absent where the price is not known */
  costUsd?: number
  model?: string
  scheduledFor?: string
  /** Due times that this execution stands for besides its own */
  missed?: number
  attempts?: number
  documentPath?: string
  /** SHA-256 of the prompt file */
  promptHash?: string
  resultSummary?: string
  /** The prompt with its variables filled in */
  prompt?: string
  output: string
  /** When it was asked for; startedAt is when a node began it */
  requestedAt: string
  /** Of the same task, the one before */
  previousExecutionId?: string
  nextExecutionId?: string
}

export interface MeetingDetail {
  meetingId: string
  status: 'joining' | 'lobby' | 'live' | 'stopping' | 'leaving' | 'ended' | 'error'
  platform: 'google_meet' | 'microsoft_teams' | 'practice'
  title: string
  startedAt: string
  participantCount: number
  segmentCount: number
  project: string
  documentPath: string | null
  reason:
    | 'stopped'
    | 'everyone_left'
    | 'nobody_joined'
    | 'silence'
    | 'max_duration'
    | 'lobby_timeout'
    | 'service_restarted'
    | 'at_capacity'
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
    | null
  detail: string | null
  liveAt: string | null
  endedAt: string | null
  delivery: DeliveryHealth | null
  botName: string
  language: string | null
  /** How often a bot set out for it */
  visits: number
  /** The way in and out, step by step */
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
    leftAt: string | null
  }[]
  /** Most words first */
  talkTime: {
    speaker: string
    segments: number
    words: number
    /** By when segments begin; captions carry no durations */
    seconds: number
    /** Of all words, from 0 to 1 */
    share: number
  }[]
  insights: {
    insightId: string
    category: string
    severity: string
    title: string
    text: string
    speaker: string | null
    engine: string
    segmentNumbers: number[]
    timestamp: string
  }[]
  /** What did not stop the bot but may need somebody; the newest word on each subject */
  warnings: {
    code: 'page_drift' | 'unidentified'
    subject: string
    text: string
    at: string
  }[]
  /** Pieces that …/evidence lists */
  evidenceCount: number
}

export interface MeetingStatus {
  meetingId: string
  status: 'joining' | 'lobby' | 'live' | 'stopping' | 'leaving' | 'ended' | 'error'
  platform: 'google_meet' | 'microsoft_teams' | 'practice'
  title: string
  startedAt: string
  participantCount: number
  segmentCount: number
  project: string
  documentPath: string | null
  delivery: DeliveryHealth | null
}

export interface PastExecution {
  executionId: string
  executionType: 'schedule' | 'on_demand'
  name: string
  status: 'running' | 'completed' | 'failed' | 'timeout' | 'stale'
  triggerType: 'scheduled' | 'manual'
  startedAt: string
  completedAt?: string
  durationMs?: number
  /** As the provider counts them, cached ones included */
  inputTokens: number
  outputTokens: number
  cachedInputTokens?: number
  /** The provider did not say all of it */
  usageMissing?: boolean
  /** Absent where the price is not known */
  costUsd?: number
  model?: string
  scheduledFor?: string
  /** Due times that this execution stands for besides its own */
  missed?: number
  attempts?: number
  documentPath?: string
  /** SHA-256 of the prompt file */
  promptHash?: string
  resultSummary?: string
}

export interface PastMeeting {
  meetingId: string
  status: 'joining' | 'lobby' | 'live' | 'stopping' | 'leaving' | 'ended' | 'error'
  platform: 'google_meet' | 'microsoft_teams' | 'practice'
  title: string
  startedAt: string
  participantCount: number
  segmentCount: number
  project: string
  documentPath: string | null
  reason:
    | 'stopped'
    | 'everyone_left'
    | 'nobody_joined'
    | 'silence'
    | 'max_duration'
    | 'lobby_timeout'
    | 'service_restarted'
    | 'at_capacity'
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
    | null
  detail: string | null
  liveAt: string | null
  endedAt: string | null
}

export interface Project {
  id: string
  /** The title in the front matter of its README.md, else the id */
  name: string
  hasMeetings: boolean
}

export interface Prompt {
  name: string
  description?: string
  model?: string
  builtin?: string
  project?: string
  /** What keeps it from running; empty: nothing */
  problems: {
    path: string
    message: string
  }[]
}

export interface RemovedCounts {
  documents: number
  segments: number
  events: number
  insights: number
  participants: number
  deliveries: number
  evidence: number
}

export interface SavedMeeting {
  filename: string
  title: string
  date: string
  /** Null for a file that names none */
  meetingId: string | null
  status: 'in_progress' | 'completed'
  participants: string[]
}

export interface SearchResult {
  /** segment: somebody said it; document: it is in a file */
  kind: 'segment' | 'document'
  project: string
  /** Of the meeting or the document */
  title: string
  meetingId: string | null
  segmentNumber: number | null
  speaker: string | null
  /** When it was said, or the date of the document */
  timestamp: string
  path: string | null
  /** Of the file, where the first match is */
  line: number | null
  /** The passage */
  text: string
  /** Where the passage has what was looked for, in UTF-16 units */
  matches: {
    start: number
    end: number
  }[]
  score: number
  /** Where the line can be read */
  link: string
}

export interface Segment {
  speaker: string
  text: string
  timestamp: string
  segmentNumber: number
}

export interface Task {
  name: string
  promptName: string
  cronExpression?: string
  timezone: string
  enabled: boolean
  timeoutMs: number
  lastRunAt?: string
  lastStatus?: 'running' | 'completed' | 'failed' | 'timeout' | 'stale'
  nextRunAt?: string
  isScheduled: boolean
  createdAt: string
  updatedAt: string
  /** When a due time last brought no execution */
  lastSkippedAt?: string
  lastSkipReason?: 'overlap' | 'missed' | 'budget'
}

export interface Token {
  id: string
  name: string
  /** The first characters of the API key */
  keyPrefix: string
  keyLast4: string
  /** null: the key may do everything */
  scopes: Array<'read' | 'meetings' | 'tasks'> | null
  createdAt: string
  /** Name of the person who made it, also once removed; null for the command line */
  createdBy: string | null
  lastUsedAt: string | null
  lastUsedFrom: string | null
  expiresAt: string | null
  revokedAt: string | null
  /** When the next signing secret was made; null: none is pending */
  nextSecretSince: string | null
  /** When the next signing secret signs even if nobody activates it */
  nextSecretDue: string | null
  /** Until when the signing secret before is valid too; null: there is none */
  oldSecretUntil: string | null
}

export interface Usage {
  day: string
  task: string
  model: string
  executions: number
  inputTokens: number
  cachedInputTokens: number
  outputTokens: number
  /** Of the executions whose price is known; null: of none of them */
  costUsd: number | null
  /** Executions whose price is not known */
  unpriced: number
}

export interface BotAccountsListAnswer {
  botAccounts: BotAccount[]
}

export interface CallbacksTestBody {
  callbackUrl?: string
  /** To the URL of this meeting instead */
  meetingId?: string
}

export interface CallbacksTestAnswer {
  deliveryId: string
  delivered: boolean
  status: number | null
  error:
    | 'dns_error'
    | 'connection_refused'
    | 'connection_reset'
    | 'timeout'
    | 'tls_error'
    | 'blocked_address'
    | 'bad_answer'
    | null
  answer: string
  durationMs: number
  /** Fields of the request that were ignored, with the nearest known name where there is one */
  warnings?: {
    path: string
    message: string
  }[]
}

export interface DeliveriesFailedAnswer {
  /** Given up, stored still, and wanted still by their receiver */
  events: number
  meetings: number
  /** Those with most of them, at most 20; without the query of the URL */
  destinations: {
    url: string
    events: number
    meetings: number
  }[]
}

export interface DeliveriesListQuery {
  outcome?: 'delivered' | 'failed' | 'rejected' | 'gone'
  /** Event type */
  type?: string
  sequence?: number
  /** Default 50, at most 100 */
  limit?: number
  /** nextCursor of the last page */
  cursor?: string
  meeting?: string
  /** Attempts from then on */
  since?: string
}

export interface DeliveriesListAnswer {
  deliveries: Delivery[]
  nextCursor: string | null
}

export interface DeliveriesReplayFailedAnswer {
  /** How many will be sent; at most 500 in one call */
  events: number
  meetings: number
  /** How many are left: call again */
  remaining: number
}

export interface EventsStreamQuery {
  /** Begin behind this id; the header Last-Event-ID does the same */
  after?: string
  /** Types, separated by commas; all without it */
  events?: string
  /** Only of this meeting */
  meeting?: string
}

export interface ExecutionsGetAnswer {
  execution: FullExecution
}

export interface ExecutionsStreamQuery {
  /** Id of the last event that is known, or a number of characters */
  after?: string
}

export interface ListenersAnswersBody {
  deliveryId: string
  status: number | null
  error:
    | 'dns_error'
    | 'connection_refused'
    | 'connection_reset'
    | 'timeout'
    | 'tls_error'
    | 'blocked_address'
    | 'bad_answer'
    | null
  answer: string
  durationMs: number
}

export interface ListenersAnswersAnswer {
  success: true
  /** Fields of the request that were ignored, with the nearest known name where there is one */
  warnings?: {
    path: string
    message: string
  }[]
}

export interface ListenersStreamQuery {
  /** Begin behind this id; the header Last-Event-ID does the same */
  after?: string
  /** Types, separated by commas; all without it */
  events?: string
  /** Only of this meeting */
  meeting?: string
}

export interface MeetingsDeliveriesQuery {
  outcome?: 'delivered' | 'failed' | 'rejected' | 'gone'
  /** Event type */
  type?: string
  sequence?: number
  /** Default 50, at most 100 */
  limit?: number
  /** nextCursor of the last page */
  cursor?: string
}

export interface MeetingsDeliveriesAnswer {
  deliveries: Delivery[]
  nextCursor: string | null
  /** Events that were given up; a replay brings them */
  failedEvents: {
    sequence: number
    reason: string
    at: string
  }[]
}

export interface MeetingsEventsQuery {
  /** Begin behind this sequence; the header Last-Event-ID does the same */
  after?: number
}

export interface MeetingsEvidenceAnswer {
  evidence: Evidence[]
}

export interface MeetingsGetAnswer {
  meeting: MeetingDetail
}

export interface MeetingsListQuery {
  project?: string
  status?: 'joining' | 'lobby' | 'live' | 'stopping' | 'leaving' | 'ended' | 'error'
  platform?: 'google_meet' | 'microsoft_teams' | 'practice'
  /** Part of the title */
  q?: string
  /** Default 50, at most 100 */
  limit?: number
  /** nextCursor of the last page */
  cursor?: string
}

export interface MeetingsListAnswer {
  meetings: PastMeeting[]
  nextCursor: string | null
}

export interface MeetingsReadEventsQuery {
  /** The last sequence that is known already */
  after?: number
  /** Default 100, at most 1000 */
  limit?: number
  /** Seconds to wait for an event, at most 25 */
  wait?: number
}

export interface MeetingsReadEventsAnswer {
  events: MeetingEvent[]
}

export interface MeetingsRemoveAnswer {
  success: true
  meetingId: string
  /** How much of what was kept of the meeting is gone */
  removed: RemovedCounts
}

export interface MeetingsReplayBody {
  /** First sequence; without it the first there is */
  from?: number
  /** Last sequence; without it the newest there is */
  to?: number
  /** Instead of the one given at the start */
  callbackUrl?: string
}

export interface MeetingsReplayAnswer {
  replayId: string
  from: number
  to: number
  /** How many will be sent */
  events: number
  /** Fields of the request that were ignored, with the nearest known name where there is one */
  warnings?: {
    path: string
    message: string
  }[]
}

export interface MeetingsStartBody {
  /** Meeting URL on a supported platform */
  url: string
  /** Label for the meeting */
  title?: string
  /** Receives real-time events */
  callbackUrl: string
  /** Project to save the transcript into; default api */
  project?: string
  /** Save a transcript document; default true */
  saveTranscript?: boolean
  language?: string
  botName?: string
  account?: string
  coach?: boolean
  events?: Array<'meeting_status' | 'caption_partial' | 'segment_finalized' | 'coach_insight' | 'participant_joined' | 'participant_left' | 'document_saved'>
  leave?: {
    lobbyTimeout?: number
    hostTimeout?: number
    nobodyJoined?: number
    everyoneLeft?: number
    silence?: number | null
    maxDuration?: number
  }
}

export interface MeetingsStartAnswer {
  meetingId: string
  status: 'joining' | 'lobby' | 'live' | 'stopping' | 'leaving' | 'ended' | 'error'
  platform: 'google_meet' | 'microsoft_teams' | 'practice'
  project: string
  documentPath: string | null
  /** Fields of the request that were ignored, with the nearest known name where there is one */
  warnings?: {
    path: string
    message: string
  }[]
}

export interface MeetingsStatusAnswer {
  meetings: MeetingStatus[]
}

export interface MeetingsStopBody {
  meetingId: string
}

export interface MeetingsStopAnswer {
  meetingId: string
  status: 'joining' | 'lobby' | 'live' | 'stopping' | 'leaving' | 'ended' | 'error'
  /** Fields of the request that were ignored, with the nearest known name where there is one */
  warnings?: {
    path: string
    message: string
  }[]
}

export interface MeetingsTranscriptQuery {
  format?: 'json' | 'md' | 'txt' | 'srt' | 'vtt'
  after?: number
  /** So many segments, from `after` on; without it all */
  limit?: number
}

export interface MeetingsTranscriptAnswer {
  meetingId: string
  status: 'joining' | 'lobby' | 'live' | 'stopping' | 'leaving' | 'ended' | 'error'
  project: string
  documentPath: string | null
  segments: Segment[]
  title: string
  platform: 'google_meet' | 'microsoft_teams' | 'practice'
  startedAt: string
  endedAt: string | null
  participants: string[]
}

export interface ProjectsDocumentsQuery {
  /** Only what is directly in this folder (empty: the project), with its folders */
  folder?: string
  /** Default 50, at most 100 */
  limit?: number
  /** nextCursor of the last page */
  cursor?: string
}

export interface ProjectsDocumentsAnswer {
  project: string
  /** Names of the folders in the one asked for */
  folders?: string[]
  documents: Document[]
  nextCursor: string | null
}

export interface ProjectsListQuery {
  /** At most 100; without it, everything */
  limit?: number
  /** nextCursor of the last page */
  cursor?: string
}

export interface ProjectsListAnswer {
  projects: Project[]
  nextCursor: string | null
}

export interface ProjectsMeetingsQuery {
  /** At most 100; without it, everything */
  limit?: number
  /** nextCursor of the last page */
  cursor?: string
}

export interface ProjectsMeetingsAnswer {
  project: string
  meetings: SavedMeeting[]
  nextCursor: string | null
}

export interface ProjectsRemoveDocumentAnswer {
  success: true
}

export type ProjectsSaveDocumentBody = string

export interface ProjectsSaveDocumentAnswer {
  project: string
  document: Document
}

export interface PromptsListAnswer {
  prompts: Prompt[]
}

export interface RemovalsListQuery {
  /** Default 50, at most 100 */
  limit?: number
  cursor?: string
}

export interface RemovalsListAnswer {
  removals: {
    meetingId: string
    at: string
    /** The id of a token, or retention */
    removedBy: string
    removed: RemovedCounts
  }[]
  nextCursor: string | null
}

export interface SearchFindQuery {
  /** Words, and "words in quotes" as they stand */
  q: string
  project?: string
  /** Only what this person said */
  speaker?: string
  from?: string
  /** Before then */
  to?: string
  kind?: 'segment' | 'document'
  /** Default 50, at most 100 */
  limit?: number
  /** nextCursor of the last page */
  cursor?: string
}

export interface SearchFindAnswer {
  results: SearchResult[]
  /** Words that nobody ever wrote, and what was looked for instead */
  corrections: {
    word: string
    meant: string[]
  }[]
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
  /** Five fields: minute hour day-of-month month day-of-week; absent: on demand */
  cronExpression?: string | null
  /** IANA name; default UTC */
  timezone?: string
  /** Whether the schedule is active; default true */
  enabled?: boolean
  /** Milliseconds; default 300000 */
  timeout?: number
}

export interface TasksCreateAnswer {
  task: Task
  /** Fields of the request that were ignored, with the nearest known name where there is one */
  warnings?: {
    path: string
    message: string
  }[]
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
  /** Default 50, at most 100 */
  limit?: number
  /** Default 0 */
  offset?: number
}

export interface TasksHistoryAnswer {
  executions: PastExecution[]
  total: number
  limit: number
  offset: number
}

export interface TasksListQuery {
  /** Only tasks with a schedule, or only those without */
  scheduled?: 'true' | 'false'
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

export interface TasksUpdateBody {
  promptName?: string
  /** Null or empty removes the schedule */
  cronExpression?: string | null
  timezone?: string
  enabled?: boolean
  /** Milliseconds */
  timeout?: number
  /** The same as timeout */
  timeoutMs?: number
  /** Cannot be changed */
  name?: string
  lastRunAt?: unknown
  lastStatus?: unknown
  nextRunAt?: unknown
  isScheduled?: unknown
  createdAt?: unknown
  updatedAt?: unknown
  lastSkippedAt?: unknown
  lastSkipReason?: unknown
}

export interface TasksUpdateAnswer {
  task: Task
  /** Fields of the request that were ignored, with the nearest known name where there is one */
  warnings?: {
    path: string
    message: string
  }[]
}

export interface TokenGetAnswer {
  token: Token
}

export interface UsageListQuery {
  /** First day (UTC); default 29 days before the last */
  from?: string
  /** Last day; default today */
  to?: string
  format?: 'json' | 'csv'
}

export interface UsageListAnswer {
  from: string
  to: string
  usage: Usage[]
  total: {
    executions: number
    inputTokens: number
    cachedInputTokens: number
    outputTokens: number
    /** Of the executions whose price is known; null: of none of them */
    costUsd: number | null
    /** Executions whose price is not known */
    unpriced: number
  }
}

/** Every operation of the HTTP API. */
export interface Api {
  botAccounts: {
    /** Signed-in accounts that bots may come as */
    list(options?: CallOptions): Promise<BotAccountsListAnswer>
  }
  callbacks: {
    /** Send a test event and say what came back */
    test(body: CallbacksTestBody, options?: CallOptions): Promise<CallbacksTestAnswer>
  }
  deliveries: {
    /** Events that were given up, over all meetings, by where they should have gone */
    failed(options?: CallOptions): Promise<DeliveriesFailedAnswer>
    /** Attempts over all meetings, newest first */
    list(query?: DeliveriesListQuery, options?: CallOptions): Promise<DeliveriesListAnswer>
    /** Send events that were given up again, of all meetings */
    replayFailed(options?: CallOptions): Promise<DeliveriesReplayFailedAnswer>
  }
  events: {
    /** Events of all meetings as they happen (server-sent events) */
    stream(
      query?: EventsStreamQuery,
      options?: StreamOptions,
    ): AsyncGenerator<MeetingEvent, void, undefined>
  }
  executions: {
    /** One execution, with its prompt and all of its output */
    get(executionId: string, options?: CallOptions): Promise<ExecutionsGetAnswer>
    /** What an execution says while it says it (server-sent events) */
    stream(
      executionId: string,
      query?: ExecutionsStreamQuery,
      options?: StreamOptions,
    ): AsyncGenerator<StreamMessage, void, undefined>
  }
  listeners: {
    /** What the receiver behind a listener answered to a callback */
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
  meetings: {
    /** Every attempt to deliver an event of a meeting, newest first */
    deliveries(
      meetingId: string,
      query?: MeetingsDeliveriesQuery,
      options?: CallOptions,
    ): Promise<MeetingsDeliveriesAnswer>
    /** Download the saved markdown document */
    document(meetingId: string, options?: CallOptions): Promise<string>
    /** Events of a meeting as they happen (server-sent events), evolving captions included */
    events(
      meetingId: string,
      query?: MeetingsEventsQuery,
      options?: StreamOptions,
    ): AsyncGenerator<MeetingEvent, void, undefined>
    /** What the page looked like at a failed join or an unexpected end */
    evidence(meetingId: string, options?: CallOptions): Promise<MeetingsEvidenceAnswer>
    /** One screenshot, a JPEG */
    evidenceScreenshot(meetingId: string, number: string, options?: CallOptions): Promise<Blob>
    /** One meeting */
    get(meetingId: string, options?: CallOptions): Promise<MeetingsGetAnswer>
    /** Meetings, newest first */
    list(query?: MeetingsListQuery, options?: CallOptions): Promise<MeetingsListAnswer>
    /** Events of a meeting, as they are sent */
    readEvents(
      meetingId: string,
      query?: MeetingsReadEventsQuery,
      options?: CallOptions,
    ): Promise<MeetingsReadEventsAnswer>
    /** Remove a meeting that is over */
    remove(meetingId: string, options?: CallOptions): Promise<MeetingsRemoveAnswer>
    /** Send stored events again, with their old sequence and bytes */
    replay(
      meetingId: string,
      body?: MeetingsReplayBody,
      options?: CallOptions,
    ): Promise<MeetingsReplayAnswer>
    /** Join and transcribe a meeting */
    start(body: MeetingsStartBody, options?: CallOptions): Promise<MeetingsStartAnswer>
    /** Meetings being transcribed now */
    status(options?: CallOptions): Promise<MeetingsStatusAnswer>
    /** Leave a meeting */
    stop(body: MeetingsStopBody, options?: CallOptions): Promise<MeetingsStopAnswer>
    /** The transcript, during the meeting and after */
    transcript(
      meetingId: string,
      query?: MeetingsTranscriptQuery,
      options?: CallOptions,
    ): Promise<MeetingsTranscriptAnswer>
  }
  projects: {
    /** One document, as it is */
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
    /** Remove a document */
    removeDocument(
      projectId: string,
      path: string,
      options?: CallOptions,
    ): Promise<ProjectsRemoveDocumentAnswer>
    /** File a document */
    saveDocument(
      projectId: string,
      path: string,
      body: ProjectsSaveDocumentBody,
      options?: CallOptions,
    ): Promise<ProjectsSaveDocumentAnswer>
  }
  prompts: {
    /** Prompts by name, with what keeps them from running */
    list(options?: CallOptions): Promise<PromptsListAnswer>
  }
  removals: {
    /** Meetings that were removed, newest first */
    list(query?: RemovalsListQuery, options?: CallOptions): Promise<RemovalsListAnswer>
  }
  search: {
    /** Search in transcripts and documents */
    find(query: SearchFindQuery, options?: CallOptions): Promise<SearchFindAnswer>
  }
  tasks: {
    /** Stop an execution that runs or waits */
    cancel(name: string, executionId: string, options?: CallOptions): Promise<TasksCancelAnswer>
    /** Create a task */
    create(body: TasksCreateBody, options?: CallOptions): Promise<TasksCreateAnswer>
    /** Pause the schedule of a task */
    disable(name: string, options?: CallOptions): Promise<TasksDisableAnswer>
    /** Let a task run by its schedule */
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
    /** Change a task; only the fields given change */
    update(name: string, body: TasksUpdateBody, options?: CallOptions): Promise<TasksUpdateAnswer>
  }
  token: {
    /** The token of this API key */
    get(options?: CallOptions): Promise<TokenGetAnswer>
  }
  usage: {
    /** Tokens and cost by day, task and model */
    list(query?: UsageListQuery, options?: CallOptions): Promise<UsageListAnswer>
  }
}
