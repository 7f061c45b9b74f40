import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import { allowsProject, readsProject } from './project-condition.ts'
import { isTwinOfProject } from './project-names.ts'
import { isUnrestricted, type Viewer } from './viewer.ts'

/** A line of a meeting or document: its meeting if it has one, and the project in which it was found. */
export type FoundLine = { project: string; meetingId: string | null }

/** Whether the viewer may read all of these lines now. A meeting may have been moved since a line was found. */
export async function mayReadLines(
  db: Db,
  viewer: Viewer,
  lines: readonly FoundLine[],
): Promise<boolean> {
  if (isUnrestricted(viewer) || lines.length === 0) return true
  const projects = lines.map(({ project }) => project)
  const meetingIds = lines.map(({ meetingId }) => meetingId)
  const { rows } = await sql<{ isAllowed: boolean }>`
    select bool_and(${readsProject(viewer, 'given.project')}) as "isAllowed"
    from (
      select distinct coalesce(m.project, line.project) as project
      from unnest(${projects}::text[], ${meetingIds}::text[]) as line (project, meeting_id)
        left join meeting m on m.id = line.meeting_id
    ) as given`.execute(db)
  return rows[0]?.isAllowed === true
}

/**
 * Whether the viewer may do this in a project, which need not exist. Nobody may use the id of another project in other
 * letter case.
 */
export async function mayUseProject(
  db: Db,
  viewer: Viewer,
  action: 'read' | 'edit',
  project: string,
): Promise<boolean> {
  const { rows } = await sql<{ isAllowed: boolean }>`
    select ${allowsProject(viewer, action, 'given.project')} and not ${isTwinOfProject(project)} as "isAllowed"
    from (select ${project}::text as project) as given`.execute(db)
  return rows[0]?.isAllowed === true
}
