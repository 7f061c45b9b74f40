import type { Tx } from '../db/database.ts'
import type { Viewer } from './viewer.ts'

/** Who asked for something that happens later: the viewer then, and the token that signs its callbacks, if any. */
export type StoredViewer = { viewer: Viewer; tokenId: string | null }

/** Why what was asked for can no longer happen. */
export type StoredViewerProblem = 'user_removed' | 'token_revoked' | 'token_expired'

/**
 * The viewer with the rights of now, or why there is none any more. Locks the user and the token until the transaction
 * ends: neither can be removed or revoked before what depends on them is stored. The caller must not have locked
 * anything that the removal of a user changes.
 */
export async function lockStoredViewer(
  tx: Tx,
  { viewer, tokenId }: StoredViewer,
  now: Date,
): Promise<Viewer | StoredViewerProblem> {
  const current = viewer.kind === 'user' ? await lockUserViewer(tx, viewer) : viewer
  if (current === null) return 'user_removed'
  return (tokenId === null ? null : await lockToken(tx, tokenId, now)) ?? current
}

async function lockUserViewer(
  tx: Tx,
  viewer: Extract<Viewer, { kind: 'user' }>,
): Promise<Viewer | null> {
  const user = await tx
    .selectFrom('app_user')
    .select('role')
    .where('id', '=', viewer.userId)
    .forShare()
    .executeTakeFirst()
  return user === undefined ? null : { ...viewer, role: user.role }
}

async function lockToken(tx: Tx, id: string, now: Date): Promise<StoredViewerProblem | null> {
  const token = await tx
    .selectFrom('api_token')
    .select(['revoked_at as revokedAt', 'expires_at as expiresAt'])
    .where('id', '=', id)
    .forShare()
    .executeTakeFirst()
  if (token === undefined || token.revokedAt !== null) return 'token_revoked'
  return token.expiresAt !== null && token.expiresAt <= now ? 'token_expired' : null
}
