import type { Viewer } from '../../../access/viewer.ts'
import type {
  SearchResultPage,
  SearchRequest,
  SearchResult,
} from '../../../projects/search/search-types.ts'
import type { FastifyApp } from '../../fastify-app.ts'
import { defineRoutes } from '../../pipeline/define-routes.ts'
import type { ApiSurface } from '../../pipeline/access/api-surfaces.ts'
import { SearchResponse, SearchQuery } from '../../shapes/projects.ts'
import { resolvePageSize } from '../../shapes/query-parameters.ts'

type Parts = { search(viewer: Viewer, request: SearchRequest): Promise<SearchResultPage> }

/** Full-text search in transcripts and documents. */
export function transcriptAndDocumentSearchRoutes(
  app: FastifyApp,
  surface: ApiSurface,
  { search }: Parts,
): void {
  const routes = defineRoutes(app, surface, 'Projects')

  routes.get('/search', {
    subject: 'list',
    allowsLongUrl: true,
    summary: 'Search in transcripts and documents',
    description:
      'Finds what has all words or, if nothing has, some of them; case and accents are ignored. Also finds meetings that are still live.',
    query: SearchQuery,
    response: SearchResponse,
    handler: async (request) => {
      const { q: text, limit, project, ...filters } = request.query
      const projects = project === undefined ? undefined : [project]
      const { results, ...page } = await search(request.viewer, {
        text,
        limit: resolvePageSize(limit),
        projects,
        ...filters,
      })
      return { ...page, results: results.map((result) => toSearchResult(result, surface)) }
    },
  })
}

function toSearchResult({ at: timestamp, ...result }: SearchResult, surface: ApiSurface) {
  return { ...result, timestamp, link: linkToLine(result, surface) }
}

type LinePosition = Pick<
  SearchResult,
  'kind' | 'project' | 'meetingId' | 'segmentNumber' | 'path' | 'line'
>

/** A link to a line: a transcript link starts at the segment, a document link ends with `#L` and the line number. */
export function linkToLine(result: LinePosition, { prefix }: ApiSurface): string {
  if (result.kind === 'segment') {
    const after = (result.segmentNumber ?? 1) - 1
    return `${prefix}/meetings/${result.meetingId}/transcript?after=${after}`
  }
  const path = (result.path ?? '').split('/').map(encodeURIComponent).join('/')
  return `${prefix}/projects/${encodeURIComponent(result.project)}/documents/${path}#L${result.line}`
}
