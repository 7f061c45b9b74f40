import type { OccurrenceWindow } from '../events.ts'
import type { FeedErrorCode } from '../feed-error.ts'
import type { ReadFeed } from '../read-feed.ts'

export type MessageToFeedWorker = { content: Uint8Array; window: OccurrenceWindow }

export type MessageFromFeedWorker =
  | { type: 'read'; feed: ReadFeed }
  /** An error does not keep its class between threads. */
  | { type: 'unreadable'; code: FeedErrorCode; message: string }
  | { type: 'failed'; error: unknown }
