import type { EventPayloads } from './events.js'

export type { EventPayloads }
export type EventType = keyof EventPayloads

/** One event as it is sent: all of them, told apart by `type`, or `MeetingEvent<'segment_finalized'>` alone. */
export type MeetingEvent<T extends EventType = EventType> = {
  [K in T]: {
    type: K
    meetingId: string
    /** Per meeting, from 1, strictly increasing. With `meetingId` it names the event for good. */
    sequence: number
    /** ISO 8601 UTC with milliseconds: when it happened, the same on every attempt. */
    timestamp: string
    payload: EventPayloads[K]
  }
}[T]

/** Node's `request.headers`, the `Headers` of fetch, or a plain object; names in any case. */
export type CallbackHeaders =
  | Iterable<readonly [string, string]>
  | Readonly<Record<string, string | readonly string[] | undefined>>

export interface VerifyOptions {
  /**
   * How many seconds ago, or ahead, a callback may have been signed. A number also makes the Standard
   * Webhooks headers necessary, since only their signature covers the time.
   *
   * Without it the time is not looked at. A receiver that drops what it has seen, by `meetingId` and
   * `sequence`, is safe from repeated callbacks already, and one with a wrong clock would refuse all of
   * them. Give 300 where that memory is short.
   */
  toleranceSeconds?: number | null
  /** The present, in milliseconds since 1970; the clock of the machine unless given. */
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
  /** What to answer: 401 for a signature that is not right, 400 and 413 for a body that is none, else 500. */
  readonly status: number
}

/**
 * The event in a callback, when one of its signatures is right under one of the secrets. Throws nothing but
 * CallbackError. A newer service may send types that are not declared here: ignore them.
 *
 * @param rawBody exactly what came, before any parsing
 * @param secret the signing secret (`ss_…`), or both during a rotation
 */
export declare function verifyCallback(
  rawBody: string | Uint8Array,
  headers: CallbackHeaders,
  secret: string | readonly string[],
  options?: VerifyOptions,
): MeetingEvent

/** The value of `X-Service-Signature`, for tests of a receiver. */
export declare function sign(rawBody: string | Uint8Array, secret: string): string
