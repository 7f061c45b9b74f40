import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../db/database.ts'
import { randomBase62 } from '../lib/crypto/random.ts'

/**
 * "Try it" runs a prompt through a task of its own, which is removed at a later trial when it has ended. Its name has the
 * id of the person, so that it belongs to nobody else.
 */
const PREFIX = 'trial-'
const TRIAL_NAME = /^trial-usr_/

export function createTrialTaskName(userId: string): string {
  return `${PREFIX}${userId}.${randomBase62(8)}`
}

/** The trials of a person that have ended. */
export async function listEndedTrials(db: Db, userId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('task')
    .select('name')
    .where('owner_id', '=', userId)
    .where(isTrialTask())
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('execution')
            .select('id')
            .whereRef('task_id', '=', 'task.id')
            .where('status', '=', 'running'),
        ),
      ),
    )
    // One without any execution is about to run, unless its node was killed.
    .where(({ eb, or }) =>
      or([eb('last_number', '>', 0), eb('created_at', '<', sql<Date>`now() - interval '1 hour'`)]),
    )
    .execute()
  return rows.map(({ name }) => name)
}

/** Whether only this person may create a task with this name. Null for a caller that is no person. */
export function isTrialNameOfOthers(name: string, userId: string | null): boolean {
  return TRIAL_NAME.test(name) && (userId === null || !name.startsWith(`${PREFIX}${userId}`))
}

/**
 * Whether a row of `task` is a trial. It reads only what every person reads and never starts by itself; a trial that
 * someone enabled, scheduled or took over is a task like others.
 */
export function isTrialTask(): RawBuilder<boolean> {
  return sql<boolean>`(task.owner_id is not null and starts_with(task.name, ${PREFIX} || task.owner_id)
    and not task.enabled and task.cron_expression is null and task.project is null)`
}
