import { sql } from 'kysely'
import type { Role } from '../../accounts/roles.ts'
import { decideProjectAccess, type MemberRole, type ProjectAccess } from '../rules.ts'
import { INSTANCE_VIEWER, type Viewer } from '../viewer.ts'

/** What the database knows about the user who created a link. */
export type CreatorFacts = {
  project: string
  /** Null when a service token created the link. */
  creatorId: string | null
  /** Null when the user was removed. */
  creatorRole: Role | null
  access: ProjectAccess
  memberRole: MemberRole | null
  /** Whether an API token created the link and was revoked since. */
  isTokenRevoked: boolean
}

/** Why a link does not open although it was not ended. */
export type CreatorProblem = 'creator_not_owner' | 'token_revoked'

/**
 * Why the creator of a link may not create it any more; null when it may. A link has no rights of its own: someone who leaves the project or
 * the instance cannot go on reading through a link.
 */
export function findCreatorProblem({
  project,
  creatorId,
  creatorRole,
  isTokenRevoked,
  ...facts
}: CreatorFacts): CreatorProblem | null {
  if (isTokenRevoked) return 'token_revoked'
  if (creatorId !== null && creatorRole === null) return 'creator_not_owner'
  const viewer: Viewer =
    creatorId === null || creatorRole === null
      ? INSTANCE_VIEWER
      : { kind: 'user', userId: creatorId, role: creatorRole, projects: null }
  const decision = decideProjectAccess(viewer, 'manage', { project, ...facts })
  return decision === 'allowed' ? null : 'creator_not_owner'
}

/** SQL for the column `isTokenRevoked` of the link `s`. */
export const SELECT_IS_TOKEN_REVOKED = sql`(s.created_by like 'token:%' and not exists (select from api_token t
  where t.id = substr(s.created_by, 7) and t.revoked_at is null
    and (t.expires_at is null or t.expires_at > now()))) as "isTokenRevoked"`
