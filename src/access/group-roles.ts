import { sql, type RawBuilder } from 'kysely'
import type { Db, Tx } from '../db/database.ts'

/** SQL: the stronger of the roles that a person and groups gave. */
export function strongerRole(own: RawBuilder<unknown>, group: RawBuilder<unknown>) {
  return sql`case when ${own} = 'owner' then 'owner' when 'editor' in (${own}, ${group}) then 'editor' else 'reader' end`
}

/** A node of an older version stores no own role, so a role without a source is one that a person gave. */
const ownRole = sql`coalesce(m.own_role, case when m.group_role is null then m.role end)`

/**
 * Gives users the roles that their groups have now, in the transaction that changes the groups. `wanted` selects
 * `user_id`, `project` and `role` of these users in these projects. What people gave stays.
 */
export async function setGroupRoles(
  tx: Tx,
  { userIds, projects }: { userIds: readonly string[]; projects: readonly string[] },
  wanted: RawBuilder<unknown>,
  now: Date,
): Promise<void> {
  if (userIds.length === 0 || projects.length === 0) return
  const isMeant = sql`m.user_id = any(${userIds}::text[]) and m.project = any(${projects}::text[])`
  await sql`update project_member m
    set own_role = ${ownRole}, group_role = w.role, role = ${strongerRole(ownRole, sql`w.role`)}
    from (${wanted}) w where w.user_id = m.user_id and w.project = m.project
      and m.group_role is distinct from w.role`.execute(tx)
  await sql`insert into project_member (project, user_id, role, group_role, added_by, added_at)
    select w.project, w.user_id, w.role, w.role, 'provisioning', ${now} from (${wanted}) w
    order by w.user_id, w.project on conflict do nothing`.execute(tx)
  await sql`with lost as (
      select m.user_id, m.project from project_member m
      where ${isMeant} and m.group_role is not null and not exists (
        select from (${wanted}) w where w.user_id = m.user_id and w.project = m.project)),
    kept as (update project_member m set group_role = null, role = m.own_role
      from lost l where l.user_id = m.user_id and l.project = m.project and m.own_role is not null)
    delete from project_member m using lost l
      where l.user_id = m.user_id and l.project = m.project and m.own_role is null`.execute(tx)
}

/** Removes the role that a person gave, and leaves what groups give. Null if the person gave none. */
export async function removeOwnRole(
  tx: Db,
  project: string,
  userId: string,
): Promise<'removed' | 'group role left' | null> {
  const { rows } = await sql<{ isLeft: boolean }>`
    with kept as (
      update project_member set own_role = null, role = group_role
      where project = ${project} and user_id = ${userId} and group_role is not null and own_role is not null
      returning true as "isLeft"),
    removed as (
      delete from project_member where project = ${project} and user_id = ${userId} and group_role is null
      returning false as "isLeft")
    select * from kept union all select * from removed`.execute(tx)
  const [row] = rows
  return row === undefined ? null : row.isLeft ? 'group role left' : 'removed'
}
