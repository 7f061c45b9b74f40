import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import { newOrderedId } from '../../lib/crypto/random.ts'
import { insertExecutions, type NewExecution } from '../execution-store.ts'
import type { DueStatus } from './due-status.ts'
import type { TaskPlan } from './task-planner.ts'
import type { ExecutionQueue } from '../running/execution-queue.ts'
import type { Tx } from '../task-store.ts'
import type { SkipReason } from '../task.ts'

export type DueTask = {
  id: string
  name: string
  promptName: string
  cronExpression: string
  timezone: string
  nextRunAt: Date
  /** The same, put off by the spread. */
  dueAt: Date
}

/** A due task, what its time is worth, and when it is due next. */
export type DueDecision = {
  task: DueTask
  dueStatus: DueStatus
  plan: TaskPlan
  isOverBudget: boolean
}

export type DueClaimResult = {
  executionIds: string[]
  skips: Array<{ name: string; reason: SkipReason }>
}

/** Oldest first. */
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
 * Moves the due times on and makes their executions, all or nothing. A task that another node is at, or has
 * moved on, is left alone.
 */
export function claimDueTasks(
  db: Db,
  queue: ExecutionQueue,
  judged: DueDecision[],
  now: Date,
): Promise<DueClaimResult> {
  return db.transaction().execute(async (tx) => {
    const found = await lockDueTasks(
      tx,
      judged.map(({ task }) => task.id),
    )
    const changes = judged.flatMap((item) => {
      const row = found.get(item.task.id)
      const isSame = row?.nextRunAt?.getTime() === item.task.nextRunAt.getTime()
      return row === undefined || !isSame ? [] : [decideUpdate(item, row, now)]
    })
    await saveUpdates(tx, changes, now)
    const executions = changes.flatMap(({ execution }) => execution ?? [])
    await insertExecutions(tx, executions)
    const executionIds = executions.map(({ id }) => id)
    await queue.enqueue(tx, executionIds)
    const skips = changes.flatMap(({ name, skip }) =>
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
  isFired: boolean
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
      // The clock was put back: this time has had its execution.
      sql<boolean>`exists (select from execution
        where task_id = task.id and scheduled_for = task.next_run_at)`.as('isFired'),
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
  { task, dueStatus, plan, isOverBudget }: DueDecision,
  row: LockedDueTask,
  now: Date,
): DueTaskUpdate {
  const change = { id: task.id, name: task.name, plan, execution: null, skip: null }
  if (dueStatus.state === 'late') {
    const skip = dueStatus.latest === null ? ('missed' as const) : null
    const missed = row.missed + dueStatus.missed
    return { ...change, catchUpFor: dueStatus.latest, missed, skip }
  }
  const kept = { ...change, catchUpFor: row.catchUpFor, missed: row.missed }
  if (row.isFired) return kept
  if (row.isRunning) return { ...kept, skip: 'overlap' }
  if (isOverBudget) return { ...kept, skip: 'budget' }
  // What was to be made up for goes into this execution, which knows how many it stands for.
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
  return { ...change, catchUpFor: null, missed: 0, execution }
}

async function saveUpdates(tx: Tx, changes: DueTaskUpdate[], now: Date): Promise<void> {
  if (changes.length === 0) return
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
      ${changes.map(({ id }) => id)}::text[],
      ${changes.map(({ plan }) => plan.nextRunAt)}::timestamptz[],
      ${changes.map(({ plan }) => plan.dueAt)}::timestamptz[],
      ${changes.map(({ catchUpFor }) => catchUpFor)}::timestamptz[],
      ${changes.map(({ missed }) => missed)}::int[],
      ${changes.map(({ execution }) => (execution === null ? 0 : 1))}::int[],
      ${changes.map(({ skip }) => skippedAt(skip))}::timestamptz[],
      ${changes.map(({ skip }) => skip)}::text[]
    ) as change (id, next_run_at, due_at, catch_up_for, missed, fired, skipped_at, skip)
    where task.id = change.id
  `.execute(tx)
}
