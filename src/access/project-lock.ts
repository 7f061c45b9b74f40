import { sql } from 'kysely'
import type { Tx } from '../db/database.ts'

const LOCK_MODES = { change: sql`for update`, use: sql`for share` } as const

/**
 * Locks the access of a project until the transaction ends. `change`: concurrent changes wait for each other. `use`: it
 * does not change before what depends on it is stored. A project of the team may have no row, so that one is created.
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
