import { useSignedInUser } from '../api/app-state.tsx'
import type { ProjectAccessAndMembers } from './queries.ts'

/** Whether the signed-in user is an owner of the project. In team projects admins are owners too. */
export function useCanManage({ access, members }: ProjectAccessAndMembers): boolean {
  const me = useSignedInUser()
  const isOwner = members.some(({ userId, role }) => userId === me.id && role === 'owner')
  return isOwner || (access === 'team' && me.role === 'admin')
}
