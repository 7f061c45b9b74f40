import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import { hasProject } from './project-existence.ts'
import { DEFAULT_PROJECT } from './project-names.ts'
import type { ProjectAccess } from './rules.ts'
import type { Viewer } from './viewer.ts'

/** Stores who created a project, unless it exists. Nobody is the owner of a project that a service token creates. */
export async function registerProject(
  tx: Db,
  viewer: Viewer,
  project: string,
  { access, now }: { access: ProjectAccess; now: Date },
): Promise<void> {
  if (viewer.kind !== 'user' || project === DEFAULT_PROJECT) return
  // One statement, because a private project without an owner could be used by nobody.
  await sql`
    with created as (
      insert into project_access (project, access, created_by, created_at)
      select ${project}, ${access}, ${viewer.userId}, ${now}
      where not ${hasProject(project)} on conflict do nothing returning project
    )
    insert into project_member (project, user_id, role, added_by, added_at)
    select project, ${viewer.userId}, 'owner', null, ${now} from created
    on conflict do nothing`.execute(tx)
}
