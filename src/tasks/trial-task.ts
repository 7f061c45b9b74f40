import { sql, type RawBuilder } from 'kysely'

/**
 * "Try it" runs a prompt through one task per person, which is replaced at every trial. Its name has the id of the
 * person, so that it belongs to nobody else.
 */
const PREFIX = 'trial-'
const TRIAL_NAME = /^trial-usr_/

export function toTrialTaskName(userId: string): string {
  return `${PREFIX}${userId}`
}

/** Whether only this person may create a task with this name. Null for a caller that is no person. */
export function isTrialNameOfOthers(name: string, userId: string | null): boolean {
  return TRIAL_NAME.test(name) && (userId === null || name !== toTrialTaskName(userId))
}

/**
 * Whether a row of `task` is a trial. It reads only what every person reads and never starts by itself; a trial that
 * someone enabled, scheduled or took over is a task like others.
 */
export function isTrialTask(): RawBuilder<boolean> {
  return sql<boolean>`(task.owner_id is not null and task.name = ${PREFIX} || task.owner_id
    and not task.enabled and task.cron_expression is null and task.project is null)`
}
