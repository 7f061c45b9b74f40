import { sql, type RawBuilder } from 'kysely'
import { allowsProject } from './project-condition.ts'
import type { Viewer } from './viewer.ts'

/** SQL condition: `decideCalendarAccess` allows the viewer to use this row of the table `calendar`. */
export function ownsCalendar(viewer: Viewer): RawBuilder<boolean> {
  if (viewer.kind === 'task') return sql<boolean>`false`
  if (viewer.kind === 'service')
    return sql<boolean>`(calendar.user_id is null and ${allowsProject(viewer, 'read', 'calendar.project')})`
  const isInProjects =
    viewer.projects === null ? sql`true` : sql`calendar.project = any(${viewer.projects}::text[])`
  return sql<boolean>`(calendar.user_id = ${viewer.userId} and ${isInProjects})`
}
