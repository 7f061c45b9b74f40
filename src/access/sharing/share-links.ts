import type { AreaContext } from '../../db/context.ts'
import { sql } from 'kysely'
import { appendAudit, type Actor } from '../../accounts/audit.ts'
import type { PasswordHasher } from '../../accounts/sign-in/passwords.ts'
import type { SignInThrottle } from '../../accounts/sign-in/sign-in-throttle.ts'
import { refuseWeakPassword } from '../../accounts/users/users.ts'
import type { Db, Tx } from '../../db/database.ts'
import { ServiceError } from '../../errors.ts'
import { sha256, newId, randomBase62 } from '../../lib/crypto.ts'
import { DAY_MS } from '../../lib/time/durations.ts'
import { lockProjectAccess } from '../registered-projects.ts'
import { requireAccess, type SubjectRef } from '../subjects.ts'
import { memberIdOf, type Viewer } from '../viewer.ts'
import {
  CREATOR_FACTS_JOINS,
  findCreatorProblem,
  SELECT_CREATOR_FACTS,
  type CreatorFacts,
  createShareOpener,
  type ShareOpener,
} from './open-share.ts'
import type { ShareEndReason, ShareState } from './share-states.ts'

/** What a link shows: one meeting, or one document by its path in a project. */
export type SharedSubject = { meetingId: string } | { project: string; path: string }

/** Selects the links to list or revoke: those of a meeting, of a whole project, or of one of its documents. */
export type ShareScope = { meetingId: string } | { project: string; path?: string | undefined }

export type NewShare = { days: number; password?: string | undefined }

export type ShareLink = {
  id: string
  meetingId: string | null
  /** Title of the meeting. Null for a document, and after the meeting moved to another project. */
  title: string | null
  path: string | null
  state: ShareState
  hasPassword: boolean
  /** The address of the guest to whom the link was mailed. Null for other links. */
  recipient: string | null
  /** Name of the user. Null for a token of the instance and for a removed user. */
  createdBy: string | null
  createdAt: Date
  expiresAt: Date
  endedAt: Date | null
  useCount: number
  lastUsedAt: Date | null
}

/** Read-only links for people without an account. */
export interface ShareLinks extends ShareOpener {
  /** False if the operator turned off links. Then none can be created or opened. */
  isOn: boolean
  /** Returns the link's secret, which is stored only as a hash. */
  create(
    viewer: Viewer,
    subject: SharedSubject,
    share: NewShare,
    actor: Actor,
  ): Promise<{ share: ShareLink; secret: string }>
  /** Newest first, with links that ended in the last days. */
  list(scope: ShareScope): Promise<ShareLink[]>
  /** Throws `share_not_found` if the scope has no active link with this id. */
  revoke(scope: ShareScope, id: string, actor: Actor): Promise<void>
}

type Parts = AreaContext & {
  isOn: boolean
  passwords: PasswordHasher
  throttle: SignInThrottle
}

/** 256 random bits. */
const SECRET_LENGTH = 43

export function newShareSecret(): string {
  return randomBase62(SECRET_LENGTH)
}

