import { sql } from 'kysely'
import { appendAudit, type Actor } from '../accounts/audit.ts'
import type { Db, Tx } from '../db/database.ts'
import { ServiceError } from '../errors.ts'
import type { Clock } from '../lib/time/clock.ts'
import { removeOwnRole, strongerRole } from './group-roles.ts'
import { listAdminEntries, type AdminEntry } from './admin-entries.ts'
import {
  lockProjectAccess,
  registerProject,
  hasProject,
  claimProjectName,
  DEFAULT_PROJECT,
} from './registered-projects.ts'
import type { GroupRole, MemberRole, ProjectAccess } from './rules.ts'
import { endSharesAudited } from './sharing/end-shares.ts'
import { mayAccess, requireAccess } from './subjects.ts'
import type { Viewer } from './viewer.ts'

export type ProjectMember = {
  userId: string
  name: string
  email: string
  role: MemberRole
  /** The role that groups of the identity provider give. Null if none does. */
  groupRole: GroupRole | null
  /**
   * Who added the member or last changed the role, as in the audit log: `user:<id>` or `token:<id>`. Null for a user
   * who became owner by creating the project or making it private.
   */
  addedBy: string | null
  addedAt: Date
}

/** A project as admins see it without being members: its name, but nothing in it. */
export type ProjectSummary = {
  id: string
  access: ProjectAccess
  owners: string[]
  memberCount: number
  /** True if the admin who reads the list is a member. */
  isMember: boolean
}

/** Who may use which project. */
export interface ProjectAccessStore {
  getAccess(project: string): Promise<ProjectAccess>
  listMembers(project: string): Promise<ProjectMember[]>
  /** Admins who added themselves recently, newest first. Empty if the viewer is not an owner. */
  listAdminEntries(viewer: Viewer, project: string): Promise<AdminEntry[]>
  /**
   * A user who makes a project without an owner private becomes its owner. Its share links end, because they were made
   * when everyone could read it. Returns the number of ended links.
   */
  setAccess(
    viewer: Viewer,
    project: string,
    access: ProjectAccess,
    actor: Actor,
  ): Promise<{ endedShares: number }>
  /** Adds a user, or changes the role of a member. */
  setMember(
    viewer: Viewer,
    project: string,
    member: NewProjectMember,
    actor: Actor,
  ): Promise<ProjectMember>
  removeMember(viewer: Viewer, project: string, userId: string, actor: Actor): Promise<void>
  /** Lets an admin see a private project. The audit log, the member list and the owners' list of entries show it. */
  addAdmin(project: string, userId: string, role: MemberRole, actor: Actor): Promise<ProjectMember>
  /** All projects by name, for an admin. */
  listAll(adminId: string): Promise<ProjectSummary[]>
  /**
   * Called before something is stored in a project that may be new. Its creator becomes its owner. Throws if the viewer
   * may not change the project, because another user may have created it since the request was allowed. Throws for
   * everyone if another project has this id in a different letter case.
   */
  registerProject(db: Db, viewer: Viewer, project: string): Promise<void>
}

/** A user by id or by email address. */
export type NewProjectMember = {
  userId?: string | undefined
  email?: string | undefined
  role: MemberRole
}

type Parts = { db: Db; clock: Clock; defaultAccess: ProjectAccess }

