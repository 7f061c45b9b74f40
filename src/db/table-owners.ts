import type { Database } from './schema.ts'

/**
 * The folder of src that owns each table. Only its files write the table; other folders call a function of the owner. A
 * test scans the code for violations.
 */
export const TABLE_OWNER_FOLDERS: Readonly<Record<keyof Database, string>> = {
  instance: 'accounts',
  app_user: 'accounts',
  session: 'accounts',
  invitation: 'accounts',
  sign_in_failure: 'accounts',
  api_token: 'accounts',
  audit: 'accounts',
  password_reset: 'accounts',
  sign_in_challenge: 'accounts',
  external_identity: 'accounts',
  passkey: 'accounts',
  user_mark: 'accounts',
  idempotent_request: 'http',
  request_count: 'http',
  node: 'db',
  dead_node: 'db',
  meeting: 'meetings',
  segment: 'meetings',
  meeting_words: 'meetings',
  transcript_gap: 'meetings',
  chat_message: 'meetings',
  line_comment: 'meetings',
  line_bookmark: 'meetings',
  participant: 'meetings',
  event: 'meetings',
  insight: 'meetings',
  evidence: 'meetings',
  meeting_warning: 'meetings',
  removal: 'meetings',
  meeting_edit: 'meetings',
  lane: 'deliveries',
  delivery_attempt: 'deliveries',
  dead_letter: 'deliveries',
  bot_account: 'bots/accounts',
  project: 'projects',
  document: 'projects',
  passage: 'projects',
  document_words: 'projects',
  document_save: 'projects',
  word: 'projects',
  stored_file: 'projects',
  stored_file_chunk: 'projects',
  document_place: 'projects',
  task: 'tasks',
  execution: 'tasks',
  model_usage: 'ai',
  prompt_author: 'tasks',
  recap: 'recap',
  action_item: 'recap',
  recap_rename: 'recap',
  project_name: 'access',
  project_access: 'access',
  project_member: 'access',
  share_link: 'access',
  calendar: 'calendars',
  occurrence: 'calendars',
}

/** Folders that may read a table of another folder, and why one query across both is worth it. */
export const ALLOWED_FOREIGN_TABLE_READS: ReadonlyArray<{
  folder: string
  tables: readonly (keyof Database)[]
  reason: string
}> = [
  {
    folder: 'access',
    tables: [
      'app_user',
      'api_token',
      'project',
      'meeting',
      'removal',
      'action_item',
      'delivery_attempt',
      'task',
      'execution',
      'calendar',
      'occurrence',
    ],
    reason: 'one query finds the project of whatever a request is about, and who may use it',
  },
  {
    folder: 'deliveries',
    tables: ['meeting', 'event', 'api_token'],
    reason:
      'the events of a meeting are the outbox that lanes deliver from, and lists name the token that signs callbacks',
  },
  {
    folder: 'projects',
    tables: ['meeting', 'segment', 'meeting_words', 'project_access'],
    reason:
      'search and the document index join documents with the segments of live meetings, and the list of projects shows their access',
  },
  {
    folder: 'meetings',
    tables: ['bot_account', 'app_user'],
    reason:
      'a claim locks the account row so that all nodes together respect its bot limit, and a comment shows the name that its author has now',
  },
  {
    folder: 'bots/accounts',
    tables: ['meeting'],
    reason: 'an account is removed only while no active meeting uses it, in one statement',
  },
  {
    folder: 'recap',
    tables: ['meeting', 'app_user'],
    reason:
      'ended meetings without a recap, and the meetings of action items, are found in one query; the owner of an item is a name, compared with the names of all users',
  },
  {
    folder: 'tasks',
    tables: ['app_user'],
    reason:
      'a task shows the name of its owner and does not run after that user was removed, a prompt that of its author and of the admins to ask',
  },
  {
    folder: 'calendars',
    tables: ['meeting', 'app_user', 'api_token', 'bot_account'],
    reason:
      'one query compares what is planned with the meetings that wait for it, and a calendar acts with the rights that its person has now',
  },
  {
    folder: 'operations/backup',
    tables: ['meeting', 'evidence'],
    reason: 'a backup and an export contain every table',
  },
]

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

/** Tables where the migrator records the applied migrations. */
export const MIGRATOR_TABLES = ['kysely_migration', 'kysely_migration_lock']

/** The tables that exist after the given migrations. By default, after all migrations. */
export function listTablesCreatedByMigrations(
  migrations: readonly string[] = Object.keys(TABLES_BY_MIGRATION),
): string[] {
  return migrations.flatMap((name) => TABLES_BY_MIGRATION[name] ?? [])
}
