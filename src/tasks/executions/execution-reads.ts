import { sql } from 'kysely'
import { readsSource, readsProjectOrNone } from '../../access/project-condition.ts'
import { isUnrestricted, type Viewer } from '../../access/viewer.ts'
import type { Db } from '../../db/database.ts'
import type { Execution, ExecutionStatus } from '../task.ts'

/** Duration and tokens of a task's latest executions, oldest first, for a small chart. */
export type RecentTaskExecutions = {
  name: string
  recent: Array<{
    status: ExecutionStatus
    isCancelled: boolean
    /** Null while the execution is running. */
    durationMs: number | null
    inputTokens: number
    outputTokens: number
  }>
}

/** The maximum number of tasks in one query. */
export const MAX_TASKS_PER_QUERY = 50
const MAX_RECENT_EXECUTIONS = 20

function selectExecutions(db: Db) {
  return db
    .selectFrom('execution')
    .innerJoin('task', 'task.id', 'execution.task_id')
    .select([
      'execution.id',
      'task.name as taskName',
      'execution.execution_type as executionType',
      'execution.trigger_type as triggerType',
      'execution.status',
      'execution.is_cancelled as isCancelled',
      'execution.started_at as startedAt',
      'execution.completed_at as completedAt',
      'execution.scheduled_for as scheduledFor',
      'execution.triggered_by as triggeredBy',
      'execution.missed',
      'execution.attempts',
      'execution.input_tokens as inputTokens',
      'execution.cached_input_tokens as cachedInputTokens',
      'execution.output_tokens as outputTokens',
      'execution.usage_missing as usageMissing',
      'execution.tokens_estimated as tokensEstimated',
      'execution.truncated_by as truncatedBy',
      'execution.cost_usd as costUsd',
      'execution.model',
      'execution.prompt_hash as promptHash',
      'execution.result_summary as resultSummary',
      'execution.document_path as documentPath',
    ])
}

type ExecutionRow = Omit<Execution, 'inputTokens' | 'cachedInputTokens' | 'outputTokens'> & {
  inputTokens: string
  cachedInputTokens: string
  outputTokens: string
}

function toExecution(row: ExecutionRow): Execution {
  return {
    ...row,
    inputTokens: Number(row.inputTokens),
    cachedInputTokens: Number(row.cachedInputTokens),
    outputTokens: Number(row.outputTokens),
  }
}

/**
 * Lists the executions of a task that the viewer may read, newest first. Execution numbers have no gaps, so a page is
 * found by number. A late page costs no more than the first, unless some executions are hidden.
 */
export async function listExecutionsOfTask(
  db: Db,
  viewer: Viewer,
  taskId: string,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ executions: Execution[]; total: number }> {
  const { last, first } = await db
    .selectFrom('execution')
    .select((eb) => [eb.fn.max('number').as('last'), eb.fn.min('number').as('first')])
    .where('task_id', '=', taskId)
    .executeTakeFirstOrThrow()
  if (last === null || first === null) return { executions: [], total: 0 }
  const hidden = await countHiddenExecutions(db, viewer, taskId)
  const rows = await selectExecutions(db)
    .where('execution.task_id', '=', taskId)
    .$if(hidden === 0, (query) => query.where('execution.number', '<=', last - offset))
    .$if(hidden > 0, (query) => query.offset(offset))
    // Needed even if none was hidden a moment ago, because a meeting may have been moved.
    .where(readsSource(viewer, 'execution'))
    .orderBy('execution.number', 'desc')
    .limit(limit)
    .execute()
  return { executions: rows.map(toExecution), total: last - first + 1 - hidden }
}

/** How many executions of a task have a meeting or document that the viewer may not read. */
async function countHiddenExecutions(db: Db, viewer: Viewer, taskId: string): Promise<number> {
  if (isUnrestricted(viewer)) return 0
  const { count } = await db
    .selectFrom('execution')
    .select((eb) => eb.fn.countAll<string>().as('count'))
    .where('task_id', '=', taskId)
    .where('triggered_by', 'is not', null)
    .where(sql<boolean>`not ${readsSource(viewer, 'execution')}`)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** An execution, with the ids of the previous and next one that the viewer may read. */
export async function findExecution(db: Db, viewer: Viewer, id: string) {
  const row = await selectExecutions(db)
    .select((eb) => [
      eb
        .selectFrom('execution as previous')
        .select('previous.id')
        .whereRef('previous.task_id', '=', 'execution.task_id')
        .whereRef('previous.number', '<', 'execution.number')
        .where(readsSource(viewer, 'previous'))
        .orderBy('previous.number', 'desc')
        .limit(1)
        .as('previousExecutionId'),
      eb
        .selectFrom('execution as next')
        .select('next.id')
        .whereRef('next.task_id', '=', 'execution.task_id')
        .whereRef('next.number', '>', 'execution.number')
        .where(readsSource(viewer, 'next'))
        .orderBy('next.number')
        .limit(1)
        .as('nextExecutionId'),
    ])
    .select([
      'execution.prompt_text as promptText',
      'execution.output',
      'execution.created_at as requestedAt',
    ])
    .where('execution.id', '=', id)
    .executeTakeFirst()
  if (row === undefined) return null
  const { promptText, output, requestedAt, previousExecutionId, nextExecutionId, ...rest } = row
  const neighbours = { requestedAt, previousExecutionId, nextExecutionId }
  return { ...toExecution(rest), promptText, output, ...neighbours }
}

/** A task's newest completed execution, or null. Its output is null if the viewer may not read it. */
export async function findLastCompletedStartAndOutput(db: Db, viewer: Viewer, taskId: string) {
  const row = await db
    .selectFrom('execution')
    .select('started_at as startedAt')
    .select(
      sql<string | null>`case when ${readsSource(viewer, 'execution')} then output end`.as(
        'output',
      ),
    )
    .where('task_id', '=', taskId)
    .where('status', '=', 'completed')
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row ?? null
}

/** Reads the latest executions of several tasks in one query. Its cost does not grow with a task's history. */
export async function findRecentExecutionsOfTasks(
  db: Db,
  viewer: Viewer,
  names: readonly string[],
): Promise<RecentTaskExecutions[]> {
  const { rows } = await sql<RecentTaskExecutions>`
    select task.name, coalesce(latest.recent, '[]') as recent
    from task, lateral (
      select json_agg(json_build_object(
        'status', status,
        'isCancelled', is_cancelled,
        'durationMs', greatest(0, round(extract(epoch from completed_at - started_at) * 1000)),
        'inputTokens', input_tokens,
        'outputTokens', output_tokens
      ) order by number) as recent
      from (
        select * from execution where task_id = task.id and ${readsSource(viewer, 'execution')}
        order by number desc limit ${MAX_RECENT_EXECUTIONS}
      ) as newest
    ) as latest
    where task.name = any(${names}) and ${readsProjectOrNone(viewer, 'task.project')}
    order by task.name
  `.execute(db)
  return rows
}
