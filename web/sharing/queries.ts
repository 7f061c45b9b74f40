import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { WireShares } from '../../src/http/shapes/shares.ts'
import { useApi } from '../api/app-state.tsx'
import { toQueryString } from '../api/query-string.ts'
import { projectApiPath } from '../projects/document-ref.ts'
import { sharesApiPath, type SharedSubject } from './shared-subject.ts'

const SHARES_KEY = ['shares']

/** The links to one meeting or document. */
export function useShares(subject: SharedSubject) {
  const api = useApi()
  const query = 'path' in subject ? toQueryString({ path: subject.path }) : ''
  return useQuery({
    queryKey: [...SHARES_KEY, subject],
    queryFn: () => api.get<WireShares>(`${sharesApiPath(subject)}${query}`),
  })
}

/** All share links of a project, for its owners. */
export function useProjectShares(project: string) {
  const api = useApi()
  return useQuery({
    queryKey: [...SHARES_KEY, { project }],
    queryFn: () => api.get<WireShares>(`${projectApiPath(project)}/shares`),
  })
}

/** Returns a function that reloads all lists of links, and resolves when they have arrived. */
export function useReloadShares(): () => Promise<void> {
  const queries = useQueryClient()
  return () => queries.invalidateQueries({ queryKey: SHARES_KEY })
}
