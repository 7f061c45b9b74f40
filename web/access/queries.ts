import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { WireProjectAccess, WireProjectMembers } from '../../src/http/shapes/project-access.ts'
import { MAY_BE_MISSING } from '../api/client.ts'
import { useApi } from '../api/app-state.tsx'
import { projectApiPath } from '../projects/document-ref.ts'

const accessKey = (project: string) => ['projects', 'access', project]

/** Who may use a project, with its members. */
export type ProjectAccessAndMembers = Pick<WireProjectAccess, 'access' | 'adminEntries'> &
  Pick<WireProjectMembers, 'members'>

/** Fails with 404 if the project does not exist or is hidden. */
export function useProjectAccess(project: string, isEnabled = true) {
  const api = useApi()
  return useQuery({
    queryKey: accessKey(project),
    queryFn: async (): Promise<ProjectAccessAndMembers> => {
      const path = projectApiPath(project)
      const [{ access, adminEntries }, { members }] = await Promise.all([
        api.get<WireProjectAccess>(`${path}/access`, MAY_BE_MISSING),
        api.get<WireProjectMembers>(`${path}/members`, MAY_BE_MISSING),
      ])
      return { access, adminEntries, members }
    },
    enabled: isEnabled,
  })
}

/** Returns a function that reloads data that depends on project access. */
export function useReloadProjectAccess(): () => Promise<void> {
  const queries = useQueryClient()
  return async () => {
    await Promise.all(
      ['projects', 'shares'].map((area) => queries.invalidateQueries({ queryKey: [area] })),
    )
  }
}
