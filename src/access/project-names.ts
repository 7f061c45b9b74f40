import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../db/database.ts'

/**
 * The project of meetings that are started without one. Nobody owns it, and it is never created as private: the first user
 * would otherwise take it from all others. For the same reason no project gets its id in other letter case.
 */
export const DEFAULT_PROJECT = 'api'

/**
 * The id without letter case, as disks that ignore letter case compare names. Through upper case, because only then do
 * letters with several small forms become equal.
 */
export function foldProjectId(id: string): string {
  return id.toLowerCase().toUpperCase().toLowerCase()
}

/** SQL condition: the id differs from the id of another project only in letter case. */
export function isTwinOfProject(id: string): RawBuilder<boolean> {
  if (id === DEFAULT_PROJECT) return sql<boolean>`false`
  const folded = foldProjectId(id)
  return sql<boolean>`((${folded === DEFAULT_PROJECT} or exists (
      select from project_name where folded = ${folded} and not is_older_twin))
    and not exists (select from project_name where id = ${id}))`
}

/**
 * Called before something is stored under a project id. False when another project has the same id in other letter case:
 * a disk may keep both in one folder. A concurrent claim of such an id waits for the transaction of the first one.
 */
export async function claimProjectName(db: Db, id: string): Promise<boolean> {
  if (id === DEFAULT_PROJECT || (await hasName(db, id))) return true
  if (foldProjectId(id) === DEFAULT_PROJECT) return false
  await db
    .insertInto('project_name')
    .values({ id, folded: foldProjectId(id) })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return hasName(db, id)
}

async function hasName(db: Db, id: string): Promise<boolean> {
  const row = await db
    .selectFrom('project_name')
    .select('id')
    .where('id', '=', id)
    .executeTakeFirst()
  return row !== undefined
}
