import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import type { WireSearch, WireSearchResult } from '../../src/http/shapes/projects.ts'
import { useApi } from '../api/app-state.tsx'
import { toQueryString } from '../api/query-string.ts'
import { toSearchQuery, type SearchFilter } from './search-filter.ts'

const LIMIT = '50'

export function useSearchResults(filter: SearchFilter) {
  const api = useApi()
  return useInfiniteQuery({
    queryKey: ['search', filter],
    queryFn: ({ pageParam: cursor }) =>
      api.get<WireSearch>(
        `/web/search${toQueryString({ ...toSearchQuery(filter), limit: LIMIT, cursor })}`,
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    placeholderData: keepPreviousData,
    enabled: filter.q !== undefined,
  })
}

/** The search results in one meeting or one document. */
export type HitGroup = { key: string; first: WireSearchResult; hits: WireSearchResult[] }

/** Groups are sorted by their best result; results in a group by their position in the text. */
export function groupHits(results: readonly WireSearchResult[]): HitGroup[] {
  const groups = new Map<string, HitGroup>()
  for (const hit of results) {
    const key = hit.kind === 'segment' ? `m ${hit.meetingId}` : `d ${hit.project}/${hit.path}`
    const group = groups.get(key) ?? { key, first: hit, hits: [] }
    group.hits.push(hit)
    groups.set(key, group)
  }
  return [...groups.values()].map((group) => ({
    ...group,
    hits: group.hits.toSorted((a, b) => positionOf(a) - positionOf(b)),
  }))
}

function positionOf({ segmentNumber, line }: WireSearchResult): number {
  return segmentNumber ?? line ?? 0
}
