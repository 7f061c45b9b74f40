import type { AreaContext } from '../../db/context.ts'
import type { Db } from '../../db/database.ts'
import { ServiceError } from '../../errors.ts'
import { type SecretBox, sha256, sha256Base64, newId } from '../../lib/crypto.ts'
import { appendAudit, type Actor } from '../audit.ts'
import type { ApiTokenKind, ApiTokenScope } from '../roles.ts'
import type { Session } from '../sign-in/sessions.ts'
import { requireRecentSignIn } from '../sign-in/sign-in-methods.ts'
import {
  isWellFormedKey,
  extractApiKeyHints,
  newApiKey,
  newSigningSecret,
  createApiKeyCache,
} from './api-keys.ts'
import { countUsableTokensByCreator, lockCreator, revokeToken } from './token-creators.ts'
import {
  findTokenByAccessTokenHash,
  findTokenByHash,
  findToken,
  listTokens,
  markTokenUsed,
  type ApiToken,
} from './token-store.ts'

export type { ApiToken } from './token-store.ts'

const LAST_USED_INTERVAL_MS = 60_000

export type NewApiToken = {
  name: string
  scopes: ApiTokenScope[] | null
  expiresAt: Date | null
  /** Default: `personal`, or `service` without a creator. A personal token must have a creator. */
  kind?: ApiTokenKind | undefined
  /** The only projects that the token may use. Default: all. */
  projects?: string[] | null | undefined
  /** User id of the creator. Null for the command line. */
  creatorId: string | null
  /** The session where a person creates the token. It must be recent. */
  session?: Session | undefined
}
export type CreatedApiToken = { token: ApiToken; apiKey: string; signingSecret: string }

type Parts = AreaContext & {
  secretBox: SecretBox
  /** True if assistants that were connected by OAuth may call. */
  hasOAuth: boolean
}

export function createApiTokens({ db, clock, secretBox, log, hasOAuth }: Parts) {
  const cache = createApiKeyCache((key) => {
    const hash = Buffer.from(key.slice(2), 'base64')
    return key.startsWith('sk')
      ? findTokenByHash(db, hash)
      : findTokenByAccessTokenHash(db, hash, clock.now())
  })
  const lastUsedMarks = new Map<string, number>()

  /** Stores a token's last use in the background, at most once a minute, so that the request does not wait for it. */
  const markUsed = (token: ApiToken, ip: string) => {
    const now = performance.now()
    if (now - (lastUsedMarks.get(token.id) ?? -Infinity) < LAST_USED_INTERVAL_MS) return
    lastUsedMarks.set(token.id, now)
    markTokenUsed(db, token.id, clock.now(), ip).catch((error: unknown) => {
      log.warn({ err: error, tokenId: token.id }, 'failed to record last use of token')
    })
  }

  const get = async (id: string) => {
    const token = await findToken(db, id)
    if (token === null) throw new ServiceError('token_not_found')
    return token
  }

  return {
    /** The returned API key and signing secret are never shown again. */
    async create(
      { name, scopes, expiresAt, kind, projects = null, creatorId, session }: NewApiToken,
      actor: Actor,
    ) {
      if (session !== undefined) requireRecentSignIn(session, clock.now())
      if (expiresAt !== null && expiresAt <= clock.now()) throw expiryInPastError()
      const tokenKind = kind ?? (creatorId === null ? 'service' : 'personal')
      const id = newId('tok')
      const apiKey = newApiKey()
      const signingSecret = newSigningSecret()
      await db.transaction().execute(async (tx) => {
        const creator = creatorId === null ? null : await lockCreator(tx, creatorId)
        if (session !== undefined) await requireOpenSession(tx, session)
        // The creator may have been demoted since the request was accepted.
        if (tokenKind === 'service' && creator !== null && creator.role !== 'admin')
          throw new ServiceError('forbidden')
        await insertToken(tx, {
          id,
          name,
          scopes,
          projects,
          kind: tokenKind,
          apiKey,
          createdAt: clock.now(),
          signingSecret: secretBox.seal(signingSecret, id),
          creatorId,
          creatorName: creator?.name ?? null,
          expiresAt,
        })
        const detail = describeTokenRights({ kind: tokenKind, scopes, projects })
        await appendAudit(tx, clock.now(), actor, 'token created', id, detail)
      })
      return { token: await get(id), apiKey, signingSecret }
    },

    list: () => listTokens(db),

    get,

    /** The number of active tokens that each user created, by user id. */
    countActive: (kind?: ApiTokenKind) => countUsableTokensByCreator(db, clock.now(), kind),

    /** Drops a user's tokens from this node's cache, after the user was removed, got another role or lost tokens. */
    invalidateCreatedBy: (userId: string) =>
      cache.invalidate(({ creatorId }) => creatorId === userId),

    async revoke(id: string, actor: Actor): Promise<ApiToken> {
      await db.transaction().execute(async (tx) => {
        const token = await findToken(tx, id)
        if (token === null) throw new ServiceError('token_not_found')
        await revokeToken(tx, { tokenId: id, actor, now: clock.now() })
      })
      cache.invalidate((token) => token.id === id)
      return get(id)
    },

    /**
     * Returns the token of a valid API key, otherwise null. A key used within the last second needs no database query,
     * unless its cached state is older than `maxAgeMs`.
     */
    async verify(apiKey: string, ip: string, maxAgeMs?: number): Promise<ApiToken | null> {
      const kind = isWellFormedKey(apiKey) ? 'sk' : 'oa'
      if (kind === 'oa' && !(hasOAuth && isWellFormedKey(apiKey, kind))) return null
      const token = await cache.get(`${kind}${sha256Base64(apiKey)}`, maxAgeMs)
      if (token === null || token.revokedAt !== null) return null
      if (token.expiresAt !== null && token.expiresAt <= clock.now()) return null
      // A personal token ends with its creator.
      if (token.kind === 'personal' && token.creatorRole === null) return null
      markUsed(token, ip)
      return token
    },
  }
}

