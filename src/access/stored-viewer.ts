import type { Db, Tx } from '../db/database.ts'
import type { Viewer } from './viewer.ts'

/** The viewer who asked for something that happens later, and the token that signs its callbacks, if any. */
export type StoredViewer = { viewer: Viewer; tokenId: string | null }

/** Why it can no longer happen. */
export type StoredViewerProblem = 'user_removed' | 'token_revoked' | 'token_expired'

/** The viewer with their current rights, or why there is none. */
export function findStoredViewer(
  db: Db,
  stored: StoredViewer,
  now: Date,
): Promise<Viewer | StoredViewerProblem> {
  return readStoredViewer(db, stored, { now, isLocking: false })
}

/**
 * Like `findStoredViewer`, but locks the user and the token until the transaction ends, so that neither can be removed
 * or revoked before data that depends on them is stored. The caller must not have locked anything that the removal of a
 * user changes.
 */
export function lockStoredViewer(
  tx: Tx,
  stored: StoredViewer,
  now: Date,
): Promise<Viewer | StoredViewerProblem> {
  return readStoredViewer(tx, stored, { now, isLocking: true })
}

/** The token's current rights. Null if there is no such token, or if its person was removed or deactivated. */
export async function readTokenViewer(db: Db, tokenId: string): Promise<Viewer | null> {
  const token = await db
    .selectFrom('api_token')
    .leftJoin('app_user', (join) =>
      join
        .onRef('app_user.id', '=', 'api_token.created_by')
        .on('app_user.deactivated_at', 'is', null),
    )
    .select(['kind', 'projects', 'team_only as isTeamOnly'])
    .select(['app_user.id as userId', 'app_user.role as role'])
    .where('api_token.id', '=', tokenId)
    .executeTakeFirst()
  if (token === undefined) return null
  const { kind, projects, isTeamOnly, userId, role } = token
  if (kind === 'service') return { kind, projects, isTeamOnly }
  return userId === null || role === null ? null : { kind: 'user', userId, role, projects }
}

type Reading = { now: Date; isLocking: boolean }

async function readStoredViewer(
  db: Db,
  { viewer, tokenId }: StoredViewer,
  reading: Reading,
): Promise<Viewer | StoredViewerProblem> {
  const current = viewer.kind === 'user' ? await readUserViewer(db, viewer, reading) : viewer
  if (current === null) return 'user_removed'
  return (tokenId === null ? null : await findTokenProblem(db, tokenId, reading)) ?? current
}

async function readUserViewer(
  db: Db,
  viewer: Extract<Viewer, { kind: 'user' }>,
  { isLocking }: Reading,
): Promise<Viewer | null> {
  const user = await db
    .selectFrom('app_user')
    .select('role')
    .where('id', '=', viewer.userId)
    .where('deactivated_at', 'is', null)
    .$if(isLocking, (query) => query.forShare())
    .executeTakeFirst()
  return user === undefined ? null : { ...viewer, role: user.role }
}

async function findTokenProblem(
  db: Db,
  tokenId: string,
  { now, isLocking }: Reading,
): Promise<StoredViewerProblem | null> {
  const token = await db
    .selectFrom('api_token')
    .select(['revoked_at as revokedAt', 'expires_at as expiresAt'])
    .where('id', '=', tokenId)
    .$if(isLocking, (query) => query.forShare())
    .executeTakeFirst()
  if (token === undefined || token.revokedAt !== null) return 'token_revoked'
  return token.expiresAt !== null && token.expiresAt <= now ? 'token_expired' : null
}
