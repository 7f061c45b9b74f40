import type {
  SearchPage,
  SearchRequest,
  SearchResult as Found,
} from '../../projects/search/search.ts'
import { pageSize } from '../page-size.ts'
import { SearchAnswer, SearchQuery } from '../shapes/projects.ts'
import type { App } from '../type-provider.ts'

type Parts = { search(request: SearchRequest): Promise<SearchPage> }

/** What was said and what is written, by its words. */
export function searchRoutes(app: App, { search }: Parts): void {
  app.get(
    '/api/v1/search',
    {
      config: { access: 'key', scopes: ['read', 'meetings', 'tasks'] },
      schema: {
        summary: 'Search in transcripts and documents',
        tags: ['Projects'],
        querystring: SearchQuery,
        response: { 200: SearchAnswer },
      },
    },
    async (request) => {
      const { q: text, limit, ...filters } = request.query
      const { results, ...page } = await search({ text, limit: pageSize(limit), ...filters })
      return { ...page, results: results.map(toWire) }
    },
  )
}

function toWire({ at: timestamp, ...found }: Found) {
  return { ...found, timestamp, link: linkOf(found) }
}

/** To the line itself: of a transcript it is the first, of a document the one after the `#`. */
function linkOf(found: Omit<Found, 'at'>): string {
  if (found.kind === 'segment') {
    const after = (found.segmentNumber ?? 1) - 1
    return `/api/v1/meetings/${found.meetingId}/transcript?after=${after}`
  }
  const path = (found.path ?? '').split('/').map(encodeURIComponent).join('/')
  return `/api/v1/projects/${encodeURIComponent(found.project)}/documents/${path}#L${found.line}`
}
