import type { ColumnType, Generated } from 'kysely'
import type { ExecutionStatus, ExecutionType, SkipReason, TriggerType } from '../../tasks/task.ts'
import type { Immutable } from './column.ts'

export interface TaskTable {
  id: Immutable<string>
  name: Immutable<string>
  prompt_name: string
  /** Null: on demand. */
  cron_expression: string | null
  timezone: string
  enabled: boolean
  timeout_ms: number
  /** As the schedule says; null while nothing is to come. Whoever moves it on has fired it. */
  next_run_at: Date | null
  /** The same, put off by the task's share of the spread: when somebody has to look. */
  due_at: Date | null
  /** A time that was missed and is still to be made up for. */
  catch_up_for: Date | null
  /** Times that were missed since the last execution. */
  missed: Generated<number>
  /** Of the newest execution; they are numbered without gaps. */
  last_number: Generated<number>
  last_skipped_at: Date | null
  last_skip_reason: SkipReason | null
  created_at: Immutable<Date>
  updated_at: Date
}

export interface ExecutionTable {
  id: Immutable<string>
  task_id: Immutable<string>
  number: Immutable<number>
  execution_type: Immutable<ExecutionType>
  trigger_type: Immutable<TriggerType>
  status: ExecutionStatus
  created_at: Immutable<Date>
  /** When it was asked for, until a node begins it. */
  started_at: Date
  completed_at: Date | null
  scheduled_for: Immutable<Date | null>
  missed: Immutable<number>
  is_catch_up: Immutable<boolean>
  /** The node that carries it out; null while it waits. Given once, so that it is also the fence. */
  owner: string | null
  attempts: Generated<number>
  input_tokens: ColumnType<string, never, number>
  cached_input_tokens: ColumnType<string, never, number>
  output_tokens: ColumnType<string, never, number>
  /** The provider did not say all of it. */
  usage_missing: Generated<boolean>
  /** Null: the price is not known. */
  cost_usd: number | null
  model: string | null
  /** SHA-256 of the prompt's file, and the prompt with its variables filled in. */
  prompt_hash: string | null
  prompt_text: string | null
  output: Generated<string>
  result_summary: string | null
  document_path: string | null
}

/** What models have used, by day (UTC), task and model. Outlives tasks and executions. */
export interface ModelUsageTable {
  day: Immutable<string>
  task_name: Immutable<string>
  model: Immutable<string>
  executions: number
  input_tokens: ColumnType<string, number, never>
  cached_input_tokens: ColumnType<string, number, never>
  output_tokens: ColumnType<string, number, never>
  cost_usd: number
  /** Executions whose cost is not known. */
  unpriced: number
}
