import type { OccurrenceWindow } from './events.ts'
import type { ReadFeed } from './read-feed.ts'

/** Reads feeds in a worker thread, one at a time, so that a large feed does not block the service. */
export interface FeedReader extends AsyncDisposable {
  /** Throws a FeedError when the feed cannot be read within the limits. */
  read(content: Uint8Array, window: OccurrenceWindow): Promise<ReadFeed>
}

export type FeedReaderOptions = {
  /** A feed that takes longer ends the thread. */
  maxReadMs: number
  /** A feed that needs more memory ends the thread, but not the service. */
  maxMemoryMb: number
}

export function createFeedReader(_options: FeedReaderOptions): FeedReader {
  throw new Error('not written yet')
}
