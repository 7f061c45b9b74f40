import { useSignedInUser } from '../api/app-state.tsx'
import { findProjectRights, type ProjectRights } from './project-rights.ts'
import { useProjectAccess, type ProjectAccessAndMembers } from './queries.ts'

/** Until the answer is here, so that the buttons of nearly everyone do not appear late. */
const UNKNOWN_RIGHTS: ProjectRights = { canEdit: true, canManage: true, canMoveOut: true }

export function useProjectRights(project: string): ProjectRights {
  const me = useSignedInUser()
  const { data } = useProjectAccess(project)
  return data === undefined ? UNKNOWN_RIGHTS : findProjectRights(data, me)
}

/** Whether the signed-in user is an owner of the project. In team projects admins are owners too. */
export function useCanManage(current: ProjectAccessAndMembers): boolean {
  return findProjectRights(current, useSignedInUser()).canManage
}
