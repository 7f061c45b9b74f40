import { ServiceError } from '../../errors.ts'
import type { Db } from '../../db/database.ts'
import { appendAudit, type Actor } from '../audit.ts'

/**
 * Refuses to create an invitation or a reset link for a user who is not an admin any more. Locks the user's row, so that a
 * demotion at the same time either waits for the link and deletes it, or comes first and prevents it. Null is the command line.
 */
export async function lockAdminWhoCreatesLink(tx: Db, creatorId: string | null): Promise<void> {
  if (creatorId === null) return
  const creator = await tx
    .selectFrom('app_user')
    .select('role')
    .where('id', '=', creatorId)
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
