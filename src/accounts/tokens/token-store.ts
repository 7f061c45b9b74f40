import type { Db } from '../../db/database.ts'
import { isTransientDatabaseError } from '../../db/transient-errors.ts'
import type { SecretBox } from '../../lib/crypto.ts'
import type { Clock } from '../../lib/time/clock.ts'
import type { OAuthAudience } from '../oauth/server-metadata.ts'
import type { ApiTokenKind, ApiTokenScope, Role } from '../roles.ts'

export type ApiToken = {
  id: string
  name: string
  keyPrefix: string
  keyLast4: string
  scopes: ApiTokenScope[] | null
  kind: ApiTokenKind
  /** The only projects that the token may use. Null for all. */
  projects: string[] | null
  /** True if the token may not use private projects. */
  isTeamOnly: boolean
  createdAt: Date
  /** The name of the token's creator, even after that user was removed. Null for the command line. */
  createdBy: string | null
  /** The user who created the token. Null for the command line, and after that user was removed. */
  creatorId: string | null
  /** The creator's current role. Null if there is no such active user. */
  creatorRole: Role | null
  lastUsedAt: Date | null
  lastUsedFrom: string | null
  expiresAt: Date | null
  revokedAt: Date | null
  /** When the next signing secret was created. Null if none is pending. */
  nextSecretSince: Date | null
  /** When the next signing secret is activated automatically. Null if none is pending. */
  nextSecretDue: Date | null
  /** Until when the previous signing secret is also valid. Null if there is none. */
  oldSecretUntil: Date | null
  /** Null for a token with an API key. */
  assistant: ConnectedAssistant | null
}

/** An assistant that a person connected by OAuth. Its access tokens are the keys of the API token. */
export type ConnectedAssistant = {
  /** The host that received the authorization code. */
  host: string
  /** True if that host also publishes the assistant's name. */
  isVerified: boolean
  audience: OAuthAudience
}

/** The secret that signs callbacks, and others that are also valid during a rotation. */
export type TokenSigningSecrets = { signing: string; alsoValid: string[] }

/** A pending secret is activated automatically after this time. The previous secret stays valid for as long again. */
export const ROTATION_GRACE_PERIOD_MS = 24 * 60 * 60 * 1000
/** Every node sees a changed secret after at most this time. */
const CACHE_MS = 2_000
const MAX_CACHED = 1_000
/** How long cached secrets are used while the database is unreachable. Its writes are retried for the same time. */
const STALE_ON_ERROR_MS = 60_000

type CachedSecrets = {
  requestedAt: number
  readAt: number
  secrets: Promise<TokenSigningSecrets | null>
}

type SecretRow = {
  signing_secret: Buffer
  next_secret: Buffer | null
  next_secret_at: Date | null
  old_secret: Buffer | null
  old_secret_until: Date | null
}

export async function findTokenByHash(db: Db, keyHash: Buffer): Promise<ApiToken | null> {
  const row = await selectTokens(db).where('api_token.key_hash', '=', keyHash).executeTakeFirst()
  return row === undefined ? null : toToken(row)
}

/** The token of a connected assistant, by an access token that is valid at this time. */
export async function findTokenByAccessTokenHash(
  db: Db,
  hash: Buffer,
  now: Date,
): Promise<ApiToken | null> {
  const row = await selectTokens(db)
    .where('api_token.id', '=', (eb) =>
      eb
        .selectFrom('oauth_secret')
        .select('token_id')
        .where('hash', '=', hash)
        .where('kind', '=', 'access')
        .where('oauth_secret.expires_at', '>', now),
    )
    .executeTakeFirst()
  return row === undefined ? null : toToken(row)
}

export async function findToken(db: Db, id: string): Promise<ApiToken | null> {
  const row = await selectTokens(db).where('api_token.id', '=', id).executeTakeFirst()
  return row === undefined ? null : toToken(row)
}

