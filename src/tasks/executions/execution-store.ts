import { sql } from 'kysely'
import type { TokenUsage } from '../../ai/model.ts'
import type { Db, Tx } from '../../db/database.ts'
import { buildMayClaimCondition, buildOwnerDeadCondition } from '../../db/nodes/node-conditions.ts'
import { shortenToStorableText } from '../../db/query-helpers.ts'
import { currentTraceParent } from '../../lib/tracer.ts'
import { MAX_OUTPUT_CHARS } from '../running/live-output.ts'
import type {
  ExecutionStatus,
  ExecutedTaskKind,
  TaskRights,
  TriggerType,
  TruncationReason,
} from '../task.ts'
import type { TriggerSource } from '../triggers/task-trigger.ts'

const MAX_SUMMARY_CHARS = 500
const MAX_PROMPT_CHARS = 300_000

export type NewExecution = {
  id: string
  taskId: string
  number: number
  executionType: ExecutedTaskKind
  triggerType: TriggerType
  scheduledFor: Date | null
  missed: number
  isCatchUp: boolean
  at: Date
  /** The meeting id or `save_id` that started the execution. Null or absent for a schedule or a request. */
  triggerKey?: string
  triggeredBy?: TriggerSource | null
  /** The step of a trace that caused it. By default, the one in which it is queued. */
  traceParent?: string | null
  /** Why the execution may not run. It is then stored as failed. */
  refusal?: string
}

export async function insertExecutions(tx: Tx, executions: readonly NewExecution[]): Promise<void> {
  if (executions.length === 0) return
  await tx
    .insertInto('execution')
    .values(
      executions.map((execution) => ({
        id: execution.id,
        task_id: execution.taskId,
        number: execution.number,
        execution_type: execution.executionType,
        trigger_type: execution.triggerType,
        status: execution.refusal === undefined ? ('running' as const) : ('failed' as const),
        created_at: execution.at,
        started_at: execution.at,
        scheduled_for: execution.scheduledFor,
        missed: execution.missed,
        is_catch_up: execution.isCatchUp,
        trigger_key: execution.triggerKey ?? null,
        triggered_by: execution.triggeredBy ? JSON.stringify(execution.triggeredBy) : null,
        trace_parent: execution.traceParent ?? currentTraceParent(),
        ...(execution.refusal !== undefined && {
          completed_at: execution.at,
          result_summary: execution.refusal,
        }),
      })),
    )
    .execute()
}

/** An execution that a node has claimed, with the task data that is needed to run it. */
export type ClaimedExecution = TaskRights & {
  id: string
  taskId: string
  taskName: string
  promptName: string
  timezone: string
  timeoutMs: number
  executionType: ExecutedTaskKind
  triggerType: TriggerType
  scheduledFor: Date | null
  triggeredBy: TriggerSource | null
  traceParent: string | null
  missed: number
  startedAt: Date
}

/** Claims queued executions for a node, the oldest first. A queued execution has status `running` and no owner. */
export async function claimExecutions(
  db: Db,
  nodeId: string,
  now: Date,
  limit: number,
): Promise<ClaimedExecution[]> {
  return db
    .with('queued', (withDb) =>
      withDb
        .selectFrom('execution')
        .select('id')
        .where('status', '=', 'running')
        .where('owner', 'is', null)
        .where(buildMayClaimCondition(nodeId))
        .orderBy('created_at')
        .orderBy('id')
        .limit(limit)
        .forUpdate()
        .skipLocked(),
    )
    .updateTable('execution')
    .from(['queued', 'task'])
    .set({ owner: nodeId, started_at: now, attempts: 1 })
    .whereRef('execution.id', '=', 'queued.id')
    .whereRef('task.id', '=', 'execution.task_id')
    .returning([
      'execution.id',
      'task.id as taskId',
      'task.name as taskName',
      'task.owner_id as ownerId',
      'task.project',
      'task.projects',
      'task.prompt_name as promptName',
      'task.timezone',
      'task.timeout_ms as timeoutMs',
      'execution.execution_type as executionType',
      'execution.trigger_type as triggerType',
      'execution.scheduled_for as scheduledFor',
      'execution.triggered_by as triggeredBy',
      'execution.trace_parent as traceParent',
      'execution.missed',
      'execution.started_at as startedAt',
    ])
    .execute()
}

export type ExecutionOutcome = {
  status: Exclude<ExecutionStatus, 'running'>
  summary: string
  output: string
  documentPath: string | null
  /** Why the model's answer is incomplete; null if it is complete or there is none. */
  truncatedBy: TruncationReason | null
}

