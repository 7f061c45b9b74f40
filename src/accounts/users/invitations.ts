import type { AreaContext } from '../../db/context.ts'
import type { Db } from '../../db/database.ts'
import { ServiceError } from '../../errors.ts'
import { sha256, newId, randomBase62 } from '../../lib/crypto.ts'
import { addSecondsToDate } from '../../lib/time/clock.ts'
import { appendAudit, type Actor } from '../audit.ts'
import type { Role } from '../roles.ts'

export const SETUP_SECONDS = 3_600
const INVITE_SECONDS = 7 * 24 * 3_600

export type Invitation = {
  id: string
  email: string | null
  role: Role
  createdAt: Date
  expiresAt: Date
}

export type NewInvitation = { email: string | null; role: Role; creatorId: string | null }

/** Stores mail with new links, in the transaction that creates them. */
export interface LinkMailer {
  invitation(tx: Db, link: { id: string; email: string; code: string }): Promise<void>
  passwordReset(tx: Db, link: { userId: string; code: string }): Promise<void>
}

type Parts = AreaContext & {
  /** Absent if this instance sends no mail. */
  linkMailer?: LinkMailer | undefined
  /** Throws if people sign in only with a provider, because an invitation creates an account with a password. */
  requireLocalSignIn(): void
}

export function createInvitations({ db, clock, linkMailer, requireLocalSignIn }: Parts) {
  const insert = async (tx: Db, kind: 'setup' | 'invite', row: NewInvitation) => {
    const code = randomBase62(43)
    const seconds = kind === 'setup' ? SETUP_SECONDS : INVITE_SECONDS
    const inserted = await tx
      .insertInto('invitation')
      .values({
        id: newId('inv'),
        kind,
        code_hash: sha256(code),
        email: row.email,
        role: row.role,
        created_by: row.creatorId,
        created_at: clock.now(),
        expires_at: addSecondsToDate(clock.now(), seconds),
      })
      .returning(columns)
      .executeTakeFirstOrThrow()
    return { code, invitation: toInvitation(inserted) }
  }
  return {
    /** Creates the link for the first user. The database stores only the hash of the returned code. */
    async createSetupLink(): Promise<{ code: string }> {
      return insert(db, 'setup', { email: null, role: 'admin', creatorId: null })
    },

    async create(invite: NewInvitation, actor: Actor) {
      requireLocalSignIn()
      return db.transaction().execute(async (tx) => {
        await lockAdminWhoCreatesLink(tx, invite.creatorId)
        const created = await insert(tx, 'invite', invite)
        const { email } = invite
        const { invitation, code } = created
        if (email !== null) await linkMailer?.invitation(tx, { id: invitation.id, email, code })
        const detail = `${email ?? 'anyone'}, ${invite.role}`
        await appendAudit(tx, clock.now(), actor, 'user invited', invitation.id, detail)
        return created
      })
    },

    async list(): Promise<Invitation[]> {
      const rows = await db
        .selectFrom('invitation')
        .select(columns)
        .where('kind', '=', 'invite')
        .where('expires_at', '>', clock.now())
        .orderBy('created_at', 'desc')
        .execute()
      return rows.map(toInvitation)
    },

    async check(code: string): Promise<Invitation> {
      requireLocalSignIn()
      const invitation = await findOpenInvitation(db, code, clock.now())
      if (invitation === null) throw new ServiceError('invalid_code')
      return invitation
    },

    /** Returns the invitation of a code and deletes it, so that the code works only once. */
    async redeem(tx: Db, kind: 'setup' | 'invite', code: string): Promise<Invitation> {
      const row = await tx
        .deleteFrom('invitation')
        .where('kind', '=', kind)
        .where('code_hash', '=', sha256(code))
        .where('expires_at', '>', clock.now())
        .returning(columns)
        .executeTakeFirst()
      if (row === undefined) throw new ServiceError('invalid_code')
      return toInvitation(row)
    },

    async withdraw(id: string, actor: Actor): Promise<void> {
      await db.transaction().execute(async (tx) => {
        const { numDeletedRows } = await tx
          .deleteFrom('invitation')
          .where('id', '=', id)
          .where('kind', '=', 'invite')
          .executeTakeFirstOrThrow()
        if (numDeletedRows === 0n) throw new ServiceError('invitation_not_found')
        await appendAudit(tx, clock.now(), actor, 'invitation withdrawn', id)
      })
    },
  }
}

export type Invitations = ReturnType<typeof createInvitations>

/** The invitation of a link that can be used. Null if there is none. */
export async function findOpenInvitation(
  db: Db,
  code: string,
  now: Date,
): Promise<Invitation | null> {
  const row = await db
    .selectFrom('invitation')
    .select(columns)
    .where('kind', '=', 'invite')
    .where('code_hash', '=', sha256(code))
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return row === undefined ? null : toInvitation(row)
}

export async function deleteExpiredInvitations(db: Db, now: Date): Promise<void> {
  await db.deleteFrom('invitation').where('expires_at', '<', now).execute()
}

const columns = ['id', 'email', 'role', 'created_at', 'expires_at'] as const

type InvitationRow = {
  id: string
  email: string | null
  role: Role
  created_at: Date
  expires_at: Date
}

function toInvitation(row: InvitationRow): Invitation {
  return {
    id: row.id,
    email: row.email,
    role: row.role,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
  }
}

/**
 * Refuses to create an invitation or a reset link for a user who is no longer an admin. Locks the user's row, so that a
 * simultaneous demotion either waits for the link and deletes it, or comes first and prevents it. Null is the command
 * line.
 */
export async function lockAdminWhoCreatesLink(tx: Db, creatorId: string | null): Promise<void> {
  if (creatorId === null) return
  const creator = await tx
    .selectFrom('app_user')
    .select('role')
    .where('id', '=', creatorId)
    .where('deactivated_at', 'is', null)
    .forShare()
    .executeTakeFirst()
  if (creator?.role !== 'admin') throw new ServiceError('forbidden')
}

/** Deletes the open invitations and reset links of a user who is no longer an admin. */
export async function withdrawLinksCreatedBy(
  tx: Db,
  userId: string,
  { at, actor }: { at: Date; actor: Actor },
): Promise<void> {
  const invitations = await tx
    .deleteFrom('invitation')
    .where('created_by', '=', userId)
    .returning('id')
    .execute()
  for (const { id } of invitations) await appendAudit(tx, at, actor, 'invitation withdrawn', id)
  const resets = await tx
    .deleteFrom('password_reset')
    .where('created_by', '=', userId)
    .returning('user_id')
    .execute()
  for (const reset of resets)
    await appendAudit(tx, at, actor, 'reset link withdrawn', reset.user_id)
}