/** All tokens, except assistants that have not fetched their first access token. */
export async function listTokens(db: Db): Promise<ApiToken[]> {
  const rows = await selectTokens(db)
    .where((eb) => eb.or([eb('audience', 'is', null), eb('redeemed_at', 'is not', null)]))
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
    .leftJoin('app_user', (join) =>
      join
        .onRef('app_user.id', '=', 'api_token.created_by')
        .on('app_user.deactivated_at', 'is', null),
    )
    .leftJoin('oauth_grant', 'oauth_grant.token_id', 'api_token.id')
    .select(['api_token.id', 'api_token.name', 'key_prefix', 'key_last4', 'scopes', 'kind'])
    .select(['projects', 'team_only', 'api_token.created_at', 'created_by', 'created_by_name'])
    .select(['last_used_at', 'last_used_from', 'expires_at', 'revoked_at', 'next_secret_at'])
    .select(['old_secret_until', 'app_user.role as creator_role'])
    .select(['redirect_uri', 'is_verified', 'audience'])
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
    assistant: toConnectedAssistant(row),
  }
}

function toConnectedAssistant({ redirect_uri, is_verified, audience }: TokenRow) {
  if (redirect_uri === null || is_verified === null || audience === null) return null
  return { host: new URL(redirect_uri).host, isVerified: is_verified, audience }
}

/** Reads a token's signing secrets, even of a revoked token, because its running meetings still send callbacks. */
export function createSigningSecretReader(
  { db, clock, secretBox }: { db: Db; clock: Clock; secretBox: SecretBox },
  elapsed: () => number = () => performance.now(),
) {
  const cache = new Map<string, CachedSecrets>()

  const read = async (tokenId: string): Promise<TokenSigningSecrets | null> => {
    const row = await db
      .selectFrom('api_token')
      .select(['signing_secret', 'next_secret', 'next_secret_at', 'old_secret', 'old_secret_until'])
      .where('id', '=', tokenId)
      .executeTakeFirst()
    if (row === undefined) return null
    const { signing, others } = secretsInForce(clock.now(), row)
    const open = (sealed: Buffer) => secretBox.open(sealed, tokenId)
    return { signing: open(signing), alsoValid: others.map(open) }
  }

  const load = (tokenId: string, cached: CachedSecrets | undefined): CachedSecrets => {
    const orCached = (error: unknown) => {
      const isUsable = cached !== undefined && elapsed() - cached.readAt < STALE_ON_ERROR_MS
      if (!isUsable || !isTransientDatabaseError(error)) throw error
      Object.assign(loading, { requestedAt: elapsed(), readAt: cached.readAt })
      return cached.secrets
    }
    const now = elapsed()
    const loading = { requestedAt: now, readAt: now, secrets: read(tokenId).catch(orCached) }
    return loading
  }

  return async (tokenId: string): Promise<TokenSigningSecrets | null> => {
    const cached = cache.get(tokenId)
    if (cached !== undefined && elapsed() - cached.requestedAt < CACHE_MS) return cached.secrets
    if (cache.size >= MAX_CACHED) cache.clear()
    const loading = load(tokenId, cached)
    cache.set(tokenId, loading)
    try {
      return await loading.secrets
    } catch (error) {
      cache.delete(tokenId)
      throw error
    }
  }
}

function addRotationGracePeriod(date: Date): Date {
  return new Date(date.getTime() + ROTATION_GRACE_PERIOD_MS)
}

/** A pending secret signs as soon as it is due, even before the maintenance job has stored the activation. */
function secretsInForce(now: Date, row: SecretRow): { signing: Buffer; others: Buffer[] } {
  const { signing_secret: current, next_secret: next, next_secret_at: since } = row
  const due = since === null ? null : addRotationGracePeriod(since)
  if (next !== null && due !== null && due <= now) {
    return { signing: next, others: addRotationGracePeriod(due) > now ? [current] : [] }
  }
  const old = row.old_secret_until !== null && row.old_secret_until > now ? row.old_secret : null
  return { signing: current, others: [next, old].filter((sealed) => sealed !== null) }
}
