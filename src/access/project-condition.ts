import { sql, type RawBuilder } from 'kysely'
import { ALLOWED_RELATIONS, MEMBER_ROLES, type MemberRole, type RoleAction } from './rules.ts'
import { isUnrestricted, memberIdOf, type Viewer } from './viewer.ts'

/** With its table, because the condition's tables `rule` and `rule_member` have a column `project` too. */
export type QualifiedColumn = `${string}.${string}`

/**
 * SQL condition: the viewer may do this in the project that `column` names. Every list, count, search and stream uses
 * it. False if the column is null.
 *
 * Deliberately a subquery: PostgreSQL does not merge it into the query, so it looks up one private project for each row
 * that it reads instead of reading all private projects first.
 */
export function allowsProject(
  viewer: Viewer,
  action: Exclude<RoleAction, 'manage'>,
  column: QualifiedColumn,
): RawBuilder<boolean> {
  if (isUnrestricted(viewer)) return sql<boolean>`true`
  const conditions = [
    ...(viewer.projects === null
      ? []
      : [sql<boolean>`${sql.ref(column)} = any(${viewer.projects}::text[])`]),
    ...(viewer.kind === 'service' && viewer.isTeamOnly !== true
      ? []
      : [allowsPrivate(viewer, ALLOWED_RELATIONS[action], column)]),
  ]
  return sql<boolean>`(${sql.join(conditions, sql` and `)})`
}

/** SQL condition: the viewer may read the project that `column` names. */
export function readsProject(viewer: Viewer, column: QualifiedColumn): RawBuilder<boolean> {
  return allowsProject(viewer, 'read', column)
}

/**
 * SQL condition for rows that may have no project, such as tasks and their usage. Everyone may read those, unless their
 * access is limited to some projects.
 */
export function readsProjectOrNone(viewer: Viewer, column: QualifiedColumn): RawBuilder<boolean> {
  if (isUnrestricted(viewer)) return sql<boolean>`true`
  return viewer.projects !== null
    ? readsProject(viewer, column)
    : sql<boolean>`(${sql.ref(column)} is null or ${readsProject(viewer, column)})`
}

function allowsPrivate(
  viewer: Viewer,
  roles: readonly MemberRole[],
  column: QualifiedColumn,
): RawBuilder<boolean> {
  return sql<boolean>`${sql.ref(column)} is not null and coalesce((select ${isAllowedMember(viewer, roles)} from project_access rule
    where rule.project = ${sql.ref(column)} and rule.access = 'private'), true)`
}

function isAllowedMember(viewer: Viewer, roles: readonly MemberRole[]): RawBuilder<boolean> {
  // Every member may read, so the most frequent question needs no role.
  const hasRole =
    roles.length === MEMBER_ROLES.length ? sql`` : sql`and rule_member.role = any(${roles}::text[])`
  const isMember = sql<boolean>`exists (select from project_member rule_member
    where rule_member.user_id = ${memberIdOf(viewer)} and rule_member.project = rule.project ${hasRole})`
  if (viewer.kind !== 'task') return isMember
  if (viewer.project === null) return sql<boolean>`false`
  const isOwnProject = sql<boolean>`rule.project = ${viewer.project}`
  return viewer.ownerId === null ? isOwnProject : sql<boolean>`(${isOwnProject} and ${isMember})`
}

/** SQL condition: `decideCalendarAccess` allows the viewer to use this row of the table `calendar`. */
export function ownsCalendar(viewer: Viewer): RawBuilder<boolean> {
  if (viewer.kind === 'task') return sql<boolean>`false`
  if (viewer.kind === 'service')
    return sql<boolean>`(calendar.user_id is null and ${allowsProject(viewer, 'read', 'calendar.project')})`
  const isInProjects =
    viewer.projects === null ? sql`true` : sql`calendar.project = any(${viewer.projects}::text[])`
  return sql<boolean>`(calendar.user_id = ${viewer.userId} and ${isInProjects})`
}

/**
 * The prompt and the result of an execution contain the meeting or document that started it. Without the right to read
 * that, for example because the meeting moved to a private project, a viewer may not read the execution either.
 */

/** SQL: the project where an execution's meeting or document is now. No row if there is none. */
export function selectProjectOfSource(executionTable: string): RawBuilder<unknown> {
  const source = sql.ref(`${executionTable}.triggered_by`)
  // The path of a document is deployed-md-files/docs/<project>/<path in the project>.
  const projectInPath = sql`split_part(${source} ->> 'documentPath', '/', 3)`
  // A meeting that was removed before projects had access was open to everyone.
  return sql`select m.project from meeting m where m.id = ${source} ->> 'meetingId'
    union all select r.project from removal r
      where r.meeting_id = ${source} ->> 'meetingId' and r.project is not null
    union all select ${source} ->> 'project' where ${source} ? 'upcomingId'
    union all select ${projectInPath} where ${source} ? 'documentPath'`
}

/** SQL condition: nothing is known any longer about an execution's meeting, so it is unknown who may read it. */
export function isSourceUnknown(executionTable: string): RawBuilder<boolean> {
  const meetingId = sql`${sql.ref(`${executionTable}.triggered_by`)} ->> 'meetingId'`
  return sql<boolean>`(coalesce(${meetingId}, '') <> ''
    and not exists (select from meeting m where m.id = ${meetingId})
    and not exists (select from removal r where r.meeting_id = ${meetingId}))`
}

/** SQL condition: the viewer may read the execution's meeting or document, if it has one. */
export function readsSource(viewer: Viewer, executionTable: string): RawBuilder<boolean> {
  if (isUnrestricted(viewer)) return sql<boolean>`true`
  return sql<boolean>`(${sql.ref(`${executionTable}.triggered_by`)} is null or (
    not ${isSourceUnknown(executionTable)} and not exists (
      select from (${selectProjectOfSource(executionTable)}) as source
      where (${readsProject(viewer, 'source.project')}) is not true)))`
}
