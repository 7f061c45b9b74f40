import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../../db/database.ts'
import type { FilterColumn, FilterColumns } from './filter-sql.ts'
import { countRows, type ScimPage } from './user-store.ts'

export type ScimGroup = {
  id: string
  displayName: string
  externalId: string | null
  version: number
  createdAt: Date
  updatedAt: Date
  /** Null if the members were not asked for. */
  members: Array<{ id: string; name: string }> | null
}

/** A page of groups ends early if its groups have more members together. */
const MAX_LISTED_MEMBERS = 20_000

export const GROUP_FILTER_COLUMNS: FilterColumns = new Map<string, FilterColumn>([
  ['id', { type: 'exact text', sql: sql`g.id` }],
  ['externalid', { type: 'exact text', sql: sql`g.external_id` }],
  ['displayname', { type: 'text', sql: sql`g.display_name` }],
  ['meta.created', { type: 'time', sql: sql`g.created_at` }],
  ['meta.lastmodified', { type: 'time', sql: sql`g.updated_at` }],
  [
    'members',
    {
      type: 'list',
      rows: sql`select from (select user_id from scim_group_member where group_id = g.id) gm`,
      default: 'value',
      columns: new Map<string, FilterColumn>([
        ['value', { type: 'exact text', sql: sql`gm.user_id` }],
      ]),
    },
  ],
])

export async function listScimGroups(
  db: Db,
  { condition, startIndex, count, withMembers }: ScimPage & { withMembers: boolean },
): Promise<{ total: number; groups: ScimGroup[] }> {
  const where = condition === null ? sql`` : sql`where ${condition}`
  const total = await countRows(db, sql`from scim_group g ${where}`)
  if (count === 0 || startIndex > total) return { total, groups: [] }
  const page = sql`${where} order by g.created_at, g.id limit ${count} offset ${startIndex - 1}`
  const groups = await selectGroups(db, page)
  return { total, groups: withMembers ? await addMembers(db, groups) : groups }
}

export async function findScimGroup(
  db: Db,
  id: string,
  { withMembers }: { withMembers: boolean },
): Promise<ScimGroup | null> {
  const groups = await selectGroups(db, sql`where g.id = ${id}`)
  const [group] = withMembers ? await addMembers(db, groups) : groups
  return group ?? null
}

async function selectGroups(db: Db, rest: RawBuilder<unknown>): Promise<ScimGroup[]> {
  const { rows } = await sql<Omit<ScimGroup, 'members'>>`
    select g.id, g.display_name as "displayName", g.external_id as "externalId", g.version,
      g.created_at as "createdAt", g.updated_at as "updatedAt" from scim_group g ${rest}`.execute(
    db,
  )
  return rows.map((row) => ({ ...row, members: null }))
}

/** The first groups of a page with their members, and at least one group. */
async function addMembers(db: Db, groups: ScimGroup[]): Promise<ScimGroup[]> {
  const ids = groups.map(({ id }) => id)
  const { rows: counts } = await sql<{ id: string; count: number }>`
    select group_id as id, count(*)::int as count from scim_group_member
    where group_id = any(${ids}::text[]) group by group_id`.execute(db)
  const countById = new Map(counts.map(({ id, count }) => [id, count]))
  let sum = 0
  const shown = groups.filter(({ id }, index) => {
    sum += countById.get(id) ?? 0
    return index === 0 || sum <= MAX_LISTED_MEMBERS
  })
  const { rows } = await sql<{ groupId: string; id: string; name: string }>`
    select m.group_id as "groupId", m.user_id as id, u.name
    from scim_group_member m join app_user u on u.id = m.user_id
    where m.group_id = any(${shown.map(({ id }) => id)}::text[]) order by m.user_id`.execute(db)
  const members = Map.groupBy(rows, ({ groupId }) => groupId)
  return shown.map((group) => ({
    ...group,
    members: (members.get(group.id) ?? []).map(({ id, name }) => ({ id, name })),
  }))
}
