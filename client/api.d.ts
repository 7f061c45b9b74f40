// Made from the OpenAPI document by scripts/client-types.ts --write: change the routes.
import type {
  CallOptions,
  ListenedCallback,
  MeetingEvent,
  StreamMessage,
  StreamOptions,
} from './index.js'

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

export interface RemovedCounts {
  documents: number
  segments: number
  events: number
  insights: number
  participants: number
  deliveries: number
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

export interface Token {
  id: string
  name: string
  /** The first characters of the API key */
  keyPrefix: string
  keyLast4: string
  /** null: the key may do everything */
  scopes: Array<'read' | 'meetings' | 'tasks'> | null
  createdAt: string
  /** Name of the person who made it; null for the command line */
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

export interface EventsStreamQuery {
  /** Begin behind this id; the header Last-Event-ID does the same */
  after?: string
  /** Types, separated by commas; all without it */
  events?: string
  /** Only of this meeting */
  meeting?: string
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

export interface TokenGetAnswer {
  token: Token
}

/** Every operation of the interface. */
export interface Api {
  callbacks: {
    /** Send a test event and say what came back */
    test(body: CallbacksTestBody, options?: CallOptions): Promise<CallbacksTestAnswer>
  }
  deliveries: {
    /** Attempts over all meetings, newest first */
    list(query?: DeliveriesListQuery, options?: CallOptions): Promise<DeliveriesListAnswer>
  }
  events: {
    /** Events of all meetings as they happen (server-sent events) */
    stream(
      query?: EventsStreamQuery,
      options?: StreamOptions,
    ): AsyncGenerator<MeetingEvent, void, undefined>
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
  removals: {
    /** Meetings that were removed, newest first */
    list(query?: RemovalsListQuery, options?: CallOptions): Promise<RemovalsListAnswer>
  }
  search: {
    /** Search in transcripts and documents */
    find(query: SearchFindQuery, options?: CallOptions): Promise<SearchFindAnswer>
  }
  token: {
    /** The token of this API key */
    get(options?: CallOptions): Promise<TokenGetAnswer>
  }
}
