import { mayUseProject } from '../../access/project-use.ts'
import { readTokenViewer } from '../../access/stored-viewer.ts'
import type { Viewer } from '../../access/viewer.ts'
import type { Db } from '../../db/database.ts'
import { ServiceError } from '../../errors.ts'
import type { Calendar } from '../calendar.ts'
import type { UpcomingReason } from '../planning/reasons.ts'

/**
 * With whose rights the meetings of a calendar are started; null after the person was removed. A calendar of the instance
 * may do no more than its token, and without one no more than everybody of the team.
 */
export async function readCalendarViewer(
  db: Db,
  { userId, project, tokenId }: Pick<Calendar, 'userId' | 'project' | 'tokenId'>,
): Promise<Viewer | null> {
  if (userId === null)
    return tokenId === null
      ? { kind: 'service', projects: [project], isTeamOnly: true }
      : readTokenViewer(db, tokenId)
  const user = await db
    .selectFrom('app_user')
    .select('role')
    .where('id', '=', userId)
    .executeTakeFirst()
  return user === undefined ? null : { kind: 'user', userId, role: user.role, projects: null }
}

/**
 * The address of a person in invitations, unless they name another one. Locks the person: a calendar either exists when
 * the person is removed, and goes with them, or is not stored. Two calendars of one person are stored one after the
 * other, so that both are counted.
 */
export async function readDefaultAddress(db: Db, userId: string | null): Promise<string | null> {
  if (userId === null) return null
  const user = await db
    .selectFrom('app_user')
    .select('email')
    .where('id', '=', userId)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (user === undefined) throw new ServiceError('not_signed_in')
  return user.email.toLowerCase()
}

/** Why no meeting of the calendar is joined at the moment; null when its rules decide. */
export async function findCalendarObstacle(
  db: Db,
  calendar: Pick<Calendar, 'userId' | 'project' | 'isPaused' | 'tokenId' | 'account'>,
  now: Date,
): Promise<UpcomingReason | null> {
  const { isPaused, project, tokenId, account } = calendar
  if (isPaused) return 'paused'
  if (tokenId !== null && !(await isTokenUsable(db, tokenId, now))) return 'token_revoked'
  // The receiver of the callbacks sees no project that the token may not use.
  const viewers = [
    await readCalendarViewer(db, calendar),
    ...(tokenId === null ? [] : [await readTokenViewer(db, tokenId)]),
  ]
  for (const viewer of viewers)
    if (viewer === null || !(await mayUseProject(db, viewer, 'edit', project))) return 'no_access'
  if (account !== null && !(await hasBotAccount(db, account))) return 'account_missing'
  return null
}

async function hasBotAccount(db: Db, name: string): Promise<boolean> {
  const row = await db
    .selectFrom('bot_account')
    .select('name')
    .where('name', '=', name)
    .executeTakeFirst()
  return row !== undefined
}

async function isTokenUsable(db: Db, id: string, now: Date): Promise<boolean> {
  const token = await db
    .selectFrom('api_token')
    .select(['revoked_at', 'expires_at'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (token === undefined || token.revoked_at !== null) return false
  return token.expires_at === null || token.expires_at > now
}
