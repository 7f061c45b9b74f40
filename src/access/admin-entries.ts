import { listAuditEntriesOfObject } from '../accounts/audit.ts'
import type { Db } from '../db/database.ts'
import { DAY_MS } from '../lib/time/durations.ts'
import { MEMBER_ROLES, type MemberRole } from './rules.ts'

/** An admin who added themselves to a project, or changed their own role in it. */
export type AdminEntry = {
  /** The email address if the user was removed. */
  userName: string
  role: MemberRole
  at: Date
}

/** How long owners see that an admin was in their project. */
const SHOWN_DAYS = 90
const MAX_ENTRIES = 100

/** Newest first. From the audit log, because the admin may have left the project again. */
export async function listAdminEntries(db: Db, project: string, now: Date): Promise<AdminEntry[]> {
  const since = new Date(now.getTime() - SHOWN_DAYS * DAY_MS)
  const filter = { action: 'admin added to project', object: project, since } as const
  const entries = (await listAuditEntriesOfObject(db, filter, MAX_ENTRIES)).map(
    ({ at, actor, detail }) => {
      const [email = '', role] = (detail ?? '').split(': ')
      const userId = actor.replace(/^user:/, '')
      return { at, userId, email, role: MEMBER_ROLES.find((one) => one === role) ?? 'reader' }
    },
  )
  if (entries.length === 0) return []
  const ids = entries.map(({ userId }) => userId)
  const users = await db
    .selectFrom('app_user')
    .select(['id', 'name'])
    .where('id', 'in', ids)
    .execute()
  const names = new Map(users.map(({ id, name }) => [id, name]))
  return entries.map(({ userId, email, role, at }) => ({
    userName: names.get(userId) ?? email,
    role,
    at,
  }))
}
