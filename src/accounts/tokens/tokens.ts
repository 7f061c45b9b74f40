import type { Db } from '../../db/database.ts'
import { ServiceError } from '../../errors.ts'
import { type SecretBox, sha256, sha256Base64, newId } from '../../lib/crypto.ts'
import type { Clock } from '../../lib/time/clock.ts'
import type { Log } from '../../log.ts'
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
import { countUsableTokensByCreator, lockCreator } from './token-creators.ts'
import {
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

export interface ApiTokens {
  /** The returned API key and signing secret are never shown again. */
  create(token: NewApiToken, actor: Actor): Promise<CreatedApiToken>
  list(): Promise<ApiToken[]>
  get(id: string): Promise<ApiToken>
  revoke(id: string, actor: Actor): Promise<ApiToken>
  /** The number of active tokens that each user created, by user id. */
  countActive(kind?: ApiTokenKind): Promise<ReadonlyMap<string, number>>
  /** Drops a user's tokens from this node's cache, after the user was removed, got another role or lost tokens. */
  invalidateCreatedBy(userId: string): void
  /**
   * Returns the token of a valid API key, otherwise null. A key used within the last second needs no database query,
   * unless its cached state is older than `maxAgeMs`.
   */
  verify(apiKey: string, ip: string, maxAgeMs?: number): Promise<ApiToken | null>
}

type Parts = { db: Db; clock: Clock; secretBox: SecretBox; log: Log }

export function createApiTokens({ db, clock, secretBox, log }: Parts): ApiTokens {
  const cache = createApiKeyCache((key) => findTokenByHash(db, Buffer.from(key, 'base64')))
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
    async create({ name, scopes, expiresAt, kind, projects = null, creatorId, session }, actor) {
      if (session !== undefined) requireRecentSignIn(session, clock.now())
      if (expiresAt !== null && expiresAt <= clock.now()) throw expiryInPastError()
      const tokenKind = kind ?? (creatorId === null ? 'service' : 'personal')
      const id = newId('tok')
      const apiKey = newApiKey()
      const signingSecret = newSigningSecret()
      const { prefix, last4 } = extractApiKeyHints(apiKey)
      await db.transaction().execute(async (tx) => {
        const creator = creatorId === null ? null : await lockCreator(tx, creatorId)
        if (session !== undefined) await requireOpenSession(tx, session)
        // The creator may have been demoted since the request was accepted.
        if (tokenKind === 'service' && creator !== null && creator.role !== 'admin')
          throw new ServiceError('forbidden')
        await tx
          .insertInto('api_token')
          .values({
            id,
            name,
            key_hash: sha256(apiKey),
            key_prefix: prefix,
            key_last4: last4,
            signing_secret: secretBox.seal(signingSecret, id),
            scopes,
            kind: tokenKind,
            projects,
            created_by: creatorId,
            created_by_name: creator?.name ?? null,
            created_at: clock.now(),
            expires_at: expiresAt,
          })
          .execute()
        const detail = describeRights({ kind: tokenKind, scopes, projects })
        await appendAudit(tx, clock.now(), actor, 'token created', id, detail)
      })
      return { token: await get(id), apiKey, signingSecret }
    },

    list: () => listTokens(db),

    get,

    countActive: (kind) => countUsableTokensByCreator(db, clock.now(), kind),

    invalidateCreatedBy: (userId) => cache.invalidate(({ creatorId }) => creatorId === userId),

    async revoke(id, actor) {
      await db.transaction().execute(async (tx) => {
        const token = await findToken(tx, id)
        if (token === null) throw new ServiceError('token_not_found')
        const { numUpdatedRows } = await tx
          .updateTable('api_token')
          .set({ revoked_at: clock.now() })
          .where('id', '=', id)
          .where('revoked_at', 'is', null)
          .executeTakeFirstOrThrow()
        if (numUpdatedRows > 0n) await appendAudit(tx, clock.now(), actor, 'token revoked', id)
      })
      cache.invalidate((token) => token.id === id)
      return get(id)
    },

    async verify(apiKey, ip, maxAgeMs) {
      if (!isWellFormedKey(apiKey)) return null
      const token = await cache.get(sha256Base64(apiKey), maxAgeMs)
      if (token === null || token.revokedAt !== null) return null
      if (token.expiresAt !== null && token.expiresAt <= clock.now()) return null
      // A personal token ends with its creator.
      if (token.kind === 'personal' && token.creatorRole === null) return null
      markUsed(token, ip)
      return token
    },
  }
}

/** The caller has locked the user. A password reset since the request was accepted has ended the session. */
async function requireOpenSession(tx: Db, { id }: Session): Promise<void> {
  const found = await tx.selectFrom('session').select('id').where('id', '=', id).executeTakeFirst()
  if (found === undefined) throw new ServiceError('not_signed_in')
}

/** The rights of a new token, for the audit log. */
function describeRights({
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