export function createProjectAccessStore({ db, clock, defaultAccess }: Parts): ProjectAccessStore {
  /** The viewer's access is checked under the lock, because an owner may have been removed since the request came. */
  const lockManaged = async (tx: Tx, viewer: Viewer, project: string) => {
    await lockProject(tx, project, clock.now())
    await requireAccess(tx, viewer, { kind: 'project', id: project, action: 'manage' })
  }
  const saveMember = async (tx: Tx, project: string, member: SavedMember, actor: Actor) => {
    await upsertMember(tx, project, member, actor.name, clock.now())
    await requireOwner(tx, project)
  }

  return {
    async getAccess(project) {
      await requireProject(db, project)
      const row = await db
        .selectFrom('project_access')
        .select('access')
        .where('project', '=', project)
        .executeTakeFirst()
      return row?.access ?? 'team'
    },
    async listAdminEntries(viewer, project) {
      const isOwner = await mayAccess(db, viewer, {
        kind: 'project',
        id: project,
        action: 'manage',
      })
      return isOwner ? listAdminEntries(db, project, clock.now()) : []
    },
    async listMembers(project) {
      await requireProject(db, project)
      return listMembers(db, project)
    },
    setAccess: (viewer, project, access, actor) =>
      db.transaction().execute(async (tx) => {
        if (project === DEFAULT_PROJECT && access === 'private') throw defaultProjectError()
        if (viewer.kind === 'user') await requireUserId(tx, { userId: viewer.userId })
        await lockManaged(tx, viewer, project)
        const { numUpdatedRows } = await tx
          .updateTable('project_access')
          .set({ access })
          .where('project', '=', project)
          .where('access', '<>', access)
          .executeTakeFirstOrThrow()
        if (access === 'private' && viewer.kind === 'user' && !(await hasOwner(tx, project))) {
          const owner = { userId: viewer.userId, role: 'owner' as const }
          // No adder, as for a project's creator. It is shown only for an admin who enters a private project.
          await upsertMember(tx, project, owner, null, clock.now())
        }
        await requireOwner(tx, project)
        await appendAudit(tx, clock.now(), actor, 'project access changed', project, access)
        const endsShares = access === 'private' && numUpdatedRows > 0n
        const audited = { actor, now: clock.now() }
        const endedShares = endsShares
          ? await endSharesAudited(tx, { project }, 'made_private', audited)
          : 0
        return { endedShares }
      }),
    setMember: (viewer, project, { role, ...person }, actor) =>
      db.transaction().execute(async (tx) => {
        await requireProject(tx, project)
        const userId = await requireUserId(tx, person)
        await lockManaged(tx, viewer, project)
        await saveMember(tx, project, { userId, role }, actor)
        const member = await requireMember(tx, project, userId)
        const audited = { actor, now: clock.now() }
        await appendMemberAudit(tx, 'project member added', { project, member }, audited)
        return member
      }),
    removeMember: (viewer, project, userId, actor) =>
      db.transaction().execute(async (tx) => {
        await lockManaged(tx, viewer, project)
        const { email } = await requireMember(tx, project, userId)
        if ((await removeOwnRole(tx, project, userId)) === null)
          throw new ServiceError('member_through_group')
        await requireOwner(tx, project)
        await appendAudit(tx, clock.now(), actor, 'project member removed', project, email)
      }),
    addAdmin: (project, userId, role, actor) =>
      db.transaction().execute(async (tx) => {
        await requireAdmin(tx, userId)
        await lockProject(tx, project, clock.now())
        await saveMember(tx, project, { userId, role }, actor)
        const member = await requireMember(tx, project, userId)
        const audited = { actor, now: clock.now() }
        await appendMemberAudit(tx, 'admin added to project', { project, member }, audited)
        return member
      }),
    listAll: (adminId) => listProjectSummaries(db, adminId),
    async registerProject(tx, viewer, project) {
      // The error of a project that the viewer may not see, because the other project may be hidden.
      if (!(await claimProjectName(tx, project))) throw new ServiceError('project_not_found')
      await registerProject(tx, viewer, project, { access: defaultAccess, now: clock.now() })
      await requireAccess(tx, viewer, { kind: 'new_project', id: project, action: 'edit' })
    },
  }
}

function defaultProjectError(): ServiceError {
  const message = `Meetings that are started without a project go to ${DEFAULT_PROJECT}, so it stays open to the team`
  return new ServiceError('invalid_request', { details: [{ path: 'access', message }] })
}

type SavedMember = { userId: string; role: MemberRole }

/**
 * Makes concurrent changes of a project wait for each other. Otherwise two owners could remove each other at once.
 * Users are locked before projects, as when a user is removed, to prevent deadlocks.
 */
async function lockProject(tx: Tx, project: string, now: Date): Promise<void> {
  await requireProject(tx, project)
  await lockProjectAccess(tx, project, 'change', now)
}

/** A project without documents can still have an owner. */
async function requireProject(db: Db, project: string): Promise<void> {
  const { rows } = await sql`select 1 where ${hasProject(project)}`.execute(db)
  if (rows.length === 0) throw new ServiceError('project_not_found')
}

async function upsertMember(
  tx: Db,
  project: string,
  { userId, role }: SavedMember,
  addedBy: string | null,
  now: Date,
): Promise<void> {
  await tx
    .insertInto('project_member')
    .values({ project, user_id: userId, role, own_role: role, added_by: addedBy, added_at: now })
    .onConflict((conflict) =>
      conflict
        .columns(['user_id', 'project'])
        .doUpdateSet({
          role: sql<MemberRole>`${strongerRole(sql`${role}`, sql`project_member.group_role`)}`,
          own_role: role,
          added_by: addedBy,
          added_at: now,
        })
        .where(sql<boolean>`project_member.own_role is distinct from ${role}`),
    )
    .execute()
}

async function hasOwner(tx: Db, project: string): Promise<boolean> {
  const owner = await tx
    .selectFrom('project_member')
    .select('user_id')
    .where('project', '=', project)
    .where('role', '=', 'owner')
    .limit(1)
    .executeTakeFirst()
  return owner !== undefined
}

/** Rolls back a change that would leave a private project without an owner. */
async function requireOwner(tx: Db, project: string): Promise<void> {
  const { rows } = await sql`select 1 from project_access
    where project = ${project} and access = 'private'`.execute(tx)
  if (rows.length > 0 && !(await hasOwner(tx, project)))
    throw new ServiceError('last_project_owner')
}

