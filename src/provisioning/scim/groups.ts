import { sql } from 'kysely'
import { appendAudit, type Actor } from '../../accounts/audit.ts'
import type { Db, Tx } from '../../db/database.ts'
import { newId } from '../../lib/crypto.ts'
import type { Clock } from '../../lib/time/clock.ts'
import { applyGroupRoles, listGroupProjects } from '../group-roles.ts'
import { listEqualValues, parseFilter } from './filter.ts'
import { toCondition } from './filter-sql.ts'
import {
  findScimGroup,
  GROUP_FILTER_COLUMNS,
  listScimGroups,
  type ScimGroup,
} from './group-store.ts'
import {
  applyOperation,
  readPatch,
  type PatchableAttribute,
  type PatchedResource,
  type PatchOperation,
} from './patch.ts'
import { notFoundError, ScimError } from './scim-error.ts'
import { readAttributes, readText } from './user-fields.ts'
import type { ListRequest, Precondition } from './users.ts'

/** The list of members is long, so a client can ask for groups without it. */
export type MemberChoice = { withMembers: boolean }

export interface ScimGroups {
  list(request: ListRequest & MemberChoice): Promise<{ total: number; groups: ScimGroup[] }>
  get(id: string, choice: MemberChoice): Promise<ScimGroup>
  create(body: unknown, actor: Actor): Promise<ScimGroup>
  replace(
    id: string,
    body: unknown,
    check: Precondition<ScimGroup>,
    actor: Actor,
  ): Promise<ScimGroup>
  patch(id: string, body: unknown, check: Precondition<ScimGroup>, actor: Actor): Promise<ScimGroup>
  remove(id: string, check: Precondition<ScimGroup>, actor: Actor): Promise<void>
}

type Parts = { db: Db; clock: Clock }

type GroupFields = { displayName: string; externalId: string | null }

const MAX_MEMBERS = 20_000

export const GROUP_ATTRIBUTES: Readonly<Record<string, PatchableAttribute>> = {
  displayname: 'single',
  externalid: 'single',
  members: 'list',
  id: 'read-only',
  meta: 'read-only',
  schemas: 'ignored',
}

export function createScimGroups({ db, clock }: Parts): ScimGroups {
  /** Changes a group in a transaction that has locked it. `change` returns the members whose roles may change. */
  const update = async (
    id: string,
    check: Precondition<ScimGroup>,
    actor: Actor,
    change: (tx: Tx, before: ScimGroup) => Promise<{ fields: GroupFields; members: MemberChange }>,
  ): Promise<ScimGroup> =>
    db.transaction().execute(async (tx) => {
      await sql`select 1 from scim_group where id = ${id} for update`.execute(tx)
      const before = await requireGroup(tx, id, { withMembers: false })
      check(before)
      const { fields, members } = await change(tx, before)
      const isRenamed =
        fields.displayName !== before.displayName || fields.externalId !== before.externalId
      if (isRenamed) await requireFreeName(tx, id, fields.displayName)
      const changed = await changeMembers(tx, id, members)
      if (isRenamed || changed.length > 0)
        await saveGroup(tx, { id, ...fields }, { actor, now: clock.now(), changed: changed.length })
      await applyGroupRoles(tx, { groupId: id, userIds: changed }, clock.now())
      return requireGroup(tx, id, { withMembers: true })
    })

  return {
    list: ({ filter, ...page }) => {
      const condition =
        filter === null ? null : toCondition(parseFilter(filter), GROUP_FILTER_COLUMNS)
      return listScimGroups(db, { condition, ...page })
    },

    get: (id, choice) => requireGroup(db, id, choice),

    async create(body, actor) {
      const attributes = readAttributes(body, 'The body')
      const fields = readGroupFields(attributes)
      const members = readMemberIds(attributes.get('members'))
      const id = newId('grp')
      const now = clock.now()
      return db.transaction().execute(async (tx) => {
        await requireFreeName(tx, null, fields.displayName)
        await tx
          .insertInto('scim_group')
          .values({ id, ...toColumns(fields), version: 1, created_at: now, updated_at: now })
          .execute()
        await changeMembers(tx, id, { kind: 'add', userIds: members })
        await appendAudit(tx, now, actor, 'group created', id, fields.displayName)
        return requireGroup(tx, id, { withMembers: true })
      })
    },

    async replace(id, body, check, actor) {
      const attributes = readAttributes(body, 'The body')
      const fields = readGroupFields(attributes)
      const userIds = readMemberIds(attributes.get('members'))
      return update(id, check, actor, async () => ({
        fields,
        members: { kind: 'replace', userIds },
      }))
    },

    async patch(id, body, check, actor) {
      const operations = readPatch(body)
      return update(id, check, actor, async (tx, before) => {
        const { displayName, externalId } = before
        const resource: PatchedResource = new Map([
          ['displayname', displayName],
          ['externalid', externalId],
        ])
        const memberPatches = operations.filter(({ path }) => path?.attribute === 'members')
        for (const operation of operations)
          if (!memberPatches.includes(operation))
            applyOperation(resource, operation, GROUP_ATTRIBUTES)
        const fields = readGroupFields(resource)
        if (memberPatches.length === 0) return { fields, members: { kind: 'add', userIds: [] } }
        const members = new Set(await listMemberIds(tx, id))
        for (const operation of memberPatches) patchMembers(members, operation)
        return { fields, members: { kind: 'replace', userIds: [...members] } }
      })
    },

    async remove(id, check, actor) {
      await db.transaction().execute(async (tx) => {
        await sql`select 1 from scim_group where id = ${id} for update`.execute(tx)
        const group = await requireGroup(tx, id, { withMembers: false })
        check(group)
        const userIds = await listMemberIds(tx, id)
        const projects = await listGroupProjects(tx, id)
        await tx.deleteFrom('scim_group').where('id', '=', id).execute()
        await applyGroupRoles(tx, { projects, userIds }, clock.now())
        await appendAudit(tx, clock.now(), actor, 'group removed', id, group.displayName)
      })
    },
  }
}

