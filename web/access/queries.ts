import { useQuery } from '@tanstack/react-query'
import { useReload } from '../api/queries.ts'
import type { WireProjectAccess, WireProjectMembers } from '../../src/http/shapes/project-access.ts'
import { MAY_BE_MISSING } from '../api/client.ts'
import { useApi } from '../api/app-state.tsx'

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
      const [{ access, adminEntries }, { members }] = await Promise.all([
        api.projects.access(project, MAY_BE_MISSING),
        api.projects.members(project, MAY_BE_MISSING),
      ])
      return { access, adminEntries, members }
    },
    enabled: isEnabled,
  })
}

/** Returns a function that reloads data that depends on project access. */
export const useReloadProjectAccess = () => useReload('projects', 'shares')
