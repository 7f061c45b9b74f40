import { sql } from 'kysely'
import { setGroupRoles } from '../access/group-roles.ts'
import type { GroupRole } from '../access/rules.ts'
import { appendAudit, type Actor } from '../accounts/audit.ts'
import type { Db, Tx } from '../db/database.ts'
import { ServiceError } from '../errors.ts'
import type { Clock } from '../lib/time/clock.ts'

export type GroupWithRoles = {
  id: string
  displayName: string
  memberCount: number
  updatedAt: Date
  roles: Array<{ project: string; role: GroupRole }>
}

/** What groups of the identity provider may do in projects. Admins decide it. */
export interface GroupRoles {
  /** By name. At most `MAX_LISTED_GROUPS`, whose names contain the text. */
  list(search: string): Promise<{ groups: GroupWithRoles[]; total: number }>
  /** Finds a group by its id, or by its name in any case. Throws if there is none. */
  findId(idOrName: string): Promise<string>
  /** Null takes the role away. Throws if there is no such group or project. */
  set(
    change: { groupId: string; project: string; role: GroupRole | null },
    actor: Actor,
  ): Promise<void>
}

type Parts = { db: Db; clock: Clock; requireProject(project: string): Promise<unknown> }

const MAX_LISTED_GROUPS = 100
/** How many projects one group can have a role in. */
const MAX_ROLES = 200

export function createGroupRoles({ db, clock, requireProject }: Parts): GroupRoles {
  return {
    async list(search) {
      const { rows } = await sql<GroupWithRoles & { total: number }>`
        select g.id, g.display_name as "displayName", g.updated_at as "updatedAt",
          (select count(*)::int from scim_group_member m where m.group_id = g.id) as "memberCount",
          coalesce((select jsonb_agg(jsonb_build_object('project', r.project, 'role', r.role) order by r.project)
            from scim_group_role r where r.group_id = g.id), '[]') as roles,
          count(*) over ()::int as total
        from scim_group g where strpos(g.folded_display_name, ${search.toLowerCase()}) > 0
        order by g.folded_display_name limit ${MAX_LISTED_GROUPS}`.execute(db)
      return { groups: rows, total: rows[0]?.total ?? 0 }
    },

    async findId(idOrName) {
      const { rows } = await sql<{ id: string }>`select id from scim_group
        where id = ${idOrName} or folded_display_name = ${idOrName.toLowerCase()}
        order by id = ${idOrName} desc limit 1`.execute(db)
      if (rows[0] === undefined) throw new ServiceError('group_not_found')
      return rows[0].id
    },

    async set({ groupId, project, role }, actor) {
      await requireProject(project)
      await db.transaction().execute(async (tx) => {
        const { rows } = await sql<{ displayName: string }>`select display_name as "displayName"
          from scim_group where id = ${groupId} for update`.execute(tx)
        const [group] = rows
        if (group === undefined) throw new ServiceError('group_not_found')
        await saveRole(tx, { groupId, project, role })
        const members = await tx
          .selectFrom('scim_group_member')
          .select('user_id')
          .where('group_id', '=', groupId)
          .execute()
        const userIds = members.map(({ user_id }) => user_id)
        await applyGroupRoles(tx, { projects: [project], userIds }, clock.now())
        const detail = `${group.displayName}: ${role ?? 'no role'}`
        await appendAudit(tx, clock.now(), actor, 'group role changed', project, detail)
      })
    },
  }
}

async function saveRole(
  tx: Tx,
  { groupId, project, role }: { groupId: string; project: string; role: GroupRole | null },
): Promise<void> {
  if (role === null) {
    await tx
      .deleteFrom('scim_group_role')
      .where('group_id', '=', groupId)
      .where('project', '=', project)
      .execute()
    return
  }
  await tx
    .insertInto('scim_group_role')
    .values({ group_id: groupId, project, role })
    .onConflict((conflict) => conflict.columns(['group_id', 'project']).doUpdateSet({ role }))
    .execute()
  if ((await listGroupProjects(tx, groupId)).length > MAX_ROLES)
    throw new ServiceError('too_many_group_roles')
}

export async function listGroupProjects(db: Db, groupId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('scim_group_role')
    .select('project')
    .where('group_id', '=', groupId)
    .execute()
  return rows.map(({ project }) => project)
}

/** Gives these users the roles that all their groups have in these projects, or in the projects of this group. */
export async function applyGroupRoles(
  tx: Tx,
  {
    userIds,
    ...where
  }: { userIds: readonly string[] } & ({ groupId: string } | { projects: readonly string[] }),
  now: Date,
): Promise<void> {
  const projects = 'projects' in where ? where.projects : await listGroupProjects(tx, where.groupId)
  if (projects.length === 0 || userIds.length === 0) return
  // Changes of two groups with the same members wait for each other, so that the second one sees the first.
  await sql`select pg_advisory_xact_lock(hashtextextended('hansard group roles', 0))`.execute(tx)
  const wanted = sql`select gm.user_id, gr.project,
      case when bool_or(gr.role = 'editor') then 'editor' else 'reader' end as role
    from scim_group_role gr join scim_group_member gm on gm.group_id = gr.group_id
    where gm.user_id = any(${userIds}::text[]) and gr.project = any(${projects}::text[])
    group by gm.user_id, gr.project`
  await setGroupRoles(tx, { userIds, projects }, wanted, now)
}
