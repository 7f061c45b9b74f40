import type { Db } from '../db/database.ts'

/** Who did something: `user:<id>`, `token:<id>`, `command line`, `upkeep`, or `nobody` before sign-in. */
export type Actor = { name: string; ip: string | null }

export const COMMAND_LINE: Actor = { name: 'command line', ip: null }
export const MAINTENANCE: Actor = { name: 'upkeep', ip: null }

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

/** One row for each act, in the transaction of the act. */
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

/** When something was last done, and to what; null when it never was. */
export async function findLastAuditEntry(
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
