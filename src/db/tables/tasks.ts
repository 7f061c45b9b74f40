import type { ColumnType, Generated } from 'kysely'
import type {
  ExecutionStatus,
  ExecutedTaskKind,
  SkipReason,
  TriggerType,
  TruncationReason,
} from '../../tasks/task.ts'
import type { TaskTrigger, TriggerSource } from '../../tasks/triggers/task-trigger.ts'
import type { Immutable } from './column.ts'

export interface TaskTableColumns {
  id: Immutable<string>
  name: Immutable<string>
  prompt_name: string
  /** Schedule of the task; null for a task that runs only on demand. */
  cron_expression: string | null
  /** What starts the task besides its schedule; null for nothing. */
  trigger: ColumnType<TaskTrigger | null, string | null, string | null>
  timezone: string
  enabled: boolean
  timeout_ms: number
  /** Next scheduled time; null when none is planned. The node that advances it has fired the task. */
  next_run_at: Date | null
  /** `next_run_at` plus the task's delay from HANSARD_TASKS_SPREAD_SECONDS: when the scheduler fires the task. */
  due_at: Date | null
  /** A missed scheduled time for which a catch-up execution is still to run. */
  catch_up_for: Date | null
  /** Number of scheduled times that were missed since the last execution. */
  missed: Generated<number>
  /** Number of the task's newest execution; executions are numbered without gaps. */
  last_number: Generated<number>
  last_skipped_at: Date | null
  last_skip_reason: SkipReason | null
  /** User id of the creator, also after that user was removed; null for the instance. */
  owner_id: ColumnType<string | null, string | null | undefined, string | null>
  /** The project whose readers see the task; null for a task that all users see. */
  project: ColumnType<string | null, string | null | undefined, string | null>
  /** The only projects that the task uses; null for no limit. */
  projects: ColumnType<string[] | null, string[] | null | undefined, string[] | null>
  created_at: Immutable<Date>
  updated_at: Date
}

export interface ExecutionTableColumns {
  id: Immutable<string>
  task_id: Immutable<string>
  number: Immutable<number>
  execution_type: Immutable<ExecutedTaskKind>
  trigger_type: Immutable<TriggerType>
  status: ExecutionStatus
  /** Someone cancelled it. Its status is `failed` then, because the API allows no other. */
  is_cancelled: Generated<boolean>
  created_at: Immutable<Date>
  /** The request time while the execution waits, then the time at which a node started it. */
  started_at: Date
  completed_at: Date | null
  scheduled_for: Immutable<Date | null>
  missed: Immutable<number>
  is_catch_up: Immutable<boolean>
  /** The meeting id or `save_id` that started the execution, at most once for each task. */
  trigger_key: Immutable<string | null>
  /** The meeting or document of the execution, as the API shows it. */
  triggered_by: ColumnType<TriggerSource | null, string | null, never>
  /** The node that runs the execution; null while it waits. Set only once, so it also serves as the fence. */
  owner: string | null
  attempts: Generated<number>
  input_tokens: ColumnType<string, never, number>
  cached_input_tokens: ColumnType<string, never, number>
  output_tokens: ColumnType<string, never, number>
  /** The model provider did not report all token counts. */
  usage_missing: Generated<boolean>
  /** A part of the token counts is estimated from the length of the texts. */
  tokens_estimated: Generated<boolean>
  /** Cost of the execution in US dollars; null when the model's price is not known. */
  cost_usd: number | null
  model: string | null
  /** SHA-256 of the prompt file; `prompt_text` is the prompt with its variables filled in. */
  prompt_hash: string | null
  prompt_text: string | null
  output: Generated<string>
  result_summary: string | null
  /** Why the model's answer is incomplete; null when it is complete. */
  truncated_by: TruncationReason | null
  document_path: string | null
}

/** Who created a prompt in the console. A prompt without a row belongs to nobody: only admins change it. */
export interface PromptAuthorTableColumns {
  name: Immutable<string>
  author_id: string
  /** The texts of the file that the service wrote last. The row counts only while the file has one of them. */
  sha256s: string[]
}

/** Token use and cost by day (UTC), task, model and project. Retained when tasks and executions are deleted. */
export interface DailyModelUsageTableColumns {
  day: Immutable<string>
  /** The project of the task or meeting; empty when there is none. */
  project: Generated<string>
  task_name: Immutable<string>
  model: Immutable<string>
  executions: number
  input_tokens: ColumnType<string, number, never>
  cached_input_tokens: ColumnType<string, number, never>
  output_tokens: ColumnType<string, number, never>
  cost_usd: number
  /** Number of executions whose cost is not known. */
  unpriced: number
  /** Number of executions whose token counts are partly estimated. */
  estimated: Generated<number>
}
