import { sql } from 'kysely'
import type { Db } from '../db/database.ts'

/** A user who may read a project. */
export type ProjectReader = { userId: string; name: string; email: string }

/** Every active user who may read a project: its members, or all users if it is a team project. */
export async function listProjectReaders(db: Db, project: string): Promise<ProjectReader[]> {
  const { rows } = await sql<ProjectReader>`
    select u.id as "userId", u.name, u.email from app_user u
    where u.deactivated_at is null and (
      not exists (select from project_access a where a.project = ${project} and a.access = 'private')
      or exists (select from project_member m where m.project = ${project} and m.user_id = u.id))
    order by u.id`.execute(db)
  return rows
}
