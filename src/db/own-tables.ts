import type { Database } from './schema.ts'

/** The tables that each migration creates. A shared database may also contain tables of other programs. */
const TABLES_BY_MIGRATION: Readonly<Record<string, readonly (keyof Database)[]>> = {
  '0001-accounts': [
    'instance',
    'app_user',
    'session',
    'invitation',
    'sign_in_failure',
    'api_token',
    'idempotent_request',
    'request_count',
    'audit',
  ],
  '0002-meetings': ['meeting', 'segment', 'participant', 'event', 'insight'],
  '0003-deliveries': ['node', 'lane', 'delivery_attempt', 'dead_letter'],
  '0004-bots': ['evidence', 'meeting_warning', 'bot_account'],
  '0005-projects': ['project', 'document', 'passage', 'word', 'removal'],
  '0006-tasks': ['task', 'execution', 'model_usage'],
  '0012-transcript-gaps': ['transcript_gap', 'dead_node'],
  '0014-words-of-documents': ['document_words', 'meeting_words'],
  '0015-meeting-chat': ['chat_message'],
  '0016-task-triggers': ['document_save'],
  '0017-recaps': ['recap', 'action_item'],
  '0018-ways-to-sign-in': ['password_reset', 'sign_in_challenge', 'external_identity', 'passkey'],
  '0019-project-access': ['project_access', 'project_member'],
  '0020-share-links': ['share_link'],
  '0022-calendars': ['calendar', 'occurrence'],
  '0024-user-marks': ['user_mark'],
  '0025-meeting-edits': ['meeting_edit'],
  '0026-line-notes': ['line_comment', 'line_bookmark'],
  '0027-prompts': ['prompt_author'],
  '0029-exact-undo': ['recap_rename'],
  '0031-stored-files': ['stored_file', 'stored_file_chunk', 'document_place'],
  '0032-project-names': ['project_name'],
}

/** Tables in which the migrator records the applied migrations. */
export const MIGRATOR_TABLES = ['kysely_migration', 'kysely_migration_lock']

/** Database schema of the job engine (pg-boss), and Hansard's queues in it; the last queue is pg-boss's internal one. */
export const JOB_DATABASE_SCHEMA = 'pgboss'
export const JOB_QUEUE_NAMES: readonly string[] = ['upkeep', 'executions', '__pgboss__send-it']

/** The tables that Hansard owns after the given migrations; by default after all migrations. */
export function listTablesCreatedByMigrations(
  migrations: readonly string[] = Object.keys(TABLES_BY_MIGRATION),
): string[] {
  return migrations.flatMap((name) => TABLES_BY_MIGRATION[name] ?? [])
}