async function requireGroup(db: Db, id: string, choice: MemberChoice): Promise<ScimGroup> {
  const group = await findScimGroup(db, id, choice)
  if (group === null) throw notFoundError('group')
  return group
}

function readGroupFields(attributes: ReadonlyMap<string, unknown>): GroupFields {
  const displayName = readText(attributes.get('displayname'), 'displayName')
  if (displayName === null) throw new ScimError('invalidValue', 'displayName is missing')
  return { displayName, externalId: readText(attributes.get('externalid'), 'externalId') }
}

function toColumns({ displayName, externalId }: GroupFields) {
  return {
    display_name: displayName,
    folded_display_name: displayName.toLowerCase(),
    external_id: externalId,
  }
}

/** The ids of users. Groups in groups are left out, because Hansard has none. */
function readMemberIds(value: unknown): string[] {
  const list = value === undefined || value === null ? [] : [value].flat()
  if (list.length > MAX_MEMBERS)
    throw new ScimError('tooMany', `A group can have at most ${MAX_MEMBERS} members`, 413)
  return list.flatMap((item) => {
    const member =
      typeof item === 'string' ? new Map([['value', item]]) : readAttributes(item, 'members')
    const id = readText(member.get('value'), 'members.value')
    return id === null || String(member.get('type')).toLowerCase() === 'group' ? [] : [id]
  })
}

function patchMembers(members: Set<string>, { kind, path, value }: PatchOperation): void {
  if (path?.filter) {
    const ids = listEqualValues(path.filter, 'value')
    if (ids === null)
      throw new ScimError('invalidFilter', 'Members can be filtered only by value eq "…"')
    if (kind !== 'remove')
      throw new ScimError('mutability', 'A member can only be added or removed')
    for (const id of ids) members.delete(id)
    return
  }
  if (path?.sub) throw new ScimError('mutability', 'A member can only be added or removed')
  if (kind === 'replace' || (kind === 'remove' && (value === undefined || value === null)))
    members.clear()
  for (const id of readMemberIds(value)) {
    if (kind === 'remove') members.delete(id)
    else members.add(id)
  }
}

type MemberChange = { kind: 'add' | 'replace'; userIds: readonly string[] }

async function listMemberIds(tx: Db, groupId: string): Promise<string[]> {
  const rows = await tx
    .selectFrom('scim_group_member')
    .select('user_id')
    .where('group_id', '=', groupId)
    .execute()
  return rows.map(({ user_id }) => user_id)
}

/**
 * Returns the users who joined or left. Ids of people who were removed here are ignored: a client that still names one
 * must not fail to take the rights of another.
 */
async function changeMembers(
  tx: Tx,
  groupId: string,
  { kind, userIds }: MemberChange,
): Promise<string[]> {
  const { rows: left } =
    kind === 'add'
      ? { rows: [] }
      : await sql<{ id: string }>`delete from scim_group_member
          where group_id = ${groupId} and user_id <> all(${userIds}::text[])
          returning user_id as id`.execute(tx)
  const { rows: joined } = await sql<{
    id: string
  }>`insert into scim_group_member (group_id, user_id)
    select ${groupId}, u.id from app_user u left join scim_user s on s.user_id = u.id
    where u.id = any(${userIds}::text[]) and s.deleted_at is null
    order by u.id for key share of u on conflict do nothing returning user_id as id`.execute(tx)
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from scim_group_member where group_id = ${groupId}`.execute(tx)
  if ((rows[0]?.count ?? 0) > MAX_MEMBERS)
    throw new ScimError('tooMany', `A group can have at most ${MAX_MEMBERS} members`, 413)
  return [...left, ...joined].map(({ id }) => id)
}

async function saveGroup(
  tx: Tx,
  { id, ...fields }: GroupFields & { id: string },
  { actor, now, changed }: { actor: Actor; now: Date; changed: number },
): Promise<void> {
  await tx
    .updateTable('scim_group')
    .set({ ...toColumns(fields), updated_at: now })
    .set((eb) => ({ version: eb('version', '+', 1) }))
    .where('id', '=', id)
    .execute()
  const detail = `${fields.displayName}; members added or removed: ${changed}`
  await appendAudit(tx, now, actor, 'group changed', id, detail)
}

/** Serializes the creation and renaming of groups, so that the loser gets a conflict instead of an error. */
async function requireFreeName(tx: Tx, id: string | null, displayName: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('hansard groups', 0))`.execute(tx)
  const { rows } = await sql`select 1 from scim_group
    where folded_display_name = ${displayName.toLowerCase()} and id is distinct from ${id}`.execute(
    tx,
  )
  if (rows.length > 0) throw new ScimError('uniqueness', 'Another group has this displayName', 409)
}
