import type { Db } from '../../db/database.ts'
import type { ApiTokenKind, ApiTokenScope, Role } from '../roles.ts'
import { addRotationGracePeriod } from './signing-secrets.ts'

export type ApiToken = {
  id: string
  name: string
  keyPrefix: string
  keyLast4: string
  scopes: ApiTokenScope[] | null
  kind: ApiTokenKind
  /** The only projects that the token may use; null for all. */
  projects: string[] | null
  /** Whether the token uses no private project. */
  isTeamOnly: boolean
  createdAt: Date
  /** The name of the user who created the token, also after that user was removed; null for the command line. */
  createdBy: string | null
  /** The user who created the token; null for the command line, and after that user was removed. */
  creatorId: string | null
  /** The role that this user has now; null when there is no such user. */
  creatorRole: Role | null
  lastUsedAt: Date | null
  lastUsedFrom: string | null
  expiresAt: Date | null
  revokedAt: Date | null
  /** When the next signing secret was created; null when none is pending. */
  nextSecretSince: Date | null
  /** When the next signing secret is activated automatically; null when none is pending. */
  nextSecretDue: Date | null
  /** Until when the previous signing secret is also valid; null when there is none. */
  oldSecretUntil: Date | null
}

export async function findTokenByHash(db: Db, keyHash: Buffer): Promise<ApiToken | null> {
  const row = await selectTokens(db).where('api_token.key_hash', '=', keyHash).executeTakeFirst()
  return row === undefined ? null : toToken(row)
}

export async function findToken(db: Db, id: string): Promise<ApiToken | null> {
  const row = await selectTokens(db).where('api_token.id', '=', id).executeTakeFirst()
  return row === undefined ? null : toToken(row)
}

export async function listTokens(db: Db): Promise<ApiToken[]> {
  const rows = await selectTokens(db)
    .orderBy('api_token.created_at')
    .orderBy('api_token.id')
    .execute()
  return rows.map(toToken)
}

export async function markTokenUsed(db: Db, id: string, at: Date, clientIp: string): Promise<void> {
  await db
    .updateTable('api_token')
    .set({ last_used_at: at, last_used_from: clientIp })
    .where('id', '=', id)
    .execute()
}

function selectTokens(db: Db) {
  return db
    .selectFrom('api_token')
    .leftJoin('app_user', 'app_user.id', 'api_token.created_by')
    .select(['api_token.id', 'api_token.name', 'key_prefix', 'key_last4', 'scopes', 'kind'])
    .select(['projects', 'team_only', 'api_token.created_at', 'created_by', 'created_by_name'])
    .select(['last_used_at', 'last_used_from', 'expires_at', 'revoked_at', 'next_secret_at'])
    .select(['old_secret_until', 'app_user.role as creator_role'])
}

type TokenRow = Awaited<ReturnType<ReturnType<typeof selectTokens>['executeTakeFirstOrThrow']>>

function toToken(row: TokenRow): ApiToken {
  return {
    id: row.id,
    name: row.name,
    keyPrefix: row.key_prefix,
    keyLast4: row.key_last4,
    scopes: row.scopes,
    kind: row.kind,
    projects: row.projects,
    isTeamOnly: row.team_only,
    createdAt: row.created_at,
    createdBy: row.created_by_name,
    creatorId: row.created_by,
    creatorRole: row.creator_role,
    lastUsedAt: row.last_used_at,
    lastUsedFrom: row.last_used_from,
    expiresAt: row.expires_at,
    revokedAt: row.revoked_at,
    nextSecretSince: row.next_secret_at,
    nextSecretDue: row.next_secret_at === null ? null : addRotationGracePeriod(row.next_secret_at),
    oldSecretUntil: row.old_secret_until,
  }
}