/** Stores the outcome of an execution. False if it has already ended, was cancelled or became stale. */
export async function endExecution(
  tx: Tx,
  id: string,
  owner: string,
  outcome: ExecutionOutcome,
  now: Date,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('execution')
    .set({
      status: outcome.status,
      completed_at: now,
      result_summary: shortenToStorableText(outcome.summary, MAX_SUMMARY_CHARS),
      output: shortenToStorableText(outcome.output, MAX_OUTPUT_CHARS),
      document_path: outcome.documentPath,
      truncated_by: outcome.truncatedBy,
    })
    .where('id', '=', id)
    .where('owner', '=', owner)
    .where('status', '=', 'running')
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/**
 * True if the execution has exactly this end time. If a node lost the reply to its commit, this tells if the commit
 * succeeded.
 */
export async function isExecutionEndTime(db: Db, id: string, at: Date): Promise<boolean> {
  const row = await db
    .selectFrom('execution')
    .select('completed_at')
    .where('id', '=', id)
    .executeTakeFirst()
  return row?.completed_at?.getTime() === at.getTime()
}

/** Stores the token usage, even if the execution has already ended. */
export async function saveExecutionUsage(
  tx: Tx,
  id: string,
  owner: string,
  usage: TokenUsage & { costUsd: number | null },
): Promise<void> {
  await tx
    .updateTable('execution')
    .set({
      input_tokens: usage.inputTokens,
      cached_input_tokens: usage.cachedInputTokens,
      output_tokens: usage.outputTokens,
      usage_missing: usage.isEstimated,
      tokens_estimated: usage.isEstimated,
      cost_usd: usage.costUsd,
    })
    .where('id', '=', id)
    .where('owner', '=', owner)
    .execute()
}

export type RunningExecutionUpdate = Partial<{
  model: string
  promptHash: string
  promptText: string
  output: string
  attempts: number
}>

/** Stores the progress of a running execution. False if it has ended or belongs to another node. */
export async function saveExecutionProgress(
  db: Db,
  id: string,
  owner: string,
  progress: RunningExecutionUpdate,
): Promise<boolean> {
  const { model, promptHash, promptText, output, attempts } = progress
  const { numUpdatedRows } = await db
    .updateTable('execution')
    .set({
      ...(model !== undefined && { model }),
      ...(promptHash !== undefined && { prompt_hash: promptHash }),
      ...(promptText !== undefined && {
        prompt_text: shortenToStorableText(promptText, MAX_PROMPT_CHARS),
      }),
      ...(output !== undefined && { output: shortenToStorableText(output, MAX_OUTPUT_CHARS) }),
      ...(attempts !== undefined && { attempts }),
    })
    .where('id', '=', id)
    .where('owner', '=', owner)
    .where('status', '=', 'running')
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Ends a running or queued execution. The node that runs it notices and stops. */
export async function tryCancelExecution(db: Db, id: string, reason: string, now: Date) {
  const { numUpdatedRows } = await db
    .updateTable('execution')
    .set({ status: 'failed', is_cancelled: true, completed_at: now, result_summary: reason })
    .where('id', '=', id)
    .where('status', '=', 'running')
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export function findRunningExecutionsOfNode(
  db: Db,
  nodeId: string,
): Promise<Array<{ id: string }>> {
  return db
    .selectFrom('execution')
    .select('id')
    .where('status', '=', 'running')
    .where('owner', '=', nodeId)
    .execute()
}

export async function countQueuedExecutions(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('execution')
    .select((eb) => eb.fn.countAll<string>().as('count'))
    .where('status', '=', 'running')
    .where('owner', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(count)
}

export const NODE_STOPPED_SUMMARY = 'The service stopped while this was running'

/**
 * Marks executions as stale: those of dead nodes or, with `ownIds`, these executions of this node. Scheduled ones
 * become missed runs. Returns the ids of the marked executions.
 */
export async function markExecutionsStale(
  db: Db,
  now: Date,
  nodeId: string,
  ownIds?: readonly string[],
): Promise<string[]> {
  if (ownIds?.length === 0) return []
  return db.transaction().execute(async (tx) => {
    const stale = await tx
      .updateTable('execution')
      .set({
        status: 'stale',
        completed_at: now,
        result_summary: NODE_STOPPED_SUMMARY,
        // A node that stops properly stores the tokens later. The tokens that a crashed node used are unknown.
        usage_missing: sql<boolean>`model is not null and model not like 'builtin/%'`,
      })
      .where('status', '=', 'running')
      .where('owner', 'is not', null)
      .$if(ownIds === undefined, (query) => query.where(buildOwnerDeadCondition('owner', nodeId)))
      .$if(ownIds !== undefined, (query) =>
        query.where('owner', '=', nodeId).where('id', 'in', ownIds ?? []),
      )
      .returning(['id', 'task_id', 'trigger_type'])
      .execute()
    const missedTaskIds = stale
      .filter((row) => row.trigger_type === 'scheduled')
      .map((row) => row.task_id)
    if (missedTaskIds.length > 0) {
      await tx
        .updateTable('task')
        .set({ missed: sql`missed + 1` })
        .where('id', 'in', missedTaskIds)
        .execute()
    }
    return stale.map(({ id }) => id)
  })
}
