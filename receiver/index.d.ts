import type { EventPayloads } from './events.js'

export type { EventPayloads }
export type EventType = keyof EventPayloads

/** One event of a meeting: a union of all types by `type`, or one type as in `MeetingEvent<'segment_finalized'>`. */
export type MeetingEvent<T extends EventType = EventType> = {
  [K in T]: {
    type: K
    meetingId: string
    /** Starts at 1 and strictly increases within a meeting. With `meetingId`, it identifies the event permanently. */
    sequence: number
    /** When the event happened: ISO 8601 UTC with milliseconds, the same in every attempt. */
    timestamp: string
    payload: EventPayloads[K]
  }
}[T]

/** `request.headers` of Node, `Headers` of fetch, or a plain object. Header names may be in upper or lower case. */
export type CallbackHeaders =
  | Iterable<readonly [string, string]>
  | Readonly<Record<string, string | readonly string[] | undefined>>

export interface VerifyOptions {
  /**
   * Maximum difference in seconds between the time of the signature and now. A number also makes the Standard Webhooks
   * headers mandatory, because only their signature covers the time.
   *
   * By default, the time is not checked. A receiver that drops repeated events by `meetingId` and `sequence` is already
   * safe from replayed callbacks, and a receiver with a wrong clock would reject all callbacks. Use 300 if your
   * receiver remembers events only for a short time.
   */
  toleranceSeconds?: number | null
  /** Current time in milliseconds since 1970; the machine's clock by default. */
  now?: number
}

export type CallbackErrorCode =
  | 'no_secret'
  | 'body_not_raw'
  | 'too_large'
  | 'missing_signature'
  | 'bad_signature'
  | 'missing_timestamp'
  | 'too_old'
  | 'too_new'
  | 'not_json'
  | 'not_an_event'

export declare const CALLBACK_ERRORS: Readonly<
  Record<CallbackErrorCode, { readonly status: number; readonly text: string }>
>

export declare class CallbackError extends Error {
  constructor(code: CallbackErrorCode, options?: { cause?: unknown })
  readonly code: CallbackErrorCode
  /** HTTP status for the response: 401 for a wrong signature, 400 or 413 for an invalid body, otherwise 500. */
  readonly status: number
}

/**
 * Verifies the signature of a callback with one of the secrets and returns its event. Throws only CallbackError. A
 * newer service may send event types that are not declared here. Ignore them.
 *
 * @param rawBody the received body, before any parsing
 * @param secret the signing secret (`ss_…`), or both during a rotation
 */
export declare function verifyCallback(
  rawBody: string | Uint8Array,
  headers: CallbackHeaders,
  secret: string | readonly string[],
  options?: VerifyOptions,
): MeetingEvent

/** Computes the value of `X-Service-Signature`, for tests of a receiver. */
export declare function sign(rawBody: string | Uint8Array, secret: string): string
