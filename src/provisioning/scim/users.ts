import { sql } from 'kysely'
import { appendAudit, type Actor } from '../../accounts/audit.ts'
import type { RemoveUser, UserChangesInTransaction } from '../../accounts/users/user-changes.ts'
import { acquireUserListLock, renameUser, type Users } from '../../accounts/users/users.ts'
import type { Db, Tx } from '../../db/database.ts'
import { ServiceError } from '../../errors.ts'
import type { Clock } from '../../lib/time/clock.ts'
import { applyGroupRoles } from '../group-roles.ts'
import type { ProvisioningSettings } from '../settings.ts'
import { parseFilter } from './filter.ts'
import { toCondition } from './filter-sql.ts'
import { applyOperation, readPatch, type PatchableAttribute } from './patch.ts'
import { notFoundError, ScimError } from './scim-error.ts'
import {
  readAttributes,
  readUserFields,
  toAccountEmail,
  toAccountName,
  type UserFields,
} from './user-fields.ts'
import { findScimUser, listScimUsers, USER_FILTER_COLUMNS, type ScimUser } from './user-store.ts'

export type ListRequest = { filter: string | null; startIndex: number; count: number }

/** Throws unless the resource is as the client expects it (If-Match). Called while the resource is locked. */
export type Precondition<Resource> = (current: Resource) => void

export interface ScimUsers {
  list(request: ListRequest): Promise<{ total: number; users: ScimUser[] }>
  get(id: string): Promise<ScimUser>
  create(body: unknown, actor: Actor): Promise<ScimUser>
  replace(id: string, body: unknown, check: Precondition<ScimUser>, actor: Actor): Promise<ScimUser>
  patch(id: string, body: unknown, check: Precondition<ScimUser>, actor: Actor): Promise<ScimUser>
  remove(id: string, check: Precondition<ScimUser>, actor: Actor): Promise<void>
}

type Parts = {
  db: Db
  clock: Clock
  users: Pick<Users, 'insert'>
  userChanges: UserChangesInTransaction
  removeUser: RemoveUser
  readSettings(db: Db): Promise<ProvisioningSettings>
}

/** Attributes of RFC 7643 that Hansard does not store. Clients may send them. */
const IGNORED_ATTRIBUTES = [
  'nickname',
  'profileurl',
  'title',
  'usertype',
  'preferredlanguage',
  'locale',
  'timezone',
  'password',
  'phonenumbers',
  'ims',
  'photos',
  'addresses',
  'entitlements',
  'roles',
  'x509certificates',
]

export const USER_ATTRIBUTES: Readonly<Record<string, PatchableAttribute>> = {
  username: 'single',
  externalid: 'single',
  displayname: 'single',
  active: 'single',
  name: 'complex',
  emails: 'list',
  groups: 'read-only',
  id: 'read-only',
  meta: 'read-only',
  schemas: 'ignored',
  ...Object.fromEntries(IGNORED_ATTRIBUTES.map((name) => [name, 'ignored'] as const)),
}

export function createScimUsers(parts: Parts): ScimUsers {
  const { db, clock, userChanges } = parts

  /** Changes a user to what `change` makes of it. */
  const update = async (
    id: string,
    check: Precondition<ScimUser>,
    actor: Actor,
    change: (current: ScimUser) => UserFields,
  ): Promise<ScimUser> => {
    const { after, isActive } = await db.transaction().execute(async (tx) => {
      await acquireUserListLock(tx)
      const before = await requireUser(tx, id)
      check(before)
      const wanted = change(before)
      await storeUser(tx, parts, before, wanted, actor)
      return { after: await requireUser(tx, id), isActive: wanted.active }
    })
    userChanges.committed(id, { isActive })
    return after
  }

  return {
    list: ({ filter, ...page }) => {
      const condition =
        filter === null ? null : toCondition(parseFilter(filter), USER_FILTER_COLUMNS)
      return listScimUsers(db, { condition, ...page })
    },

    get: (id) => requireUser(db, id),

    async create(body, actor) {
      const fields = readUserFields(readAttributes(body, 'The body'))
      const [email, name] = [toAccountEmail(fields), toAccountName(fields)]
      return db.transaction().execute(async (tx) => {
        await acquireUserListLock(tx)
        await requireFreeNames(tx, null, { userName: fields.userName, email })
        const account = { email, name, role: 'member', passwordHash: null } as const
        const { id } = await parts.users.insert(tx, account, actor)
        await saveFields(tx, id, fields, { isCreation: true, now: clock.now() })
        if (!fields.active) await userChanges.apply(tx, { userId: id, isActive: false, actor })
        return requireUser(tx, id)
      })
    },

    async replace(id, body, check, actor) {
      const attributes = readAttributes(body, 'The body')
      const fields = readUserFields(attributes)
      // A client that leaves `active` out does not mean to reactivate the user.
      return update(id, check, actor, ({ active }) =>
        attributes.has('active') ? fields : { ...fields, active },
      )
    },

    async patch(id, body, check, actor) {
      const operations = readPatch(body)
      return update(id, check, actor, (current) => {
        const { userName, externalId, displayName, name, emails, active } = current
        const resource = new Map<string, unknown>([
          ['username', userName],
          ['externalid', externalId],
          ['displayname', displayName],
          ['name', name],
          ['emails', emails],
          ['active', active],
        ])
        for (const operation of operations) applyOperation(resource, operation, USER_ATTRIBUTES)
        return readUserFields(resource)
      })
    },

    async remove(id, check, actor) {
      // Everything that acts for the person ends first, even if the account can't be removed.
      const user = await update(id, check, actor, (current) => ({ ...current, active: false }))
      const { revokesServiceTokens } = await parts.readSettings(db)
      try {
        await parts.removeUser(id, { revokesTokens: revokesServiceTokens }, actor)
      } catch (error) {
        if (!(error instanceof ServiceError) || error.code !== 'last_project_owner') throw error
        await hideUser(db, user, clock.now())
      }
    },
  }
}

