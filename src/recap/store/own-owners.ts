import { sql } from 'kysely'
import { readsProject } from '../../access/project-condition.ts'
import type { Viewer } from '../../access/viewer.ts'
import type { Db } from '../../db/database.ts'
import { findOwnersOf, mayMean } from './owner-names.ts'

/** The owners of action items, as they are written in the items that the viewer may read, that mean this user. */
export async function readOwnOwners(db: Db, viewer: Viewer, userId: string): Promise<string[]> {
  const users = await db.selectFrom('app_user').select(['id', 'name', 'email']).execute()
  const user = users.find(({ id }) => id === userId)
  if (user === undefined) return []
  const candidates = (await readAllOwners(db)).filter((owner) => mayMean(user, owner))
  if (candidates.length === 0) return []
  // What the viewer may not read must not decide either.
  const readable = await db
    .selectFrom('action_item')
    .innerJoin('meeting', 'meeting.id', 'action_item.meeting_id')
    .select('action_item.owner')
    .distinct()
    .where(hasOwnerIn(candidates))
    .where(readsProject(viewer, 'meeting.project'))
    .execute()
  return findOwnersOf(
    user,
    users,
    readable.flatMap(({ owner }) => owner ?? []),
  )
}

/** SQL condition: the item has one of these owners. One parameter for all of them, because their number has no limit. */
export function hasOwnerIn(owners: readonly string[]) {
  return sql<boolean>`action_item.owner = any(${owners}::text[])`
}

/** Every owner once. Steps through the index from one to the next, because there are few owners and many items. */
async function readAllOwners(db: Db): Promise<string[]> {
  const { rows } = await sql<{ owner: string }>`
    with recursive found as (
      select min(owner) as owner from action_item where owner is not null
      union all
      select (select min(owner) from action_item where owner > found.owner)
      from found where found.owner is not null
    ) select owner from found where owner is not null`.execute(db)
  return rows.map(({ owner }) => owner)
}
