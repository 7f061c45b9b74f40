import { FeedError } from '../ics/feed-error.ts'
import type { FeedReader } from '../ics/feed-reader.ts'
import type { CalendarSource } from './calendar-source.ts'
import type { FetchFeed } from './fetch-feed.ts'

type Parts = { fetchFeed: FetchFeed; reader: Pick<FeedReader, 'read'> }

/** An iCalendar feed behind a secret address, as every calendar program publishes it. */
export function createIcsSource({ fetchFeed, reader }: Parts): CalendarSource {
  return {
    kind: 'ics',
    async poll(state, window, signal) {
      const fetched = await fetchFeed(state, signal)
      if (fetched.kind !== 'content') return fetched
      const { etag, lastModified } = fetched
      try {
        const { occurrences, eventCount, problems } = await reader.read(fetched.content, window)
        const next = { etag, lastModified }
        return { kind: 'changed', occurrences, eventCount, problems, state: next }
      } catch (error) {
        if (!(error instanceof FeedError)) throw error
        return { kind: 'failed', problem: error.message, retryAfterMs: null }
      }
    },
  }
}