export type ApiTokens = ReturnType<typeof createApiTokens>

/** The caller has locked the user. A password reset since the request was accepted has ended the session. */
export async function requireOpenSession(tx: Db, { id }: Session): Promise<void> {
  const found = await tx.selectFrom('session').select('id').where('id', '=', id).executeTakeFirst()
  if (found === undefined) throw new ServiceError('not_signed_in')
}

type NewTokenRow = {
  id: string
  name: string
  apiKey: string
  /** Encrypted. */
  signingSecret: Buffer
  scopes: ApiTokenScope[] | null
  kind: ApiTokenKind
  projects: string[] | null
  creatorId: string | null
  creatorName: string | null
  createdAt: Date
  expiresAt: Date | null
}

export async function insertToken(tx: Db, token: NewTokenRow): Promise<void> {
  const { prefix, last4 } = extractApiKeyHints(token.apiKey)
  await tx
    .insertInto('api_token')
    .values({
      id: token.id,
      name: token.name,
      key_hash: sha256(token.apiKey),
      key_prefix: prefix,
      key_last4: last4,
      signing_secret: token.signingSecret,
      scopes: token.scopes,
      kind: token.kind,
      projects: token.projects,
      created_by: token.creatorId,
      created_by_name: token.creatorName,
      created_at: token.createdAt,
      expires_at: token.expiresAt,
    })
    .execute()
}

/** The rights of a new token, for the audit log. */
export function describeTokenRights({
  kind,
  scopes,
  projects,
}: Pick<ApiToken, 'kind' | 'scopes' | 'projects'>): string {
  const permissions = scopes === null ? 'all permissions' : `permissions ${scopes.join(', ')}`
  const where = projects === null ? 'all projects' : `projects ${projects.join(', ')}`
  return `${kind}; ${permissions}; ${where}`
}

function expiryInPastError(): ServiceError {
  return new ServiceError('invalid_request', {
    details: [{ path: 'expiresAt', message: 'Must be in the future' }],
  })
}
