import type { AreaContext } from '../../db/context.ts'
import type { Db } from '../../db/database.ts'
import { isSameSecret, sha256, type SecretBox } from '../../lib/crypto.ts'
import { addSecondsToDate } from '../../lib/time/clock.ts'
import { appendAudit, type Actor } from '../audit.ts'
import type { ApiTokenScope } from '../roles.ts'
import type { AuthenticatedSession } from '../sign-in/sessions.ts'
import { isWellFormedKey, newApiKey, type KeyKind } from '../tokens/api-keys.ts'
import { revokeToken, type AfterTokensRevoked } from '../tokens/token-creators.ts'
import type { ApiTokens } from '../tokens/tokens.ts'
import { keepUsedClient } from './clients.ts'
import { createGrant, type NewGrant } from './create-grant.ts'
import { OAuthError } from './oauth-error.ts'
import { useRefreshToken } from './use-refresh-token.ts'
import { toOAuthScope, type OAuthAudience } from './server-metadata.ts'

export type IssuedTokens = {
  accessToken: string
  refreshToken: string
  expiresInSeconds: number
  scope: string
}

/** What a client sends with a code or refresh token. Null for what it left out. */
export type TokenRequest = {
  clientId: string | null
  /** Null if the request names a resource that this service does not have. Undefined if it names none. */
  audience: OAuthAudience | null | undefined
  ip: string
}

/**
 * Consents that became API tokens. A code and a refresh token work once. Whoever uses one again may have stolen it, so
 * the grant is revoked then. Only a refresh whose response may have been lost can be repeated.
 */
export interface OAuthGrants {
  /** Returns the authorization code. */
  create(grant: NewGrant, signedIn: AuthenticatedSession, ip: string): Promise<string>
  redeemCode(
    code: string,
    proof: { verifier: string; redirectUri: string | null },
    request: TokenRequest,
  ): Promise<IssuedTokens>
  refresh(refreshToken: string, scope: string | null, request: TokenRequest): Promise<IssuedTokens>
  /** An unknown token is already revoked. A refresh token ends the grant, an access token only itself. */
  revoke(token: string, request: Pick<TokenRequest, 'clientId' | 'ip'>): Promise<void>
}

type Parts = AreaContext & {
  secretBox: SecretBox
  tokens: Pick<ApiTokens, 'invalidateCreatedBy'>
  afterTokensRevoked?: AfterTokensRevoked | undefined
}

const ACCESS_SECONDS = 3_600
/** A grant ends after this time without a refresh. */
const REFRESH_SECONDS = 60 * 24 * 3_600

const SECRET_SECONDS = { access: ACCESS_SECONDS, refresh: REFRESH_SECONDS } as const