async function requireUserId(
  tx: Db,
  { userId, email }: Omit<NewProjectMember, 'role'>,
): Promise<string> {
  const row = await tx
    .selectFrom('app_user')
    .select('id')
    .where((eb) =>
      userId === undefined ? eb('email', '=', (email ?? '').toLowerCase()) : eb('id', '=', userId),
    )
    // The user must not be removed before the member is stored.
    .forShare()
    .executeTakeFirst()
  if (row === undefined) throw new ServiceError('user_not_found')
  return row.id
}

async function requireAdmin(tx: Db, userId: string): Promise<void> {
  const { rows } = await sql`select 1 from app_user
    where id = ${userId} and role = 'admin' and deactivated_at is null for share`.execute(tx)
  if (rows.length === 0) throw new ServiceError('forbidden')
}

async function requireMember(tx: Db, project: string, userId: string): Promise<ProjectMember> {
  const member = (await listMembers(tx, project)).find((one) => one.userId === userId)
  if (member === undefined) throw new ServiceError('member_not_found')
  return member
}

/** With the email address instead of the id, because admins read it, and the user may be removed later. */
function appendMemberAudit(
  tx: Db,
  action: 'project member added' | 'admin added to project',
  { project, member: { email, role } }: { project: string; member: ProjectMember },
  { actor, now }: { actor: Actor; now: Date },
): Promise<void> {
  return appendAudit(tx, now, actor, action, project, `${email}: ${role}`)
}

function listMembers(db: Db, project: string): Promise<ProjectMember[]> {
  return db
    .selectFrom('project_member as pm')
    .innerJoin('app_user', 'app_user.id', 'pm.user_id')
    .select(['pm.user_id as userId', 'app_user.name', 'app_user.email', 'pm.role'])
    .select(['pm.group_role as groupRole', 'pm.added_by as addedBy', 'pm.added_at as addedAt'])
    .where('pm.project', '=', project)
    .orderBy('pm.added_at')
    .orderBy('pm.user_id')
    .execute()
}

async function listProjectSummaries(db: Db, adminId: string): Promise<ProjectSummary[]> {
  const { rows } = await sql<ProjectSummary>`
    select ids.id, coalesce(pa.access, 'team') as access,
      array(select u.name from project_member pm join app_user u on u.id = pm.user_id
        where pm.project = ids.id and pm.role = 'owner' order by u.name) as owners,
      (select count(*)::int from project_member pm where pm.project = ids.id) as "memberCount",
      exists (select from project_member pm
        where pm.project = ids.id and pm.user_id = ${adminId}) as "isMember"
    from (select id from project union select project from project_access) as ids
      left join project_access pa on pa.project = ids.id
    order by ids.id`.execute(db)
  return rows
}

/**
 * Called in the transaction that removes a user. Private projects that only this user owns need another owner first,
 * because otherwise no one could see them.
 */
export async function handOverProjectsOfUser(
  tx: Db,
  userId: string,
  newOwnerId: string | null,
  { actor, now }: { actor: Actor; now: Date },
): Promise<void> {
  await lockProjectsOwnedBy(tx, userId, now)
  const { rows } = await sql<{ project: string }>`
    select pm.project from project_member pm join project_access pa on pa.project = pm.project
    where pm.user_id = ${userId} and pm.role = 'owner' and pa.access = 'private'
      and not exists (select from project_member other
        where other.project = pm.project and other.role = 'owner' and other.user_id <> ${userId})
    order by pm.project`.execute(tx)
  if (rows.length === 0) return
  if (newOwnerId === null || newOwnerId === userId) {
    const message = `Only this user owns private projects (${rows.length})`
    throw new ServiceError('last_project_owner', { details: [{ path: 'newOwner', message }] })
  }
  await requireUserId(tx, { userId: newOwnerId })
  for (const { project } of rows) {
    await upsertMember(tx, project, { userId: newOwnerId, role: 'owner' }, actor.name, now)
    const member = await requireMember(tx, project, newOwnerId)
    await appendMemberAudit(tx, 'project member added', { project, member }, { actor, now })
    // The other members are told about an admin who takes over a private project.
    if (actor.name === `user:${newOwnerId}`)
      await appendMemberAudit(tx, 'admin added to project', { project, member }, { actor, now })
  }
}

/**
 * Locks all projects of an owner, even team projects and projects with other owners. Until the owner is removed, no
 * other owner may leave, and no project may become private.
 */
async function lockProjectsOwnedBy(tx: Db, userId: string, now: Date): Promise<void> {
  await sql`insert into project_access (project, access, created_by, created_at)
    select project, 'team', null, ${now} from project_member
    where user_id = ${userId} and role = 'owner' order by project
    on conflict do nothing`.execute(tx)
  await sql`select 1 from project_access where project in
    (select project from project_member where user_id = ${userId} and role = 'owner')
    order by project for update`.execute(tx)
}
