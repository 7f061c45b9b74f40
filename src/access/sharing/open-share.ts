import type { AreaContext } from '../../db/context.ts'
import { sql } from 'kysely'
import { appendAudit } from '../../accounts/audit.ts'
import type { Role } from '../../accounts/roles.ts'
import type { PasswordHasher } from '../../accounts/sign-in/passwords.ts'
import {
  ipToRateLimitKey,
  type SignInThrottle,
  type ThrottleScope,
} from '../../accounts/sign-in/sign-in-throttle.ts'
import type { Db } from '../../db/database.ts'
import { sha256 } from '../../lib/crypto.ts'
import { decideProjectAccess, type MemberRole, type ProjectAccess } from '../rules.ts'
import { INSTANCE_VIEWER, type Viewer } from '../viewer.ts'

/** A link that can be opened, possibly with a password. */
export type FoundShare = {
  id: string
  project: string
  meetingId: string | null
  path: string | null
  passwordHash: string | null
  expiresAt: Date
}

type Parts = AreaContext & {
  isOn: boolean
  passwords: PasswordHasher
  throttle: SignInThrottle
}

type ShareRow = FoundShare & CreatorFacts & { meetingProject: string | null }

/** What the database knows about the user who created a link. */
export type CreatorFacts = {
  project: string
  /** Null if a service token created the link. */
  creatorId: string | null
  /** Null if the user was removed or deactivated. */
  creatorRole: Role | null
  access: ProjectAccess
  memberRole: MemberRole | null
  /** True if an API token created the link and was revoked since. */
  isTokenRevoked: boolean
}

/** Why a link does not open although it was not ended. */
type CreatorProblem = 'creator_not_owner' | 'token_revoked'

/** The columns of `CreatorFacts` besides the project, for a share link `s`. */
export const SELECT_CREATOR_FACTS = sql`s.creator_id as "creatorId", u.role as "creatorRole",
  coalesce(pa.access, 'team') as access, pm.role as "memberRole",
  (s.created_by like 'token:%' and not exists (select from api_token t
    where t.id = substr(s.created_by, 7) and t.revoked_at is null
      and (t.expires_at is null or t.expires_at > now()))) as "isTokenRevoked"`
export const CREATOR_FACTS_JOINS = sql`left join app_user u on u.id = s.creator_id and u.deactivated_at is null
  left join project_access pa on pa.project = s.project
  left join project_member pm on pm.project = s.project and pm.user_id = s.creator_id`

export function createShareOpener({ db, clock, isOn, passwords, throttle }: Parts) {
  return {
    /** Null for every link that does not open. Unknown, expired and ended links take the same path. */
    async find(secret: string): Promise<FoundShare | null> {
      // Queried even while links are off, so that the response takes as long as for an unknown link.
      const share = await findOpenShare(db, secret, clock.now())
      return isOn ? share : null
    },

    /** True if this is the link's password. Throws `too_many_attempts` after many wrong ones. */
    async checkPassword({ id, passwordHash }: FoundShare, password: string, ip: string) {
      const scopes: ThrottleScope[] = [
        { rule: 'address', key: ipToRateLimitKey(ip) },
        { rule: 'share', key: id },
      ]
      await throttle.recordAttempt(scopes)
      if (await passwords.verify(password, passwordHash ?? undefined)) {
        await throttle.recordSuccess(scopes)
        return true
      }
      await appendAudit(db, clock.now(), { name: 'nobody', ip }, 'share password failed', id)
      return false
    },

    /** Counts one use. False if the link has ended meanwhile. */
    async recordUse({ id }: FoundShare): Promise<boolean> {
      const now = clock.now()
      const used = await db
        .updateTable('share_link')
        .set({ use_count: sql`use_count + 1`, last_used_at: now })
        .where('id', '=', id)
        .where('ended_at', 'is', null)
        .where('expires_at', '>', now)
        .executeTakeFirstOrThrow()
      return used.numUpdatedRows > 0n
    },
  }
}

export type ShareOpener = ReturnType<typeof createShareOpener>

/** A link that opens, unless links are turned off. Null for every other one. */
export async function findOpenShare(db: Db, secret: string, now: Date): Promise<FoundShare | null> {
  const row = await findActiveShare(db, secret, now)
  if (row === undefined || findCreatorProblem(row) !== null) return null
  const isInPlace = row.meetingId === null || row.meetingProject === row.project
  return isInPlace ? row : null
}

async function findActiveShare(db: Db, secret: string, now: Date): Promise<ShareRow | undefined> {
  const { rows } = await sql<ShareRow>`
    select s.id, s.project, s.meeting_id as "meetingId", s.path, s.password_hash as "passwordHash",
      s.expires_at as "expiresAt", m.project as "meetingProject", ${SELECT_CREATOR_FACTS}
    from share_link s left join meeting m on m.id = s.meeting_id ${CREATOR_FACTS_JOINS}
    where s.secret_hash = ${sha256(secret)} and s.ended_at is null and s.expires_at > ${now}`.execute(
    db,
  )
  return rows[0]
}

/**
 * Why the creator of a link may no longer create it. Null if they may. A link has no rights of its own: a person who
 * leaves the project or the instance can't continue to read through a link.
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
