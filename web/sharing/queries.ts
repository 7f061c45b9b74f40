import { useQuery } from '@tanstack/react-query'
import { useApi } from '../api/app-state.tsx'

/** What a link shows. */
export type SharedSubject = { meetingId: string } | { project: string; path: string }

/** The links to one meeting or document. */
export function useShares(subject: SharedSubject) {
  const api = useApi()
  return useQuery({
    queryKey: ['shares', subject],
    queryFn: () =>
      'meetingId' in subject
        ? api.meetings.shares(subject.meetingId)
        : api.projects.shares(subject.project, { path: subject.path }),
  })
}

/** All share links of a project, for its owners. */
export function useProjectShares(project: string) {
  const api = useApi()
  return useQuery({
    queryKey: ['shares', { project }],
    queryFn: () => api.projects.shares(project),
  })
}
