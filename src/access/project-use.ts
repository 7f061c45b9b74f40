import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import { ServiceError } from '../errors.ts'
import { allowsProject, readsProject } from './project-condition.ts'
import { isTwinOfProject, registerProject, claimProjectName } from './registered-projects.ts'
import { requireAccess } from './subjects.ts'
import { isUnrestricted, type Viewer } from './viewer.ts'

/** A line of a meeting or document: its meeting if it has one, and the project where it was found. */
export type FoundLine = { project: string; meetingId: string | null }

const MAX_NAME_CHARS = 40
const MAX_NAMES = 20

/** True if the viewer may currently read all of these lines. A meeting may have moved since a line was found. */
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

/** True if the viewer may do this in a project, which need not exist. False for an existing id in other letter case. */
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

/**
 * A person's private project for things that they store without naming a project, such as `ada-private`. Creates it if
 * it does not exist. If another project has the name, the new one gets a number.
 */
export async function openPrivateProject(
  tx: Db,
  viewer: Viewer & { kind: 'user' },
  email: string,
  now: Date,
): Promise<string> {
  const name = toNamePart(email)
  for (let number = 1; number <= MAX_NAMES; number += 1) {
    const id = number === 1 ? `${name}-private` : `${name}-private-${number}`
    if (!(await claimProjectName(tx, id))) continue
    await registerProject(tx, viewer, id, { access: 'private', now })
    if (!(await isOwnPrivateProject(tx, viewer.userId, id))) continue
    // A token may be limited to other projects.
    await requireAccess(tx, viewer, { kind: 'new_project', id, action: 'edit' })
    return id
  }
  throw new ServiceError('project_not_found')
}

function toNamePart(email: string): string {
  const words = email
    .split('@')[0]
    ?.toLowerCase()
    .match(/[a-z0-9]+/g) ?? ['my']
  return words.join('-').slice(0, MAX_NAME_CHARS)
}

async function isOwnPrivateProject(tx: Db, userId: string, project: string): Promise<boolean> {
  const row = await tx
    .selectFrom('project_access as pa')
    .innerJoin('project_member as pm', 'pm.project', 'pa.project')
    .select('pa.project')
    .where('pa.project', '=', project)
    .where('pa.access', '=', 'private')
    .where('pm.user_id', '=', userId)
    .where('pm.role', '=', 'owner')
    .executeTakeFirst()
  return row !== undefined
}
