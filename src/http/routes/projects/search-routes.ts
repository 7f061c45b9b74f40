import type {
  SearchPage,
  SearchRequest,
  SearchResult as Found,
} from '../../../projects/search/search-types.ts'
import type { ApiSurface } from '../../pipeline/access/api-surfaces.ts'
import { pageSize } from '../page-size.ts'
import { SearchResponse, SearchQuery } from '../../shapes/projects.ts'
import type { FastifyApp } from '../../fastify-app.ts'

type Parts = { search(request: SearchRequest): Promise<SearchPage> }

/** What was said and what is written, by its words. */
export function searchRoutes(app: FastifyApp, surface: ApiSurface, { search }: Parts): void {
  app.get(
    `${surface.prefix}/search`,
    {
      config: surface.read,
      schema: {
        summary: 'Search in transcripts and documents',
        tags: ['Projects'],
        querystring: SearchQuery,
        response: { 200: SearchResponse },
      },
    },
    async (request) => {
      const { q: text, limit, project, ...filters } = request.query
      const projects = project === undefined ? undefined : [project]
      const wanted = { text, limit: pageSize(limit), projects, ...filters }
      const { results, ...page } = await search(wanted)
      return { ...page, results: results.map((found) => toSearchResult(found, surface)) }
    },
  )
}

function toSearchResult({ at: timestamp, ...found }: Found, surface: ApiSurface) {
  return { ...found, timestamp, link: resultLink(found, surface) }
}

/** To the line itself: of a transcript it is the first, of a document the one after the `#`. */
function resultLink(found: Omit<Found, 'at'>, { prefix }: ApiSurface): string {
  if (found.kind === 'segment') {
    const after = (found.segmentNumber ?? 1) - 1
    return `${prefix}/meetings/${found.meetingId}/transcript?after=${after}`
  }
  const path = (found.path ?? '').split('/').map(encodeURIComponent).join('/')
  return `${prefix}/projects/${encodeURIComponent(found.project)}/documents/${path}#L${found.line}`
}
