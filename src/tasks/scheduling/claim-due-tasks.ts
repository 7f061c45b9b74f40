import { sql } from 'kysely'
import type { Db, Tx } from '../../db/database.ts'
import { readTotalNodeCapacity } from '../../db/nodes/node-rows.ts'
import { newOrderedId } from '../../lib/crypto.ts'
import { insertExecutions, type NewExecution } from '../executions/execution-store.ts'
import type { SkipReason } from '../task.ts'
import type { DueStatus, TaskPlan } from './task-planner.ts'

export type DueTask = {
  id: string
  name: string
  promptName: string
  cronExpression: string
  timezone: string
  nextRunAt: Date
  /** `nextRunAt` plus the task's spread. */
  dueAt: Date
}

/** A due task, the status of its due time (on time or late), and its next due time. */
export type DueTaskAssessment = {
  task: DueTask
  dueStatus: DueStatus
  plan: TaskPlan
  isOverBudget: boolean
}

export type DueClaimResult = {
  executionIds: string[]
  skips: Array<{ name: string; reason: SkipReason }>
}

/** Advisory lock: one node at a time decides if another catch-up run may start. */
const CATCH_UP_LOCK = [4744, 1] as const

/** The catch-up run that was started or skipped. Null if no missed run waits or enough catch-up runs are running. */
type StartedOrSkippedCatchUp = {
  executionId: string | null
  name: string
  skip: SkipReason | null
} | null

/** Tasks whose due time has passed, oldest due time first. */
export async function findDueTasks(db: Db, now: Date, limit: number): Promise<DueTask[]> {
  const rows = await db
    .selectFrom('task')
    .select([
      'id',
      'name',
      'prompt_name as promptName',
      'cron_expression as cronExpression',
      'timezone',
      'next_run_at as nextRunAt',
      'due_at as dueAt',
    ])
    .where('due_at', '<=', now)
    .orderBy('due_at')
    .limit(limit)
    .execute()
  return rows.filter(
    (row): row is DueTask =>
      row.nextRunAt !== null && row.dueAt !== null && row.cronExpression !== null,
  )
}

export async function findNextDueTime(db: Db): Promise<Date | null> {
  const row = await db
    .selectFrom('task')
    .select((eb) => eb.fn.min('due_at').as('at'))
    .where('due_at', 'is not', null)
    .executeTakeFirst()
  return row?.at ?? null
}

/**
 * Advances the due times and creates the executions in one transaction. Skips a task if another node has locked it or
 * has already advanced its due time.
 */
export function claimDueTasks(
  db: Db,
  decisions: DueTaskAssessment[],
  now: Date,
): Promise<DueClaimResult> {
  return db.transaction().execute(async (tx) => {
    const lockedTasks = await lockDueTasks(
      tx,
      decisions.map(({ task }) => task.id),
    )
    const updates = decisions.flatMap((decision) => {
      const row = lockedTasks.get(decision.task.id)
      const isUnchanged = row?.nextRunAt?.getTime() === decision.task.nextRunAt.getTime()
      return row === undefined || !isUnchanged ? [] : [decideUpdate(decision, row, now)]
    })
    await saveUpdates(tx, updates, now)
    const executions = updates.flatMap(({ execution }) => execution ?? [])
    await insertExecutions(tx, executions)
    const executionIds = executions.map(({ id }) => id)
    const skips = updates.flatMap(({ name, skip }) =>
      skip === null ? [] : [{ name, reason: skip }],
    )
    return { executionIds, skips }
  })
}

type LockedDueTask = {
  id: string
  nextRunAt: Date | null
  catchUpFor: Date | null
  missed: number
  lastNumber: number
  isRunning: boolean
  /** True if the due time already has an execution, which happens after the clock was set back. */
  hasExecution: boolean
}

async function lockDueTasks(tx: Tx, ids: string[]): Promise<Map<string, LockedDueTask>> {
  const rows = await tx
    .selectFrom('task')
    .select([
      'id',
      'next_run_at as nextRunAt',
      'catch_up_for as catchUpFor',
      'missed',
      'last_number as lastNumber',
      isRunning.as('isRunning'),
      sql<boolean>`exists (select from execution
        where task_id = task.id and scheduled_for = task.next_run_at)`.as('hasExecution'),
    ])
    .where('id', 'in', ids)
    .orderBy('id')
    .forUpdate()
    .skipLocked()
    .execute()
  return new Map(rows.map((row) => [row.id, row]))
}

const isRunning = sql<boolean>`exists (select from execution
  where task_id = task.id and status = 'running')`

type DueTaskUpdate = {
  id: string
  name: string
  plan: TaskPlan
  catchUpFor: Date | null
  missed: number
  execution: NewExecution | null
  skip: SkipReason | null
}

