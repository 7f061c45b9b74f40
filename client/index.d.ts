import type { Api, MeetingsTranscriptAnswer, UsageListAnswer } from './api.js'
import type { EventPayloads } from './events.js'

export type * from './api.js'
export type { EventPayloads }
export type EventType = keyof EventPayloads

/** One event as it is sent: all of them, told apart by `type`, or `MeetingEvent<'segment_finalized'>` alone. */
export type MeetingEvent<T extends EventType = EventType> = {
  [K in T]: {
    type: K
    meetingId: string
    /** Per meeting, from 1, strictly increasing. `caption_partial` carries that of the event before it. */
    sequence: number
    /** ISO 8601 UTC with milliseconds */
    timestamp: string
    payload: EventPayloads[K]
  }
}[T]

/** A callback as `listeners.stream` hands it out. */
export interface ListenedCallback {
  deliveryId: string
  headers: Record<string, string>
  /** The exact bytes that were signed, as text. */
  body: string
  timeoutMs: number
  /** False: a copy, of which nobody wants to know what became. */
  isAnswerWanted: boolean
}

/** A message of a stream that has several kinds of them; one named `end` is the last. */
export interface StreamMessage {
  event: string
  data: unknown
}

export interface ClientOptions {
  /** Where the service is, such as `http://127.0.0.1:8080`. On a page of its own origin `/` will do. */
  url: string
  /** `sk_…`. On a page everybody can read it: make one with the scope `read` for that. */
  apiKey: string
  /** How often a call may be made again; 4. */
  retries?: number
  /** For each attempt, answer included; 60,000. */
  timeoutMs?: number
  /** A `Retry-After` of more than this is thrown instead of waited for; 60,000. */
  maxWaitMs?: number
  /** How long a stream goes on trying without a word from the service; 300,000. */
  patienceMs?: number
  /** Instead of the global one. */
  fetch?: typeof globalThis.fetch
}

export interface CallOptions {
  signal?: AbortSignal
  retries?: number
  timeoutMs?: number
  /** Instead of the one made for each call, for what must happen once even if this program dies. */
  idempotencyKey?: string
  headers?: Record<string, string>
}

export interface StreamOptions {
  signal?: AbortSignal
  patienceMs?: number
  /** False leaves out evolving captions; they are not stored, so a break can lose some. */
  partials?: boolean
  /** For the head of each connection. */
  timeoutMs?: number
  headers?: Record<string, string>
}

/** Every operation, with what only a person can say about its types. */
export interface Client extends Omit<Api, 'meetings' | 'usage'> {
  meetings: Omit<Api['meetings'], 'transcript'> & {
    /** The transcript, during the meeting and after */
    transcript(
      meetingId: string,
      query?: { format?: 'json'; after?: number; limit?: number },
      options?: CallOptions,
    ): Promise<MeetingsTranscriptAnswer>
    /** The same as text */
    transcript(
      meetingId: string,
      query: { format: 'md' | 'txt' | 'srt' | 'vtt'; after?: number; limit?: number },
      options?: CallOptions,
    ): Promise<string>
  }
  usage: Omit<Api['usage'], 'list'> & {
    /** Tokens and cost by day, task and model */
    list(
      query?: { format?: 'json'; from?: string; to?: string },
      options?: CallOptions,
    ): Promise<UsageListAnswer>
    /** The same as CSV */
    list(
      query: { format: 'csv'; from?: string; to?: string },
      options?: CallOptions,
    ): Promise<string>
  }
}

/**
 * The operations of the interface in groups. Arguments come in one order: what the path names, the body, the
 * query, the options. Whatever fails is a HansardError, but for what your own signal ended; a name that can be
 * none is a TypeError at once, before anything is sent.
 */
export declare function createClient(options: ClientOptions): Client

export declare class HansardError extends Error {
  constructor(code: string, facts?: Partial<HansardError>)
  /** That of the service (docs/api.md), or `no_connection`, `timeout`, `not_this_service`, `redirected`. */
  readonly code: string
  /** 0: there was no answer. */
  readonly status: number
  readonly requestId: string | null
  /** Every problem of the request, by field. */
  readonly details: Array<{ path: string; message: string }>
  readonly hint: string | null
  /** When the service wants to be asked again. */
  readonly retryAfterMs: number | null
}
