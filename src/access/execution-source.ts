import { sql, type RawBuilder } from 'kysely'
import { readsProject } from './project-condition.ts'
import { isUnrestricted, type Viewer } from './viewer.ts'

/**
 * The prompt and the result of an execution contain the meeting or document that started it. Who may not read that, for
 * example because the meeting moved to a private project, may not read the execution either.
 */

/** SQL: the project in which the meeting or document of an execution is now; no row when there is none. */
export function selectProjectOfSource(executionTable: string): RawBuilder<unknown> {
  const source = sql.ref(`${executionTable}.triggered_by`)
  // The path of a document is deployed-md-files/docs/<project>/<path in the project>.
  const projectInPath = sql`split_part(${source} ->> 'documentPath', '/', 3)`
  // A meeting that was removed before projects had access was open to everyone.
  return sql`select m.project from meeting m where m.id = ${source} ->> 'meetingId'
    union all select r.project from removal r
      where r.meeting_id = ${source} ->> 'meetingId' and r.project is not null
    union all select ${projectInPath} where ${source} ? 'documentPath'`
}

/** SQL condition: an execution is about a meeting of which nothing is known any more, so nobody can say who may read it. */
export function isSourceUnknown(executionTable: string): RawBuilder<boolean> {
  const meetingId = sql`${sql.ref(`${executionTable}.triggered_by`)} ->> 'meetingId'`
  return sql<boolean>`(coalesce(${meetingId}, '') <> ''
    and not exists (select from meeting m where m.id = ${meetingId})
    and not exists (select from removal r where r.meeting_id = ${meetingId}))`
}

/** SQL condition: the viewer may read the meeting or document of an execution, if it has one. */
export function readsSource(viewer: Viewer, executionTable: string): RawBuilder<boolean> {
  if (isUnrestricted(viewer)) return sql<boolean>`true`
  return sql<boolean>`(${sql.ref(`${executionTable}.triggered_by`)} is null or (
    not ${isSourceUnknown(executionTable)} and not exists (
      select from (${selectProjectOfSource(executionTable)}) as source
      where (${readsProject(viewer, 'source.project')}) is not true)))`
}
