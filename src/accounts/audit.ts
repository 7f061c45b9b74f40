import type { Db } from '../db/database.ts'
import type { AuditAction } from './audit-actions.ts'

export type { AuditAction } from './audit-actions.ts'

/**
 * Who performed an audited action: `user:<id>`, `token:<id>`, `command line`, `upkeep` (maintenance), `sign-in provider`
 * (what its groups decide), or `nobody` before sign-in.
 */
export type Actor = { name: string; ip: string | null }

export const COMMAND_LINE_ACTOR: Actor = { name: 'command line', ip: null }
export const MAINTENANCE_ACTOR: Actor = { name: 'upkeep', ip: null }
export const SIGN_IN_PROVIDER = 'sign-in provider'

/** Adds one audit row, in the same transaction as the action it records. `detail` says what changed. */
export async function appendAudit(
  db: Db,
  at: Date,
  actor: Actor,
  action: AuditAction,
  object: string | null = null,
  detail: string | null = null,
): Promise<void> {
  await db
    .insertInto('audit')
    .values({ at, actor: actor.name, ip: actor.ip, action, object, detail })
    .execute()
}

/** The newest audit row with this action; null when there is none. */
export async function findLastAuditEntryByAction(
  db: Db,
  action: AuditAction,
): Promise<{ at: Date; object: string | null } | null> {
  const row = await db
    .selectFrom('audit')
    .select(['at', 'object'])
    .where('action', '=', action)
    .orderBy('at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row ?? null
}

/** The newest audit rows of one action about one thing, at most `limit`. */
export function listAuditEntriesOfObject(
  db: Db,
  { action, object, since }: { action: AuditAction; object: string; since: Date },
  limit: number,
): Promise<Array<{ at: Date; actor: string; detail: string | null }>> {
  return db
    .selectFrom('audit')
    .select(['at', 'actor', 'detail'])
    .where('action', '=', action)
    .where('object', '=', object)
    .where('at', '>', since)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}