export function createShareLinks(parts: Parts): ShareLinks {
  const { db, clock, isOn, passwords } = parts
  return {
    isOn,
    ...createShareOpener(parts),

    async create(viewer, subject, { days, password }, actor) {
      if (!isOn) throw new ServiceError('sharing_off')
      if (password !== undefined) await refuseWeakPassword(password, 'password')
      const passwordHash = password === undefined ? null : await passwords.hash(password)
      const secret = newShareSecret()
      const id = newId('share')
      const now = clock.now()
      return db.transaction().execute(async (tx) => {
        const locked = await lockSubject(tx, subject)
        // Making the project private ends its links, but would miss a link that is stored afterwards.
        await lockProjectAccess(tx, locked.project, 'use', now)
        const values = {
          id,
          secret_hash: sha256(secret),
          ...locked,
          password_hash: passwordHash,
          created_by: actor.name,
          creator_id: memberIdOf(viewer),
          created_at: now,
          expires_at: new Date(now.getTime() + days * DAY_MS),
        }
        await requireAccess(tx, viewer, toManagedSubject(subject))
        await tx.insertInto('share_link').values(values).execute()
        // Not a document's path: admins read the audit log, but may not see content of private projects.
        const shared = 'meetingId' in subject ? subject.meetingId : subject.project
        await appendAudit(tx, now, actor, 'share link created', id, shared)
        const [share] = await selectShares(tx, now, { id })
        if (share === undefined) throw new ServiceError('share_not_found')
        return { share, secret }
      })
    },

    list: (scope) => selectShares(db, clock.now(), scope),

    async revoke(scope, id, actor) {
      const now = clock.now()
      await db.transaction().execute(async (tx) => {
        const { numUpdatedRows } = await tx
          .updateTable('share_link')
          .set({ ended_at: now, end_reason: 'revoked' })
          .where('id', '=', id)
          .where('ended_at', 'is', null)
          .where((eb) =>
            'meetingId' in scope
              ? eb('meeting_id', '=', scope.meetingId)
              : eb('project', '=', scope.project),
          )
          .executeTakeFirstOrThrow()
        if (numUpdatedRows === 0n) throw new ServiceError('share_not_found')
        await appendAudit(tx, now, actor, 'share link revoked', id)
      })
    },
  }
}

function toManagedSubject(subject: SharedSubject): SubjectRef {
  return 'meetingId' in subject
    ? { kind: 'meeting', id: subject.meetingId, action: 'manage' }
    : { kind: 'project', id: subject.project, action: 'manage' }
}

/** Locks a meeting, so that it can't be moved or removed before its link is stored. */
async function lockSubject(tx: Tx, subject: SharedSubject) {
  if ('path' in subject) return { ...subject, meeting_id: null }
  const meeting = await tx
    .selectFrom('meeting')
    .select('project')
    .where('id', '=', subject.meetingId)
    .forKeyShare()
    .executeTakeFirst()
  if (meeting === undefined) throw new ServiceError('meeting_not_found')
  return { project: meeting.project, meeting_id: subject.meetingId, path: null }
}

type ShareRow = Omit<ShareLink, 'state'> & CreatorFacts & { endReason: ShareEndReason | null }

async function selectShares(
  db: Db,
  now: Date,
  scope: ShareScope | { id: string },
): Promise<ShareLink[]> {
  const { rows } = await sql<ShareRow>`
    select s.id, s.project, s.meeting_id as "meetingId",
      case when m.project = s.project then coalesce(m.title, m.recap_title, m.label) end as title, s.path, s.password_hash is not null as "hasPassword",
      u.name as "createdBy", s.created_at as "createdAt", s.expires_at as "expiresAt", s.ended_at as "endedAt",
      s.end_reason as "endReason", s.use_count as "useCount", s.last_used_at as "lastUsedAt",
      s.recipient, ${SELECT_CREATOR_FACTS}
    from share_link s left join meeting m on m.id = s.meeting_id ${CREATOR_FACTS_JOINS}
    where ${scopeCondition(scope)} order by s.created_at desc, s.id`.execute(db)
  return rows.map((row) => ({ ...row, state: stateOf(row, now) }))
}

function scopeCondition(scope: ShareScope | { id: string }) {
  if ('id' in scope) return sql<boolean>`s.id = ${scope.id}`
  if ('meetingId' in scope) return sql<boolean>`s.meeting_id = ${scope.meetingId}`
  const { project, path } = scope
  return path === undefined
    ? sql<boolean>`s.project = ${project}`
    : sql<boolean>`s.project = ${project} and s.path = ${path}`
}

function stateOf(row: ShareRow, now: Date): ShareState {
  if (row.endReason !== null) return row.endReason
  if (row.expiresAt <= now) return 'expired'
  return findCreatorProblem(row) ?? 'active'
}
