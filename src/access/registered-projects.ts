import { sql, type RawBuilder } from 'kysely'
import type { Db, Tx } from '../db/database.ts'
import { readsProject, type QualifiedColumn } from './project-condition.ts'
import type { ProjectAccess } from './rules.ts'
import { memberIdOf, type Viewer } from './viewer.ts'

/**
 * The project of meetings that are started without one. It has no owner and is never created as private, because the
 * first user would otherwise take it from all others. For the same reason, no project gets its id in a different letter
 * case.
 */
export const DEFAULT_PROJECT = 'api'

const LOCK_MODES = { change: sql`for update`, use: sql`for share` } as const

/**
 * The id without letter case, as disks that ignore letter case compare names. Through upper case, because only then do
 * letters with several lower-case forms become equal.
 */
export function foldProjectId(id: string): string {
  return id.toLowerCase().toUpperCase().toLowerCase()
}

/** SQL condition: the id differs from another project's id only in letter case. */
export function isTwinOfProject(id: string): RawBuilder<boolean> {
  if (id === DEFAULT_PROJECT) return sql<boolean>`false`
  const folded = foldProjectId(id)
  return sql<boolean>`((${folded === DEFAULT_PROJECT} or exists (
      select from project_name where folded = ${folded} and not is_older_twin))
    and not exists (select from project_name where id = ${id}))`
}

/**
 * Called before something is stored under a project id. False if another project has the same id in a different letter
 * case, because a disk may keep both in one folder. A concurrent claim of such an id waits for the first one's
 * transaction.
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

/**
 * SQL condition: something belongs to this project. A project without documents can have an owner, or a meeting whose
 * transcript is not saved.
 */
export function hasProject(id: string): RawBuilder<boolean> {
  return sql<boolean>`(exists (select from project where id = ${id})
    or exists (select from project_access where project = ${id})
    or exists (select from meeting where project = ${id}))`
}

/**
 * SQL condition: the list of projects has this project, if the viewer may read it. A project without documents is
 * listed while it is private, because its members keep it.
 */
export function isListedProject(id: string): RawBuilder<boolean> {
  return sql<boolean>`(exists (select from project where id = ${id})
    or exists (select from project_access where project = ${id} and access = 'private'))`
}

/**
 * SQL: the names of the private projects that the viewer may read. Together with the projects that
 * `isListedBesidePrivate` allows, these are all that the viewer may read.
 */
export function selectPrivateProjects(viewer: Viewer): RawBuilder<unknown> {
  const memberId = memberIdOf(viewer)
  if (memberId === null) {
    return sql`select own.project from project_access own
      where own.access = 'private' and ${readsProject(viewer, 'own.project')}`
  }
  const joined = sql`select own.project from project_member member
    join project_access own on own.project = member.project
    where member.user_id = ${memberId} and own.access = 'private'`
  return isMembershipEnough(viewer)
    ? joined
    : sql`${joined} and ${readsProject(viewer, 'own.project')}`
}

/** SQL condition for a list that includes the projects of `selectPrivateProjects`. */
export function isListedBesidePrivate(
  viewer: Viewer,
  column: QualifiedColumn,
): RawBuilder<boolean> {
  if (!isMembershipEnough(viewer)) return readsProject(viewer, column)
  return sql<boolean>`coalesce((select false from project_access hidden
    where hidden.project = ${sql.ref(column)} and hidden.access = 'private'), true)`
}

/** True if the viewer may read every private project of its user. */
function isMembershipEnough(viewer: Viewer): boolean {
  return viewer.kind === 'user' && viewer.projects === null
}

/** Stores who created a project, unless it exists. A project that a service token creates has no owner. */
export async function registerProject(
  tx: Db,
  viewer: Viewer,
  project: string,
  { access, now }: { access: ProjectAccess; now: Date },
): Promise<void> {
  if (viewer.kind !== 'user' || project === DEFAULT_PROJECT) return
  // One statement, because a private project without an owner would be unusable.
  await sql`
    with created as (
      insert into project_access (project, access, created_by, created_at)
      select ${project}, ${access}, ${viewer.userId}, ${now}
      where not ${hasProject(project)} on conflict do nothing returning project
    )
    insert into project_member (project, user_id, role, own_role, added_by, added_at)
    select project, ${viewer.userId}, 'owner', 'owner', null, ${now} from created
    on conflict do nothing`.execute(tx)
}

/**
 * Locks a project's access until the transaction ends. `change`: concurrent changes wait for each other. `use`: the
 * access does not change before data that depends on it is stored. A team project may have no row, so one is created.
 */
export async function lockProjectAccess(
  tx: Tx,
  project: string,
  mode: keyof typeof LOCK_MODES,
  now: Date,
): Promise<void> {
  await tx
    .insertInto('project_access')
    .values({ project, access: 'team', created_by: null, created_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  await sql`select 1 from project_access where project = ${project} ${LOCK_MODES[mode]}`.execute(tx)
}
