import { sql, type Kysely } from 'kysely'

const STATEMENTS = [
  `create table task (
    id text primary key,
    name text not null unique,
    prompt_name text not null,
    cron_expression text,
    timezone text not null,
    enabled boolean not null,
    timeout_ms integer not null,
    next_run_at timestamptz,
    due_at timestamptz,
    catch_up_for timestamptz,
    missed integer not null default 0,
    last_number integer not null default 0,
    last_skipped_at timestamptz,
    last_skip_reason text,
    created_at timestamptz not null,
    updated_at timestamptz not null
  ) with (fillfactor = 70)`,
  // The scheduler polls this index, so the cost of a poll grows with the number of due tasks, not of all tasks.
  `create index task_due on task (due_at) where due_at is not null`,
  `create index task_catch_up on task (catch_up_for) where catch_up_for is not null`,
  `create table execution (
    id text primary key,
    task_id text not null references task on delete cascade,
    number integer not null,
    execution_type text not null,
    trigger_type text not null,
    status text not null,
    created_at timestamptz not null,
    started_at timestamptz not null,
    completed_at timestamptz,
    scheduled_for timestamptz,
    missed integer not null default 0,
    is_catch_up boolean not null default false,
    owner text,
    attempts integer not null default 0,
    input_tokens bigint not null default 0,
    cached_input_tokens bigint not null default 0,
    output_tokens bigint not null default 0,
    usage_missing boolean not null default false,
    cost_usd double precision,
    model text,
    prompt_hash text,
    prompt_text text,
    output text not null default '',
    result_summary text,
    document_path text,
    unique (task_id, number)
  ) with (fillfactor = 70)`,
  // Guarantees one execution for each due time, even if two nodes start the same task.
  `create unique index execution_due on execution (task_id, scheduled_for) where scheduled_for is not null`,
  `create index execution_running on execution (task_id) where status = 'running'`,
  `create index execution_age on execution (created_at)`,
  // Tokens that the coach's language model has used for a meeting.
  `alter table meeting add column coach_tokens integer not null default 0`,
  `create table model_usage (
    day text not null,
    task_name text not null,
    model text not null,
    executions integer not null,
    input_tokens bigint not null,
    cached_input_tokens bigint not null,
    output_tokens bigint not null,
    cost_usd double precision not null,
    unpriced integer not null,
    primary key (day, task_name, model)
  )`,
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
}
