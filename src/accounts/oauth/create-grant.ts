import type { Db } from '../../db/database.ts'
import { newId, sha256, type SecretBox } from '../../lib/crypto.ts'
import { addSecondsToDate, type Clock } from '../../lib/time/clock.ts'
import { appendAudit } from '../audit.ts'
import type { ApiTokenScope } from '../roles.ts'
import type { AuthenticatedSession } from '../sign-in/sessions.ts'
import { newApiKey, newSigningSecret } from '../tokens/api-keys.ts'
import { lockCreator } from '../tokens/token-creators.ts'
import { describeTokenRights, insertToken, requireOpenSession } from '../tokens/tokens.ts'
import type { OAuthAudience } from './server-metadata.ts'

/** What a person agreed to. */
export type NewGrant = {
  clientId: string
  name: string
  redirectUri: string
  isVerified: boolean
  codeChallenge: string
  audience: OAuthAudience
  scopes: ApiTokenScope[]
  projects: string[] | null
}

const CODE_SECONDS = 60

type Parts = { db: Db; clock: Clock; secretBox: SecretBox }

/** Stores a consent as an API token that lasts until the code expires. Returns the authorization code. */
export async function createGrant(
  { db, clock, secretBox }: Parts,
  { clientId, name, scopes, projects, ...grant }: NewGrant,
  { user, session }: AuthenticatedSession,
  ip: string,
): Promise<string> {
  const code = newApiKey('oc')
  const id = newId('tok')
  await db.transaction().execute(async (tx) => {
    const creator = await lockCreator(tx, user.id)
    await requireOpenSession(tx, session)
    const now = clock.now()
    const codeExpiresAt = addSecondsToDate(now, CODE_SECONDS)
    await insertToken(tx, {
      id,
      name,
      scopes,
      projects,
      kind: 'personal',
      createdAt: now,
      // Nobody learns this key. The access tokens of the grant take its place.
      apiKey: newApiKey('oa'),
      signingSecret: secretBox.seal(newSigningSecret(), id),
      creatorId: user.id,
      creatorName: creator.name,
      expiresAt: codeExpiresAt,
    })
    await tx
      .insertInto('oauth_grant')
      .values({
        token_id: id,
        client_id: clientId,
        redirect_uri: grant.redirectUri,
        is_verified: grant.isVerified,
        audience: grant.audience,
        code_hash: sha256(code),
        code_challenge: grant.codeChallenge,
        code_expires_at: codeExpiresAt,
      })
      .execute()
    const rights = describeTokenRights({ kind: 'personal', scopes, projects })
    const detail = `${name} at ${new URL(grant.redirectUri).host}; ${rights}`
    await appendAudit(tx, now, { name: `user:${user.id}`, ip }, 'assistant connected', id, detail)
  })
  return code
}

/** Deletes expired codes and tokens, and registrations that nobody used. */
export async function deleteExpiredOAuthRows(db: Db, now: Date): Promise<void> {
  await db.deleteFrom('oauth_secret').where('expires_at', '<', now).execute()
  await db.deleteFrom('oauth_client').where('expires_at', '<', now).execute()
  // A consent whose code was never exchanged. It has done nothing, so nothing refers to its token.
  await db
    .deleteFrom('api_token')
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('oauth_grant')
        .select('token_id')
        .where('redeemed_at', 'is', null)
        .where('code_expires_at', '<', addSecondsToDate(now, -3_600)),
    )
    .execute()
}
