import { useSignedInUser } from '../api/app-state.tsx'
import { findProjectRights, type ProjectRights } from './project-rights.ts'
import { useProjectAccess, type ProjectAccessAndMembers } from './queries.ts'

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
