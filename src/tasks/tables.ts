import type { ColumnType, Generated } from 'kysely'
import type { Immutable } from '../db/schema.ts'
import type {
  ExecutedTaskKind,
  ExecutionStatus,
  SkipReason,
  TriggerType,
  TruncationReason,
} from './task.ts'
import type { TaskTrigger, TriggerSource } from './triggers/task-trigger.ts'

declare module '../db/schema.ts' {
  interface Database {
    task: {
      id: Immutable<string>
      name: Immutable<string>
      prompt_name: string
      /** Null for a task without a schedule. */
      cron_expression: string | null
      /** What starts the task besides its schedule. Null for nothing. */
      trigger: ColumnType<TaskTrigger | null, string | null, string | null>
      timezone: string
      enabled: boolean
      timeout_ms: number
      /** Next scheduled time. Null if none is planned. The node that advances it has started the task. */
      next_run_at: Date | null
      /** When the scheduler starts the task: `next_run_at` plus its delay from HANSARD_TASKS_SPREAD_SECONDS. */
      due_at: Date | null
      /** A missed scheduled time that still needs a catch-up execution. */
      catch_up_for: Date | null
      /** Number of scheduled times missed since the last execution. */
      missed: Generated<number>
      /** Number of the task's newest execution. Executions are numbered without gaps. */
      last_number: Generated<number>
      last_skipped_at: Date | null
      last_skip_reason: SkipReason | null
      /** User id of the creator, even after that user was removed. Null for the instance. */
      owner_id: ColumnType<string | null, string | null | undefined, string | null>
      /** The project whose readers see the task. Null for a task that all users see. */
      project: ColumnType<string | null, string | null | undefined, string | null>
      /** The only projects that the task uses. Null for no limit. */
      projects: ColumnType<string[] | null, string[] | null | undefined, string[] | null>
      created_at: Immutable<Date>
      updated_at: Date
    }
    execution: {
      id: Immutable<string>
      task_id: Immutable<string>
      number: Immutable<number>
      execution_type: Immutable<ExecutedTaskKind>
      trigger_type: Immutable<TriggerType>
      status: ExecutionStatus
      /** True if a person cancelled it. Its status is `failed` then, because the API has no status for it. */
      is_cancelled: Generated<boolean>
      created_at: Immutable<Date>
      /** The time of the request while the execution waits, then the time when a node started it. */
      started_at: Date
      completed_at: Date | null
      scheduled_for: Immutable<Date | null>
      missed: Immutable<number>
      is_catch_up: Immutable<boolean>
      /** The meeting id or `save_id` that started the execution, at most once for each task. */
      trigger_key: Immutable<string | null>
      /** The meeting or document of the execution, as the API shows it. */
      triggered_by: ColumnType<TriggerSource | null, string | null, never>
      /** The node that runs the execution. Null while it waits. Set only once, so it also serves as the fence. */
      owner: string | null
      /** The step of a trace that queued it, as a W3C `traceparent`. Null if it was not traced. */
      trace_parent: ColumnType<string | null, string | null | undefined, never>
      attempts: Generated<number>
      input_tokens: ColumnType<string, never, number>
      cached_input_tokens: ColumnType<string, never, number>
      output_tokens: ColumnType<string, never, number>
      /** True if the provider did not report all token counts. */
      usage_missing: Generated<boolean>
      /** True if a part of the token counts is estimated from the length of the texts. */
      tokens_estimated: Generated<boolean>
      /** Cost of the execution in US dollars. Null if the model's price is not known. */
      cost_usd: number | null
      model: string | null
      /** SHA-256 of the prompt file. `prompt_text` is the prompt with its variables filled in. */
      prompt_hash: string | null
      prompt_text: string | null
      output: Generated<string>
      result_summary: string | null
      /** Why the model's answer is incomplete. Null if it is complete. */
      truncated_by: TruncationReason | null
      document_path: string | null
    }
    /** Who created a prompt in the console. A prompt without a row has no author, so only admins change it. */
    prompt_author: {
      name: Immutable<string>
      author_id: string
      /** Hashes of the texts that the service wrote last. The row is valid only while the file has one of these texts. */
      sha256s: string[]
    }
  }
}
