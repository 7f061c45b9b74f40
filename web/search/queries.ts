import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { CURSOR_PAGES } from '../api/queries.ts'
import type { ApiSearchResult } from '../../src/http/shapes/projects.ts'
import { useApi } from '../api/app-state.tsx'
import { type SearchFilter, searchFilterToApiParams } from './search-filter.ts'

const LIMIT = 50

export function useSearchResults(filter: SearchFilter) {
  const api = useApi()
  return useInfiniteQuery({
    queryKey: ['search', filter],
    queryFn: ({ pageParam: cursor }) =>
      api.search.find({
        ...searchFilterToApiParams(filter),
        limit: LIMIT,
        cursor,
      }),
    ...CURSOR_PAGES,
    placeholderData: keepPreviousData,
    enabled: filter.q !== undefined,
  })
}

/** The search results in one meeting or document. */
export type SearchResultGroup = {
  key: string
  bestResult: ApiSearchResult
  hits: ApiSearchResult[]
}

/** Groups search results by meeting or document. Groups are sorted by best result, results by position in the text. */
export function groupAndSortSearchResults(
  results: readonly ApiSearchResult[],
): SearchResultGroup[] {
  const groups = new Map<string, SearchResultGroup>()
  for (const hit of results) {
    const key = hit.kind === 'segment' ? `m ${hit.meetingId}` : `d ${hit.project}/${hit.path}`
    const group = groups.get(key) ?? { key, bestResult: hit, hits: [] }
    group.hits.push(hit)
    groups.set(key, group)
  }
  return [...groups.values()].map((group) => ({
    ...group,
    hits: group.hits.toSorted((a, b) => positionOf(a) - positionOf(b)),
  }))
}

function positionOf({ segmentNumber, line }: ApiSearchResult): number {
  return segmentNumber ?? line ?? 0
}
