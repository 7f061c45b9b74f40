import type { ProjectAccessAndMembers } from './queries.ts'

/** What the signed-in user may do in a project. The service decides; this only hides buttons that it would refuse. */
export type ProjectRights = { canEdit: boolean; canManage: boolean; canMoveOut: boolean }

export function findProjectRights(
  { access, members }: Pick<ProjectAccessAndMembers, 'access' | 'members'>,
  me: { id: string; role: string },
): ProjectRights {
  const ownRole = members.find(({ userId }) => userId === me.id)?.role
  const isTeam = access === 'team'
  const canManage = ownRole === 'owner' || (isTeam && me.role === 'admin')
  const canEdit = isTeam || canManage || ownRole === 'editor'
  return { canEdit, canManage, canMoveOut: isTeam ? canEdit : canManage }
}
