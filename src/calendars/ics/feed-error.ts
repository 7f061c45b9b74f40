/** Why a feed cannot be read at all. */
export type FeedErrorCode =
  | 'not_a_calendar'
  | 'truncated'
  /** It has events, but none of them has a valid start. An empty calendar is not an error. */
  | 'no_readable_event'
  | 'too_large'
  | 'too_complex'

/** The message is a sentence for people, without any text of the feed. */
export class FeedError extends Error {
  readonly code: FeedErrorCode

  constructor(code: FeedErrorCode, message: string) {
    super(message)
    this.name = 'FeedError'
    this.code = code
  }
}
