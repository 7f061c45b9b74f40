import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../../db/database.ts'
import type { FilterColumn, FilterColumns } from './filter-sql.ts'
import { findMainEmail, type ScimEmail, type UserFields } from './user-fields.ts'

export type ScimUser = UserFields & {
  id: string
  createdAt: Date
  updatedAt: Date
  /** The groups of the user, at most `MAX_SHOWN_GROUPS`. */
  groups: Array<{ id: string; displayName: string }>
}

/** `startIndex` begins with 1. */
export type ScimPage = { condition: RawBuilder<unknown> | null; startIndex: number; count: number }

const MAX_SHOWN_GROUPS = 100

const emails = sql`coalesce(s.attributes -> 'emails', jsonb_build_array(
  jsonb_build_object('value', u.email, 'type', 'work', 'primary', true)))`

const text = (expression: RawBuilder<unknown>) => ({ type: 'text', sql: expression }) as const

export const USER_FILTER_COLUMNS: FilterColumns = new Map<string, FilterColumn>([
  ['id', { type: 'exact text', sql: sql`u.id` }],
  ['externalid', { type: 'exact text', sql: sql`s.external_id` }],
  ['username', text(sql`coalesce(s.user_name, u.email)`)],
  ['displayname', text(sql`coalesce(s.attributes ->> 'displayName', u.name)`)],
  ['name.formatted', text(sql`s.attributes -> 'name' ->> 'formatted'`)],
  ['name.familyname', text(sql`s.attributes -> 'name' ->> 'familyName'`)],
  ['name.givenname', text(sql`s.attributes -> 'name' ->> 'givenName'`)],
  ['active', { type: 'boolean', sql: sql`(u.deactivated_at is null)` }],
  ['meta.created', { type: 'time', sql: sql`u.created_at` }],
  ['meta.lastmodified', { type: 'time', sql: sql`coalesce(s.updated_at, u.created_at)` }],
  [
    'emails',
    {
      type: 'list',
      rows: sql`select from jsonb_array_elements(${emails}) item`,
      default: 'value',
      columns: new Map<string, FilterColumn>([
        ['value', text(sql`item ->> 'value'`)],
        ['type', text(sql`item ->> 'type'`)],
        ['primary', { type: 'boolean', sql: sql`coalesce((item ->> 'primary')::boolean, false)` }],
      ]),
    },
  ],
])

const FROM_USERS = sql`from app_user u left join scim_user s on s.user_id = u.id where s.deleted_at is null`

type UserRow = {
  id: string
  email: string
  name: string
  createdAt: Date
  deactivatedAt: Date | null
  userName: string | null
  externalId: string | null
  attributes: Pick<UserFields, 'displayName' | 'name' | 'emails'> | null
  updatedAt: Date | null
  groups: ScimUser['groups'] | null
}

export async function listScimUsers(
  db: Db,
  { condition, startIndex, count }: ScimPage,
): Promise<{ total: number; users: ScimUser[] }> {
  const where = condition === null ? sql`` : sql`and ${condition}`
  const total = await countRows(db, sql`${FROM_USERS} ${where}`)
  if (count === 0 || startIndex > total) return { total, users: [] }
  const users = await selectUsers(
    db,
    sql`${where} order by u.created_at, u.id limit ${count} offset ${startIndex - 1}`,
  )
  return { total, users }
}

export async function findScimUser(db: Db, id: string): Promise<ScimUser | null> {
  const [user] = await selectUsers(db, sql`and u.id = ${id}`)
  return user ?? null
}

export async function countRows(db: Db, from: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count ${from}`.execute(db)
  return rows[0]?.count ?? 0
}

async function selectUsers(db: Db, rest: RawBuilder<unknown>): Promise<ScimUser[]> {
  const { rows } = await sql<UserRow>`
    select u.id, u.email, u.name, u.created_at as "createdAt", u.deactivated_at as "deactivatedAt",
      s.user_name as "userName", s.external_id as "externalId", s.attributes, s.updated_at as "updatedAt",
      (select jsonb_agg(jsonb_build_object('id', g.id, 'displayName', g.display_name)) from (
        select g.id, g.display_name from scim_group_member m join scim_group g on g.id = m.group_id
        where m.user_id = u.id order by g.id limit ${MAX_SHOWN_GROUPS}) g) as groups
    ${FROM_USERS} ${rest}`.execute(db)
  return rows.map(toScimUser)
}

/** The account's address may have changed here since the client sent the main email. */
function toScimUser({ attributes, ...row }: UserRow): ScimUser {
  const main = attributes === null ? undefined : findMainEmail(attributes.emails)
  const ofAccount: ScimEmail = { type: 'work', primary: true, ...main, value: row.email }
  return {
    id: row.id,
    userName: row.userName ?? row.email,
    externalId: row.externalId,
    displayName: attributes === null ? row.name : attributes.displayName,
    name: attributes?.name ?? {},
    emails:
      attributes === null
        ? [ofAccount]
        : attributes.emails.map((email) =>
            email !== main || isSameAddress(email.value, row.email) ? email : ofAccount,
          ),
    active: row.deactivatedAt === null,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt ?? row.createdAt,
    groups: row.groups ?? [],
  }
}

function isSameAddress(one: string, other: string): boolean {
  return one.trim().toLowerCase() === other
}
