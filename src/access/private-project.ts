import type { Db } from '../db/database.ts'
import { ServiceError } from '../errors.ts'
import { claimProjectName } from './project-names.ts'
import { registerProject } from './register-project.ts'
import { requireAccess } from './subjects.ts'
import type { Viewer } from './viewer.ts'

const MAX_NAME_CHARS = 40
const MAX_NAMES = 20

/**
 * The private project of a person for what they store without naming a project, such as `ada-private`. Creates it if it
 * does not exist. Other projects may have the name, so that the next ones have a number.
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
    // A token may be narrowed to other projects.
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
