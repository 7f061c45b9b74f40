import { ServiceError } from '../../errors.ts'
import type { Clock } from '../../lib/time/clock.ts'
import { sha256, sha256Base64 } from '../../lib/crypto/digest.ts'
import { newId } from '../../lib/crypto/random.ts'
import type { SecretBox } from '../../lib/crypto/secret-box.ts'
import type { Log } from '../../log.ts'
import type { Db } from '../../db/database.ts'
import { appendAudit, type Actor } from '../audit.ts'
import { createApiKeyCache } from './key-cache.ts'
import {
  isWellFormedKey,
  extractApiKeyHints,
  newApiKey,
  newSigningSecret,
} from './api-key-format.ts'
import type { ApiTokenScope } from '../roles.ts'
import { countUsableTokensByCreator, lockCreatorAndReadName } from './token-creators.ts'
import { refuseOtherUsersToken, type TokenManager } from './token-managers.ts'
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
  /** User id of the creator; null for the command line. */
  creatorId: string | null
}
export type CreatedApiToken = { token: ApiToken; apiKey: string; signingSecret: string }

export interface ApiTokens {
  /** The returned API key and signing secret are never shown again. */
  create(token: NewApiToken, actor: Actor): Promise<CreatedApiToken>
  list(): Promise<ApiToken[]>
  get(id: string): Promise<ApiToken>
  revoke(id: string, manager: TokenManager): Promise<ApiToken>
  /** The number of active tokens each user created, by user id. */
  countActive(): Promise<ReadonlyMap<string, number>>
  /** Drops tokens from this node's cache after they were revoked elsewhere, for example with their creator. */
  invalidate(ids: readonly string[]): void
  /** Returns the token of a valid API key, otherwise null. A key used within the last second needs no database query. */
  verify(apiKey: string, ip: string): Promise<ApiToken | null>
}

type Parts = { db: Db; clock: Clock; secretBox: SecretBox; log: Log }

export function createApiTokens({ db, clock, secretBox, log }: Parts): ApiTokens {
  const cache = createApiKeyCache((key) => findTokenByHash(db, Buffer.from(key, 'base64')))
  const lastUsedMarks = new Map<string, number>()

  /** Stores the last use of a token in the background, at most once a minute, so that the request does not wait for it. */
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

  const invalidate = (ids: readonly string[]) => cache.invalidate(({ id }) => ids.includes(id))

  return {
    async create({ name, scopes, expiresAt, creatorId }, actor) {
      if (expiresAt !== null && expiresAt <= clock.now()) throw expiryInPastError()
      const id = newId('tok')
      const apiKey = newApiKey()
      const signingSecret = newSigningSecret()
      const { prefix, last4 } = extractApiKeyHints(apiKey)
      await db.transaction().execute(async (tx) => {
        const createdByName =
          creatorId === null ? null : await lockCreatorAndReadName(tx, creatorId)
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
            created_by: creatorId,
            created_by_name: createdByName,
            created_at: clock.now(),
            expires_at: expiresAt,
          })
          .execute()
        await appendAudit(tx, clock.now(), actor, 'token created', id)
      })
      return { token: await get(id), apiKey, signingSecret }
    },

    list: () => listTokens(db),

    get,

    countActive: () => countUsableTokensByCreator(db, clock.now()),

    invalidate,

    async revoke(id, manager) {
      await db.transaction().execute(async (tx) => {
        const token = await findToken(tx, id)
        if (token === null) throw new ServiceError('token_not_found')
        refuseOtherUsersToken(token, manager)
        const { numUpdatedRows } = await tx
          .updateTable('api_token')
          .set({ revoked_at: clock.now() })
          .where('id', '=', id)
          .where('revoked_at', 'is', null)
          .executeTakeFirstOrThrow()
        if (numUpdatedRows > 0n) await appendAudit(tx, clock.now(), manager, 'token revoked', id)
      })
      invalidate([id])
      return get(id)
    },

    async verify(apiKey, ip) {
      if (!isWellFormedKey(apiKey)) return null
      const token = await cache.get(sha256Base64(apiKey))
      if (token === null || token.revokedAt !== null) return null
      if (token.expiresAt !== null && token.expiresAt <= clock.now()) return null
      markUsed(token, ip)
      return token
    },
  }
}

function expiryInPastError(): ServiceError {
  return new ServiceError('invalid_request', {
    details: [{ path: 'expiresAt', message: 'Must be in the future' }],
  })
}