function decideUpdate(
  { task, dueStatus, plan, isOverBudget }: DueTaskAssessment,
  row: LockedDueTask,
  now: Date,
): DueTaskUpdate {
  const base = { id: task.id, name: task.name, plan, execution: null, skip: null }
  if (dueStatus.state === 'late') {
    const skip = dueStatus.latest === null ? ('missed' as const) : null
    const missed = row.missed + dueStatus.missed
    return { ...base, catchUpFor: dueStatus.latest, missed, skip }
  }
  const unchanged = { ...base, catchUpFor: row.catchUpFor, missed: row.missed }
  if (row.hasExecution) return unchanged
  if (row.isRunning) return { ...unchanged, skip: 'overlap' }
  if (isOverBudget) return { ...unchanged, skip: 'budget' }
  // This execution also replaces the ones for missed due times. Its prompt can read how many there were.
  const execution: NewExecution = {
    id: newOrderedId('execution', now),
    taskId: task.id,
    number: row.lastNumber + 1,
    executionType: 'schedule',
    triggerType: 'scheduled',
    scheduledFor: task.nextRunAt,
    missed: row.missed,
    isCatchUp: false,
    at: now,
  }
  return { ...base, catchUpFor: null, missed: 0, execution }
}

async function saveUpdates(tx: Tx, updates: DueTaskUpdate[], now: Date): Promise<void> {
  if (updates.length === 0) return
  const skippedAt = (skip: SkipReason | null) => (skip === null ? null : now)
  await sql`
    update task set
      next_run_at = change.next_run_at,
      due_at = change.due_at,
      catch_up_for = change.catch_up_for,
      missed = change.missed,
      last_number = last_number + change.fired,
      last_skipped_at = coalesce(change.skipped_at, last_skipped_at),
      last_skip_reason = coalesce(change.skip, last_skip_reason)
    from unnest(
      ${updates.map(({ id }) => id)}::text[],
      ${updates.map(({ plan }) => plan.nextRunAt)}::timestamptz[],
      ${updates.map(({ plan }) => plan.schedulerActsAt)}::timestamptz[],
      ${updates.map(({ catchUpFor }) => catchUpFor)}::timestamptz[],
      ${updates.map(({ missed }) => missed)}::int[],
      ${updates.map(({ execution }) => (execution === null ? 0 : 1))}::int[],
      ${updates.map(({ skip }) => skippedAt(skip))}::timestamptz[],
      ${updates.map(({ skip }) => skip)}::text[]
    ) as change (id, next_run_at, due_at, catch_up_for, missed, fired, skipped_at, skip)
    where task.id = change.id
  `.execute(tx)
}

/**
 * Starts the execution of one missed run. Each node runs at most one catch-up run at a time, so that a long outage is
 * not followed by a burst of executions.
 */
export function startNextCatchUp(
  db: Db,
  { now, isOverBudget }: { now: Date; isOverBudget: boolean },
): Promise<StartedOrSkippedCatchUp> {
  return db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(${CATCH_UP_LOCK[0]}, ${CATCH_UP_LOCK[1]})`.execute(tx)
    if (!(await hasCatchUpCapacity(tx))) return null
    const task = await tx
      .selectFrom('task')
      .select(['id', 'name', 'catch_up_for as dueFor', 'missed', 'last_number as lastNumber'])
      .select(
        sql<boolean>`exists (select from execution where task_id = task.id
          and (status = 'running' or scheduled_for = task.catch_up_for))`.as('isTaken'),
      )
      .where('catch_up_for', 'is not', null)
      .where('catch_up_for', '<=', now)
      .orderBy('catch_up_for')
      .limit(1)
      .forUpdate()
      .skipLocked()
      .executeTakeFirst()
    if (task === undefined) return null
    const skip = task.isTaken ? 'overlap' : isOverBudget ? 'budget' : null
    const number = task.lastNumber + (skip === null ? 1 : 0)
    await tx
      .updateTable('task')
      .set({
        catch_up_for: null,
        last_number: number,
        ...(skip === null ? { missed: 0 } : { last_skipped_at: now, last_skip_reason: skip }),
      })
      .where('id', '=', task.id)
      .execute()
    if (skip !== null) return { executionId: null, name: task.name, skip }
    const id = newOrderedId('execution', now)
    await insertExecutions(tx, [
      {
        id,
        taskId: task.id,
        number,
        executionType: 'schedule',
        triggerType: 'scheduled',
        scheduledFor: task.dueFor,
        missed: Math.max(0, task.missed - 1),
        isCatchUp: true,
        at: now,
      },
    ])
    return { executionId: id, name: task.name, skip: null }
  })
}

async function hasCatchUpCapacity(tx: Tx): Promise<boolean> {
  const { nodes } = await readTotalNodeCapacity(tx)
  const { running } = await tx
    .selectFrom('execution')
    .select((eb) => eb.fn.countAll<string>().as('running'))
    .where('status', '=', 'running')
    .where('is_catch_up', '=', true)
    .executeTakeFirstOrThrow()
  return Number(running) < Math.max(1, nodes)
}
