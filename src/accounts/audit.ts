import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../db/database.ts'
import { cutRowsToPage, invalidCursorError, parseCursorOrThrow } from '../db/page-cursor.ts'
import type { AuditAction } from './audit-actions.ts'

export type { AuditAction } from './audit-actions.ts'

/**
 * The actor of an audited action: `user:<id>`, `token:<id>`, `command line`, `upkeep` (maintenance), `sign-in provider`
 * (for changes by its groups), `provisioning`, or `nobody` before sign-in.
 */
export type Actor = { name: string; ip: string | null }

export const COMMAND_LINE_ACTOR: Actor = { name: 'command line', ip: null }
export const MAINTENANCE_ACTOR: Actor = { name: 'upkeep', ip: null }
export const SIGN_IN_PROVIDER = 'sign-in provider'
/** A client that provisions users and groups. */
export const PROVISIONING = 'provisioning'

export type AuditEntry = {
  id: string
  at: Date
  actor: string
  /** The current name of the user or token that acted. Null for other actors and after it was removed. */
  actorName: string | null
  /** The current email address of the user that acted. For a removed user, the last one. */
  actorEmail: string | null
  action: string
  object: string | null
  /** The current name of the user or token that the action changed. */
  objectName: string | null
  /** The current email address of the user that the action changed. For a removed user, the last one. */
  objectEmail: string | null
  detail: string | null
  ip: string | null
}

type AuditFilter = {
  actor?: string | undefined
  action?: AuditAction | undefined
  object?: string | undefined
  /** Entries from this time on. */
  from?: Date | undefined
  /** Entries before this time. */
  to?: Date | undefined
}

const STREAM_PORTION = 1_000
/** The largest bigint has 19 digits. A longer number would be a database error. */
const ENTRY_ID = /^\d{1,18}$/

/** The detail of a removal ends like `<ada@example.com>, member`; see describeUser. */
const EMAIL_IN_DETAIL = '<([^<>]+)>, [a-z]+$'

/** Adds one audit row in the same transaction as its action. `detail` says what changed. */
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

/** The newest audit row of this action. Null if there is none. */
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

export function createAuditLog({ db }: { db: Db }) {
  const read = (filter: AuditFilter, limit: number, beforeId: string | null) => {
    let query = selectEntries(db).orderBy('audit.id', 'desc').limit(limit)
    if (beforeId !== null) query = query.where('audit.id', '<', beforeId)
    if (filter.actor !== undefined) query = query.where('audit.actor', '=', filter.actor)
    if (filter.action !== undefined) query = query.where('audit.action', '=', filter.action)
    if (filter.object !== undefined) query = query.where('audit.object', '=', filter.object)
    if (filter.from !== undefined) query = query.where('audit.at', '>=', filter.from)
    if (filter.to !== undefined) query = query.where('audit.at', '<', filter.to)
    return query.execute()
  }
  return {
    /** The newest entries first. */
    async list(filter: AuditFilter, limit: number, cursor?: string) {
      const beforeId = cursor === undefined ? null : parseEntryCursor(cursor)
      return cutRowsToPage(await read(filter, limit + 1, beforeId), limit, ({ id }) => [id])
    },
    /** All matching entries, newest first, read in portions so that they need not fit into memory. */
    async *stream(filter: AuditFilter): AsyncGenerator<AuditEntry> {
      let beforeId: string | null = null
      while (true) {
        const entries: AuditEntry[] = await read(filter, STREAM_PORTION, beforeId)
        yield* entries
        const last = entries.at(-1)
        if (last === undefined || entries.length < STREAM_PORTION) return
        beforeId = last.id
      }
    },
  }
}

export type AuditLog = ReturnType<typeof createAuditLog>

function selectEntries(db: Db) {
  return db
    .selectFrom('audit')
    .leftJoin('app_user as acting_user', (join) =>
      join.on(sql`'user:' || acting_user.id`, '=', sql.ref('audit.actor')),
    )
    .leftJoin('api_token as acting_token', (join) =>
      join.on(sql`'token:' || acting_token.id`, '=', sql.ref('audit.actor')),
    )
    .leftJoin('app_user as changed_user', 'changed_user.id', 'audit.object')
    .leftJoin('api_token as changed_token', 'changed_token.id', 'audit.object')
    .select(['audit.id', 'audit.at', 'audit.actor', 'audit.action', 'audit.object'])
    .select(['audit.detail', 'audit.ip'])
    .select((eb) => [
      eb.fn.coalesce('acting_user.name', 'acting_token.name').as('actorName'),
      eb.fn
        .coalesce('acting_user.email', selectEmailOfRemovedUser(sql`substr(audit.actor, 6)`))
        .as('actorEmail'),
      eb.fn.coalesce('changed_user.name', 'changed_token.name').as('objectName'),
      eb.fn
        .coalesce('changed_user.email', selectEmailOfRemovedUser(sql.ref('audit.object')))
        .as('objectEmail'),
    ])
}

/** A removed user has no row, so the email address comes from the entry about the removal. */
function selectEmailOfRemovedUser(userId: RawBuilder<unknown>): RawBuilder<string | null> {
  return sql<
    string | null
  >`(select substring(removal.detail from ${EMAIL_IN_DETAIL}) from audit removal
    where removal.object = ${userId} and removal.action = 'user removed' order by removal.id limit 1)`
}

function parseEntryCursor(cursor: string): string {
  const [id = ''] = parseCursorOrThrow(cursor, 1)
  if (!ENTRY_ID.test(id)) throw invalidCursorError()
  return id
}
