import type { ColumnType, Generated } from 'kysely'
import type { PlatformName } from '../../bots/platforms/platform.ts'
import type { CalendarKind, AttendanceRules } from '../../calendars/calendar.ts'
import type { EventAttendee } from '../../calendars/ics/events.ts'
import type { UpcomingReason } from '../../calendars/planning/reasons.ts'
import type { DocumentKind } from '../../projects/index/index-entry.ts'
import type {
  ExecutionStatus,
  ExecutedTaskKind,
  SkipReason,
  TriggerType,
  TruncationReason,
} from '../../tasks/task.ts'
import type { TaskTrigger, TriggerSource } from '../../tasks/triggers/task-trigger.ts'
import type { Immutable } from './column.ts'

/** An existing project folder. The display name is in the front matter of the project's README.md. */
export interface ProjectTableColumns {
  id: Immutable<string>
}

/** Index entry of a file in a project, as it was when last read. The file is the source of truth. */
export interface DocumentTableColumns {
  id: Generated<string>
  project: Immutable<string>
  /** Path relative to the project's folder, with `/` as separator. */
  path: Immutable<string>
  /** The path without the file name. Empty if the file is directly in the project. */
  folder: Immutable<string>
  kind: Immutable<DocumentKind>
  /** Title from the front matter. If null, the file name is shown. */
  title: string | null
  date: Date
  meeting_id: string | null
  status: string | null
  participants: string[]
  size: number
  modified_at: Date
  /** Size, times and inode of the file when it was read. A different stamp means that the file has changed. */
  stamp: string
  warning: string | null
}

/** A piece of a document's text, the unit that search finds and shows. */
export interface PassageTableColumns {
  document_id: Immutable<string>
  number: Immutable<number>
  project: Immutable<string>
  at: Immutable<Date>
  /** Line of the file where the passage begins, from 1. */
  line: Immutable<number>
  text: Immutable<string>
  words: Immutable<string>
}

/** All words of a document without their positions, to find words in different passages. */
export interface DocumentSearchIndexColumns {
  document_id: Immutable<string>
  words: Immutable<string>
}

/** The last version of a document that was saved through the API or the console, for tasks that it triggers. */
export interface DocumentSaveTableColumns {
  project: Immutable<string>
  /** Path relative to the project's folder, with `/` as separator. */
  path: Immutable<string>
  /** Identifies the saved version. */
  save_id: string
  etag: string
  saved_at: Date
  /** True if the tasks that this version triggers were started. */
  tasks_started: Generated<boolean>
}

/** All words in transcripts and documents, so that search can find similar words for a misspelt one. */
export interface SearchVocabularyTableColumns {
  word: Immutable<string>
  grams: Immutable<string[]>
  checked_at: ColumnType<Date, never, Date>
}

/** A document or a prompt that is in the database. */
export interface StoredFileTableColumns {
  /** Relative to the data folder, as if the file were there. */
  path: Immutable<string>
  /** Identifies the file's chunks. A replaced file gets other chunks, a growing file keeps them. */
  content_id: string
  /** The driver returns it as text. */
  size: ColumnType<string, number, number>
  modified_at: Date
  /** Differs after every change. */
  version: Generated<string>
}

/** A piece of a stored file, from a byte position on. */
export interface StoredFileChunkTableColumns {
  content_id: Immutable<string>
  position: Immutable<number>
  bytes: Buffer
}

/** Where people's files are. The table has at most one row. */
export interface DocumentPlaceTableColumns {
  is_only_row: Generated<boolean>
  place: 'folder' | 'database'
  /** The id in the documents folder that was used last. */
  folder_id: string | null
}

export interface TaskTableColumns {
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

export interface ExecutionTableColumns {
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
export interface PromptAuthorTableColumns {
  name: Immutable<string>
  author_id: string
  /** Hashes of the texts that the service wrote last. The row is valid only while the file has one of these texts. */
  sha256s: string[]
}

/** Token use and cost by day (UTC), task, model and project. Kept when tasks and executions are deleted. */
export interface DailyModelUsageTableColumns {
  day: Immutable<string>
  /** The project of the task or meeting. Empty if there is none. */
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

/** A calendar whose meetings bots join. */
export interface CalendarTableColumns {
  id: Immutable<string>
  /** The person who owns the calendar. Null for a calendar of the instance. */
  user_id: Immutable<string | null>
  name: string
  kind: Immutable<CalendarKind>
  /** The calendar's secret address, encrypted with the master key. */
  url_sealed: Buffer
  host: string
  /** The person's email address in invitations. */
  address: string | null
  project: string
  account: string | null
  task: string | null
  callback_url: string | null
  /** The token whose secret signs the callbacks. */
  token_id: string | null
  rules: ColumnType<AttendanceRules, string, string>
  is_paused: boolean
  time_zone: string
  etag: string | null
  last_modified: string | null
  next_poll_at: Date
  polled_at: Date | null
  /** When the events were last read in full, which moves the planned days forward. */
  read_at: Date | null
  changed_at: Date | null
  broken_since: Date | null
  problem: string | null
  /** Consecutive failed polls. */
  failures: Generated<number>
  /** Consecutive polls that found no event at all. */
  empty_polls: Generated<number>
  /** The node that polls. Its write must match `fence`, which rises with every claim and every new address. */
  owner: string | null
  fence: Generated<number>
  created_at: Immutable<Date>
}

/** One meeting in a calendar, and whether a bot joins it. */
export interface OccurrenceTableColumns {
  id: Immutable<string>
  calendar_id: Immutable<string>
  uid: Immutable<string>
  /** The original start, which stays the same when the occurrence is moved. */
  key: Immutable<string>
  starts_at: Date
  ends_at: Date
  is_all_day: boolean
  is_cancelled: boolean
  title: string
  organizer: string | null
  attendees: ColumnType<EventAttendee[], string, string>
  /** The link of the meeting in its canonical form. Null if the invitation has none. */
  url: string | null
  room: string | null
  platform: PlatformName | null
  label: string | null
  /** A person's decision. Null if the rules decide. */
  override: 'join' | 'skip' | null
  decision: 'join' | 'skip'
  reason: UpcomingReason
  /** The last meeting that was created for it. */
  meeting_id: string | null
  /** The start for which a meeting was created. Another one is created only if the occurrence is moved. */
  attended_start: Date | null
  created_at: Immutable<Date>
}
