import { sql, type RawBuilder } from 'kysely'
import { readsProject, type QualifiedColumn } from './project-condition.ts'
import { memberIdOf, type Viewer } from './viewer.ts'

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
 * SQL condition: the list of projects has this project, if the viewer may read it. One without documents is listed while
 * it is private: its members keep it.
 */
export function isListedProject(id: string): RawBuilder<boolean> {
  return sql<boolean>`(exists (select from project where id = ${id})
    or exists (select from project_access where project = ${id} and access = 'private'))`
}

/**
 * SQL: the names of the private projects that the viewer may read. With what `isListedBesidePrivate` allows, they are all
 * that the viewer may read.
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

/** SQL condition for the projects of a list that has those of `selectPrivateProjects` too. */
export function isListedBesidePrivate(
  viewer: Viewer,
  column: QualifiedColumn,
): RawBuilder<boolean> {
  if (!isMembershipEnough(viewer)) return readsProject(viewer, column)
  return sql<boolean>`coalesce((select false from project_access hidden
    where hidden.project = ${sql.ref(column)} and hidden.access = 'private'), true)`
}

/** Whether the viewer may read a private project of its user without any other condition. */
function isMembershipEnough(viewer: Viewer): boolean {
  return viewer.kind === 'user' && viewer.projects === null
}
