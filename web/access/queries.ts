import { useQuery } from '@tanstack/react-query'
import type { ApiProjectAccess, ApiProjectMembers } from '../../src/http/shapes/project-access.ts'
import { type ProjectRights, findProjectRights } from './project-rights.ts'
import { useApi, useSignedInUser } from '../api/use-api.tsx'
import { MAY_BE_MISSING } from '../api/client.ts'

const accessKey = (project: string) => ['projects', 'access', project]

/** Who may use a project, with its members. */
export type ProjectAccessAndMembers = Pick<ApiProjectAccess, 'access' | 'adminEntries'> &
  Pick<ApiProjectMembers, 'members'>

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

/** Used until the response arrives, so that buttons don't appear late for the many users who have these rights. */
const UNKNOWN_RIGHTS: ProjectRights = { canEdit: true, canManage: true, canMoveOut: true }

export function useProjectRights(project: string): ProjectRights {
  const me = useSignedInUser()
  const { data } = useProjectAccess(project)
  return data === undefined ? UNKNOWN_RIGHTS : findProjectRights(data, me)
}

/** True if the signed-in user is an owner of the project. In team projects, admins are owners too. */
export function useCanManage(current: ProjectAccessAndMembers): boolean {
  return findProjectRights(current, useSignedInUser()).canManage
}
