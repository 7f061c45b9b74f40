import type { Api, MeetingsTranscriptAnswer, UsageListAnswer } from './api.js'
import type { EventPayloads } from './events.js'

export type * from './api.js'
export type { EventPayloads }
export type EventType = keyof EventPayloads

/** One event of a meeting: a union of all types by `type`, or one type as in `MeetingEvent<'segment_finalized'>`. */
export type MeetingEvent<T extends EventType = EventType> = {
  [K in T]: {
    type: K
    meetingId: string
    /** Starts at 1 and strictly increases within a meeting. `caption_partial` has the previous event's sequence. */
    sequence: number
    /** ISO 8601 UTC with milliseconds */
    timestamp: string
    payload: EventPayloads[K]
  }
}[T]

/** A callback that `listeners.stream` yields. */
export interface ListenedCallback {
  deliveryId: string
  headers: Record<string, string>
  /** The exact bytes that were signed, as text. */
  body: string
  timeoutMs: number
  /** False for a copy of another meeting's callback, whose response the service does not need. */
  isAnswerWanted: boolean
}

/** A message of a stream with several kinds of messages. The last one has the event `end` or `done`. */
export interface StreamMessage {
  event: string
  data: unknown
}

export interface ClientOptions {
  /** URL of the service, such as `http://127.0.0.1:8080`. On a page of the same origin, `/` is enough. */
  url: string
  /** `sk_…`. Every visitor of a web page can read its key, so give that key only the scope `read`. */
  apiKey: string
  /** How often a failed call is retried; 4 by default. */
  retries?: number
  /** Timeout of each attempt, including its response; 60,000 by default. */
  timeoutMs?: number
  /** If `Retry-After` is longer, the error is thrown without a retry; 60,000 by default. */
  maxWaitMs?: number
  /** How long a stream tries to reconnect while the service is unreachable; 300,000 by default. */
  patienceMs?: number
  /** Replaces the global `fetch`. */
  fetch?: typeof globalThis.fetch
}

export interface CallOptions {
  signal?: AbortSignal
  retries?: number
  timeoutMs?: number
  /** Replaces the generated key, for a call that must run only once even if this program is restarted. */
  idempotencyKey?: string
  headers?: Record<string, string>
}

export interface StreamOptions {
  signal?: AbortSignal
  patienceMs?: number
  /** False omits partial captions. They are not stored, so a broken connection can lose some. */
  partials?: boolean
  /** How long each connection may take until the response headers arrive. */
  timeoutMs?: number
  headers?: Record<string, string>
}

/** All operations. If the response type depends on `format`, the types are written by hand. */
export interface Client extends Omit<Api, 'meetings' | 'usage'> {
  meetings: Omit<Api['meetings'], 'transcript'> & {
    /** The transcript of a running or ended meeting */
    transcript(
      meetingId: string,
      query?: { format?: 'json'; after?: number; limit?: number },
      options?: CallOptions,
    ): Promise<MeetingsTranscriptAnswer>
    /** The transcript as text */
    transcript(
      meetingId: string,
      query: { format: 'md' | 'txt' | 'srt' | 'vtt' | 'vcon'; after?: number; limit?: number },
      options?: CallOptions,
    ): Promise<string>
  }
  usage: Omit<Api['usage'], 'list'> & {
    /** Tokens and cost by day, task and model */
    list(
      query?: { format?: 'json'; from?: string; to?: string },
      options?: CallOptions,
    ): Promise<UsageListAnswer>
    /** Tokens and cost by day, task and model, as CSV */
    list(
      query: { format: 'csv'; from?: string; to?: string },
      options?: CallOptions,
    ): Promise<string>
  }
}

/**
 * A client with the API operations in groups. The order of arguments is: path parameters, body, query, options. A
 * failed call throws a HansardError. A call that your signal aborts throws the signal's reason. An invalid path
 * parameter throws a TypeError before anything is sent.
 */
export declare function createClient(options: ClientOptions): Client

export declare class HansardError extends Error {
  constructor(code: string, facts?: Partial<HansardError>)
  /** Error code of the service (docs/api.md), or `no_connection`, `timeout`, `not_this_service`, `redirected`. */
  readonly code: string
  /** HTTP status; 0 if there was no response. */
  readonly status: number
  readonly requestId: string | null
  /** All problems of the request, by field. */
  readonly details: Array<{ path: string; message: string }>
  readonly hint: string | null
  /** How long to wait before a retry; null if the service does not say. */
  readonly retryAfterMs: number | null
}
