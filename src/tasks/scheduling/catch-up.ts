import { sql } from 'kysely'
import type { Db, Tx } from '../../db/database.ts'
import { readTotalNodeCapacity } from '../../db/nodes/node-list.ts'
import { newOrderedId } from '../../lib/crypto/random.ts'
import { insertExecutions } from '../executions/execution-store.ts'
import type { ExecutionQueue } from '../running/execution-queue.ts'
import type { SkipReason } from '../task.ts'

/** Advisory lock: one node at a time decides whether another catch-up run may start. */
const CATCH_UP_LOCK = [4744, 1] as const

/** The catch-up run that was started or skipped. Null when no missed run waits or enough catch-up runs are running. */
export type StartedOrSkippedCatchUp = {
  executionId: string | null
  name: string
  skip: SkipReason | null
} | null

/**
 * Starts the execution of one missed run. At most one catch-up run per node is running at any time, so that a long outage is
 * not followed by a burst of executions.
 */
export function startNextCatchUp(
  db: Db,
  queue: ExecutionQueue,
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
    await queue.enqueue(tx, [id])
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
