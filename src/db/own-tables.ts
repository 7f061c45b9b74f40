import type { Database } from './schema.ts'

/** The tables that each migration makes: what is ours in a database that other programs use too. */
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
}

/** The migrator's own. */
export const MIGRATION_TABLES = ['kysely_migration', 'kysely_migration_lock']

/** Where the job engine keeps its tables, and the queues that are ours there; the last is its own. */
export const JOB_SCHEMA = 'pgboss'
export const JOB_QUEUES: readonly string[] = ['upkeep', 'executions', '__pgboss__send-it']

/** The tables that are ours once these migrations were applied; without a list all of them. */
export function ownTables(
  migrations: readonly string[] = Object.keys(TABLES_BY_MIGRATION),
): string[] {
  return migrations.flatMap((name) => TABLES_BY_MIGRATION[name] ?? [])
}