async function requireUser(db: Db, id: string): Promise<ScimUser> {
  const user = await findScimUser(db, id)
  if (user === null) throw notFoundError('user')
  return user
}

async function storeUser(
  tx: Tx,
  parts: Parts,
  before: ScimUser,
  wanted: UserFields,
  actor: Actor,
): Promise<void> {
  const { userChanges, clock, readSettings } = parts
  const { id } = before
  const now = clock.now()
  const [email, name] = [toAccountEmail(wanted), toAccountName(wanted)]
  const isSame = describeFields(before) === describeFields(wanted)
  if (isSame) return
  const changesEmail = email !== toAccountEmail(before)
  await requireFreeNames(tx, id, { userName: wanted.userName, email })
  // The name and the address that people changed here stay until the client changes them again.
  if (name !== toAccountName(before)) await renameUser(tx, id, name, { actor, now })
  const { revokesServiceTokens } = await readSettings(tx)
  await userChanges.apply(tx, {
    userId: id,
    email: changesEmail ? email : undefined,
    isActive: wanted.active === before.active ? undefined : wanted.active,
    revokesTokens: before.active && !wanted.active && revokesServiceTokens,
    actor,
  })
  await saveFields(tx, id, wanted, { isCreation: false, now })
  await appendAudit(tx, now, actor, 'provisioned user changed', id, wanted.userName)
}

function describeFields(fields: UserFields): string {
  const { userName, externalId, displayName, name, emails, active } = fields
  const parts = [name.formatted, name.familyName, name.givenName]
  const addresses = emails.map(({ value, type, primary }) => [value, type, primary ?? false])
  return JSON.stringify([userName, externalId, displayName, parts, addresses, active])
}

async function saveFields(
  tx: Tx,
  userId: string,
  { userName, externalId, displayName, name, emails }: UserFields,
  { isCreation, now }: { isCreation: boolean; now: Date },
): Promise<void> {
  const columns = {
    user_name: userName,
    folded_user_name: userName.toLowerCase(),
    external_id: externalId,
    attributes: JSON.stringify({ displayName, name, emails }),
    updated_at: now,
  }
  await tx
    .insertInto('scim_user')
    .values({ user_id: userId, is_creation: isCreation, ...columns })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(columns))
    .execute()
}

/**
 * A user name may not be the user name or the address of another person, whom a filter would find instead. The caller
 * holds the lock of the user list.
 */
async function requireFreeNames(
  tx: Tx,
  id: string | null,
  { userName, email }: { userName: string; email: string },
): Promise<void> {
  const names = [userName.toLowerCase(), email]
  const { rows } = await sql<{ isHidden: boolean }>`
    select s.deleted_at is not null as "isHidden" from app_user u left join scim_user s on s.user_id = u.id
    where u.id is distinct from ${id} and (u.email = any(${names}::text[]) or s.folded_user_name = ${names[0]})
    limit 1`.execute(tx)
  const [other] = rows
  if (other === undefined) return
  const detail = other.isHidden
    ? 'The deprovisioned account with this userName or email still owns private projects: an admin must remove it first'
    : 'Another user has this userName or email'
  throw new ScimError('uniqueness', detail, 409)
}

/** The client does not see the account any longer. It stays deactivated until an admin names a new owner. */
async function hideUser(db: Db, user: ScimUser, now: Date): Promise<void> {
  const { id: userId } = user
  await db.transaction().execute(async (tx) => {
    await saveFields(tx, userId, user, { isCreation: false, now })
    const { rows } = await sql<{ project: string }>`select distinct r.project from scim_group_role r
      join scim_group_member m on m.group_id = r.group_id where m.user_id = ${userId}`.execute(tx)
    await tx.deleteFrom('scim_group_member').where('user_id', '=', userId).execute()
    const projects = rows.map(({ project }) => project)
    await applyGroupRoles(tx, { projects, userIds: [userId] }, now)
    await tx
      .updateTable('scim_user')
      .set({ deleted_at: now })
      .where('user_id', '=', userId)
      .execute()
  })
}
