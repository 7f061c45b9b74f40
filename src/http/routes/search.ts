import type {
  SearchPage,
  SearchRequest,
  SearchResult as Found,
} from '../../projects/search/search.ts'
import type { Door } from '../doors.ts'
import { pageSize } from '../page-size.ts'
import { SearchAnswer, SearchQuery } from '../shapes/projects.ts'
import type { App } from '../type-provider.ts'

type Parts = { search(request: SearchRequest): Promise<SearchPage> }

/** What was said and what is written, by its words. */
export function searchRoutes(app: App, door: Door, { search }: Parts): void {
  app.get(
    `${door.prefix}/search`,
    {
      config: door.read,
      schema: {
        summary: 'Search in transcripts and documents',
        tags: ['Projects'],
        querystring: SearchQuery,
        response: { 200: SearchAnswer },
      },
    },
    async (request) => {
      const { q: text, limit, project, ...filters } = request.query
      const projects = project === undefined ? undefined : [project]
      const wanted = { text, limit: pageSize(limit), projects, ...filters }
      const { results, ...page } = await search(wanted)
      return { ...page, results: results.map((found) => toWire(found, door)) }
    },
  )
}

function toWire({ at: timestamp, ...found }: Found, door: Door) {
  return { ...found, timestamp, link: linkOf(found, door) }
}

/** To the line itself: of a transcript it is the first, of a document the one after the `#`. */
function linkOf(found: Omit<Found, 'at'>, { prefix }: Door): string {
  if (found.kind === 'segment') {
    const after = (found.segmentNumber ?? 1) - 1
    return `${prefix}/meetings/${found.meetingId}/transcript?after=${after}`
  }
  const path = (found.path ?? '').split('/').map(encodeURIComponent).join('/')
  return `${prefix}/projects/${encodeURIComponent(found.project)}/documents/${path}#L${found.line}`
}