export function createOAuthGrants(parts: Parts): OAuthGrants {
  const { db, clock } = parts

  /** Runs in a transaction that is committed even if the client gets an error, because that can revoke the grant. */
  const commitThenThrow = async <T>(run: (tx: Db) => Promise<T | OAuthError>): Promise<T> => {
    const result = await db.transaction().execute(run)
    if (result instanceof OAuthError) throw result
    return result
  }

  const revokeGrant = async (tx: Db, { tokenId, userId }: Grant, actor: Actor) => {
    const now = clock.now()
    const isRevoked = await revokeToken(tx, { tokenId, actor, now })
    if (isRevoked) await parts.afterTokensRevoked?.(tx, { tokenIds: [tokenId], actor, now })
    if (userId !== null) parts.tokens.invalidateCreatedBy(userId)
  }

  const revokeReused = async (tx: Db, grant: Grant, what: string, ip: string) => {
    const actor = { name: 'nobody', ip }
    if (!grant.isRevoked)
      await appendAudit(tx, clock.now(), actor, 'assistant token reused', grant.tokenId, what)
    await revokeGrant(tx, grant, actor)
    return new OAuthError('invalid_grant', `This ${what} was used before, so the connection ended`)
  }

  const issue = async (tx: Db, grant: Grant, replaces: Buffer | null): Promise<IssuedTokens> => {
    const { tokenId, clientId, scopes } = grant
    const now = clock.now()
    const secrets = { access: newApiKey('oa'), refresh: newApiKey('or') }
    for (const kind of ['access', 'refresh'] as const) {
      const [hash, expires_at] = [
        sha256(secrets[kind]),
        addSecondsToDate(now, SECRET_SECONDS[kind]),
      ]
      const row = { hash, token_id: tokenId, kind, expires_at, replaces }
      await tx.insertInto('oauth_secret').values(row).execute()
    }
    await tx
      .updateTable('api_token')
      .set({ expires_at: addSecondsToDate(now, REFRESH_SECONDS) })
      .where('id', '=', tokenId)
      .execute()
    await keepUsedClient(tx, clientId, now)
    return {
      accessToken: secrets.access,
      refreshToken: secrets.refresh,
      expiresInSeconds: ACCESS_SECONDS,
      scope: toOAuthScope(scopes),
    }
  }

  return {
    create: (grant, signedIn, ip) => createGrant(parts, grant, signedIn, ip),

    redeemCode: (code, { verifier, redirectUri }, request) =>
      commitThenThrow(async (tx) => {
        const hash = readHash(code, 'oc')
        const row =
          hash && (await selectGrants(tx).where('code_hash', '=', hash).executeTakeFirst())
        if (!row) return new OAuthError('invalid_grant', 'This code is unknown or expired')
        const grant = toGrant(row)
        if (row.redeemed_at !== null) return revokeReused(tx, grant, 'code', request.ip)
        const problem =
          findProblem(grant, request) ??
          (row.code_expires_at <= clock.now() ? 'This code is unknown or expired' : null) ??
          (redirectUri !== null && redirectUri !== row.redirect_uri
            ? 'The code belongs to another redirect_uri'
            : null) ??
          (isSameSecret(sha256(verifier).toString('base64url'), row.code_challenge)
            ? null
            : 'The code_verifier does not match')
        if (problem !== null) return toError(problem)
        // Two requests at the same moment: the second waits here, and finds the code used.
        const { numUpdatedRows } = await tx
          .updateTable('oauth_grant')
          .set({ redeemed_at: clock.now() })
          .where('token_id', '=', grant.tokenId)
          .where('redeemed_at', 'is', null)
          .executeTakeFirstOrThrow()
        if (numUpdatedRows === 0n) return revokeReused(tx, grant, 'code', request.ip)
        return issue(tx, grant, null)
      }),

    refresh: (refreshToken, scope, request) =>
      commitThenThrow(async (tx) => {
        const found = await findSecret(tx, readHash(refreshToken, 'or'))
        if (found === null || found.expiresAt <= clock.now())
          return new OAuthError('invalid_grant', 'This refresh token is unknown or expired')
        const { grant, hash } = found
        const problem = findProblem(grant, request)
        if (problem !== null) return toError(problem)
        const granted = toOAuthScope(grant.scopes).split(' ')
        if (scope?.split(' ').some((name) => !granted.includes(name)))
          return new OAuthError('invalid_scope', `The person allowed only: ${granted.join(' ')}`)
        const { tokenId, userId } = grant
        const use = await useRefreshToken(tx, { hash, tokenId }, clock.now())
        if (use === 'reused') return revokeReused(tx, grant, 'refresh token', request.ip)
        if (use === 'repeated' && userId !== null) parts.tokens.invalidateCreatedBy(userId)
        return issue(tx, grant, hash)
      }),

    async revoke(token, { clientId, ip }) {
      const hash = readHash(token, 'or') ?? readHash(token, 'oa')
      await db.transaction().execute(async (tx) => {
        const found = await findSecret(tx, hash)
        if (found === null || found.grant.clientId !== clientId) return
        const { grant, kind } = found
        const actor = { name: `token:${grant.tokenId}`, ip }
        if (kind === 'refresh') return revokeGrant(tx, grant, actor)
        await tx.deleteFrom('oauth_secret').where('hash', '=', found.hash).execute()
        if (grant.userId !== null) parts.tokens.invalidateCreatedBy(grant.userId)
      })
    },
  }
}

type Grant = {
  tokenId: string
  clientId: string
  audience: OAuthAudience
  scopes: ApiTokenScope[] | null
  /** Null after the user was removed. */
  userId: string | null
  isRevoked: boolean
}

function selectGrants(tx: Db) {
  return tx
    .selectFrom('oauth_grant')
    .innerJoin('api_token', 'api_token.id', 'oauth_grant.token_id')
    .select(['oauth_grant.token_id', 'client_id', 'audience', 'redirect_uri', 'code_challenge'])
    .select(['code_expires_at', 'redeemed_at', 'scopes', 'created_by', 'revoked_at'])
}

type GrantRow = NonNullable<
  Awaited<ReturnType<ReturnType<typeof selectGrants>['executeTakeFirst']>>
>

function toGrant(row: GrantRow): Grant {
  return {
    tokenId: row.token_id,
    clientId: row.client_id,
    audience: row.audience,
    scopes: row.scopes,
    userId: row.created_by,
    isRevoked: row.revoked_at !== null,
  }
}

/** The hash of a well-formed code or token of this kind, otherwise null. */
function readHash(secret: string, kind: KeyKind): Buffer | null {
  return isWellFormedKey(secret, kind) ? sha256(secret) : null
}

async function findSecret(tx: Db, hash: Buffer | null) {
  if (hash === null) return null
  const row = await selectGrants(tx)
    .innerJoin('oauth_secret', 'oauth_secret.token_id', 'oauth_grant.token_id')
    .select(['oauth_secret.kind as secret_kind', 'oauth_secret.expires_at as secret_expires_at'])
    .where('hash', '=', hash)
    .executeTakeFirst()
  if (row === undefined) return null
  return { hash, grant: toGrant(row), kind: row.secret_kind, expiresAt: row.secret_expires_at }
}

const ENDED = 'The connection was ended'
const OTHER_RESOURCE = 'The person allowed another resource'

function findProblem(grant: Grant, { clientId, audience }: TokenRequest): string | null {
  if (clientId !== grant.clientId) return 'It belongs to another client'
  if (grant.isRevoked || grant.userId === null) return ENDED
  return audience === undefined || audience === grant.audience ? null : OTHER_RESOURCE
}

function toError(problem: string): OAuthError {
  return new OAuthError(problem === OTHER_RESOURCE ? 'invalid_target' : 'invalid_grant', problem)
}
