import type { Db } from '../db/database.ts'

/** Who performed an audited action: `user:<id>`, `token:<id>`, `command line`, `upkeep` (maintenance), or `nobody` before sign-in. */
export type Actor = { name: string; ip: string | null }

export const COMMAND_LINE_ACTOR: Actor = { name: 'command line', ip: null }
export const MAINTENANCE_ACTOR: Actor = { name: 'upkeep', ip: null }

export type AuditAction =
  | 'user created'
  | 'user removed'
  | 'user invited'
  | 'invitation withdrawn'
  | 'signed in'
  | 'sign-in failed'
  | 'signed out'
  | 'session ended'
  | 'sessions ended'
  | 'profile changed'
  | 'password changed'
  | 'token created'
  | 'token revoked'
  | 'next secret created'
  | 'next secret activated'
  | 'next secret cancelled'
  | 'bot account added'
  | 'bot account renewed'
  | 'bot account removed'
  | 'backup made'

/** Adds one audit row, in the same transaction as the action it records. */
export async function appendAudit(
  db: Db,
  at: Date,
  actor: Actor,
  action: AuditAction,
  object: string | null = null,
): Promise<void> {
  await db
    .insertInto('audit')
    .values({ at, actor: actor.name, ip: actor.ip, action, object })
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
