import {
  sql,
  Kysely,
  DummyDriver,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type Driver,
} from 'kysely'
import { Migrator, type Migration } from 'kysely/migration'
import { OperatorError, PermanentError } from '../lib/operator-error.ts'
import { errorMessageOf } from '../lib/error-code.ts'
import * as accounts from './migrations/0001-accounts.ts'
import * as meetings from './migrations/0002-meetings.ts'
import * as deliveries from './migrations/0003-deliveries.ts'
import * as bots from './migrations/0004-bots.ts'
import * as projects from './migrations/0005-projects.ts'
import * as tasks from './migrations/0006-tasks.ts'
import * as lighterWrites from './migrations/0007-lighter-writes.ts'
import * as lighterAttempts from './migrations/0008-lighter-attempts.ts'
import * as smallPortions from './migrations/0009-words-in-small-portions.ts'
import * as makersOfTokens from './migrations/0010-makers-of-tokens.ts'
import * as backAfterGap from './migrations/0011-back-after-a-gap.ts'
import * as transcriptGaps from './migrations/0012-transcript-gaps.ts'
import * as estimatedTokens from './migrations/0013-estimated-tokens.ts'
import * as wordsOfDocuments from './migrations/0014-words-of-documents.ts'
import * as meetingChat from './migrations/0015-meeting-chat.ts'
import * as taskTriggers from './migrations/0016-task-triggers.ts'
import * as recaps from './migrations/0017-recaps.ts'
import * as waysToSignIn from './migrations/0018-ways-to-sign-in.ts'
import * as projectAccess from './migrations/0019-project-access.ts'
import * as shareLinks from './migrations/0020-share-links.ts'
import * as scheduledMeetings from './migrations/0021-scheduled-meetings.ts'
import * as calendars from './migrations/0022-calendars.ts'
import * as importedMeetings from './migrations/0023-imported-meetings.ts'
import * as userMarks from './migrations/0024-user-marks.ts'
import * as meetingEdits from './migrations/0025-meeting-edits.ts'
import * as lineNotes from './migrations/0026-line-notes.ts'
import * as prompts from './migrations/0027-prompts.ts'
import * as recapGists from './migrations/0028-recap-gists.ts'
import * as exactUndo from './migrations/0029-exact-undo.ts'
import * as speech from './migrations/0030-speech.ts'
import * as storedFiles from './migrations/0031-stored-files.ts'
import * as projectNames from './migrations/0032-project-names.ts'
import * as startEdits from './migrations/0033-start-edits.ts'
import * as retriesByPeople from './migrations/0034-retries-by-people.ts'
import * as nodeRoles from './migrations/0035-node-roles.ts'
import * as noJobTables from './migrations/0036-no-job-tables.ts'
import * as failureScores from './migrations/0037-failure-scores.ts'
import * as recapItems from './migrations/0038-recap-items.ts'
import * as recapTemplates from './migrations/0039-recap-templates.ts'
import * as mail from './migrations/0040-mail.ts'
import * as connections from './migrations/0041-connections.ts'
import * as recapAnnouncements from './migrations/0042-recap-announcements.ts'
import * as webhookNotifications from './migrations/0042-webhook-notifications.ts'
import * as digest from './migrations/0043-digest.ts'
import * as briefs from './migrations/0044-briefs.ts'
import * as guestMail from './migrations/0045-guest-mail.ts'
import * as oauth from './migrations/0046-oauth.ts'
import * as traces from './migrations/0047-traces.ts'
import * as provisioning from './migrations/0048-provisioning.ts'
import * as providerCalendars from './migrations/0049-provider-calendars.ts'
import * as googleConnections from './migrations/0050-google-connections.ts'
import * as officialTranscripts from './migrations/0051-official-transcripts.ts'
import * as recordings from './migrations/0052-recordings.ts'
import * as zoomStreams from './migrations/0054-zoom-streams.ts'
import * as vocabulary from './migrations/0055-vocabulary.ts'
import * as messageTraces from './migrations/0056-message-traces.ts'
import * as repeatedRefresh from './migrations/0056b-repeated-refresh.ts'
import * as connectionSubscriptions from './migrations/0057-connection-subscriptions.ts'
import * as deactivatedUsers from './migrations/0048-deactivated-users.ts'
import type { Database } from './schema.ts'

/** All migrations in order. They only go forward, and the name of a released migration never changes. */
const MIGRATIONS: Record<string, Migration> = {
  '0001-accounts': accounts,
  '0002-meetings': meetings,
  '0003-deliveries': deliveries,
  '0004-bots': bots,
  '0005-projects': projects,
  '0006-tasks': tasks,
  '0007-lighter-writes': lighterWrites,
  '0008-lighter-attempts': lighterAttempts,
  '0009-words-in-small-portions': smallPortions,
  '0010-makers-of-tokens': makersOfTokens,
  '0011-back-after-a-gap': backAfterGap,
  '0012-transcript-gaps': transcriptGaps,
  '0013-estimated-tokens': estimatedTokens,
  '0014-words-of-documents': wordsOfDocuments,
  '0015-meeting-chat': meetingChat,
  '0016-task-triggers': taskTriggers,
  '0017-recaps': recaps,
  '0018-ways-to-sign-in': waysToSignIn,
  '0019-project-access': projectAccess,
  '0020-share-links': shareLinks,
  '0021-scheduled-meetings': scheduledMeetings,
  '0022-calendars': calendars,
  '0023-imported-meetings': importedMeetings,
  '0024-user-marks': userMarks,
  '0025-meeting-edits': meetingEdits,
  '0026-line-notes': lineNotes,
  '0027-prompts': prompts,
  '0028-recap-gists': recapGists,
  '0029-exact-undo': exactUndo,
  '0030-speech': speech,
  '0031-stored-files': storedFiles,
  '0032-project-names': projectNames,
  '0033-start-edits': startEdits,
  '0034-retries-by-people': retriesByPeople,
  '0035-node-roles': nodeRoles,
  '0036-no-job-tables': noJobTables,
  '0037-failure-scores': failureScores,
  '0038-recap-items': recapItems,
  '0039-recap-templates': recapTemplates,
  '0040-mail': mail,
  '0041-connections': connections,
  '0042-recap-announcements': recapAnnouncements,
  '0042-webhook-notifications': webhookNotifications,
  '0043-digest': digest,
  '0044-briefs': briefs,
  '0045-guest-mail': guestMail,
  '0046-oauth': oauth,
  '0047-traces': traces,
  '0048-deactivated-users': deactivatedUsers,
  '0048-provisioning': provisioning,
  '0049-provider-calendars': providerCalendars,
  '0050-google-connections': googleConnections,
  '0051-official-transcripts': officialTranscripts,
  '0052-recordings': recordings,
  '0054-zoom-streams': zoomStreams,
  '0055-vocabulary': vocabulary,
  '0056-message-traces': messageTraces,
  '0056b-repeated-refresh': repeatedRefresh,
  '0057-connection-subscriptions': connectionSubscriptions,
}

const NAME = String.raw`(?:"?[a-z_]+"?\.)?"?(?<table>[a-z_][a-z0-9_]*)"?`
/** Statements that change a table or read the whole table. */
const TOUCHING = [
  String.raw`alter table (?:if exists )?(?:only )?${NAME}`,
  String.raw`update (?:only )?${NAME}`,
  String.raw`(?:insert into|delete from|truncate(?: table)?|drop table(?: if exists)?) ${NAME}`,
  String.raw`create (?:unique )?index (?:if not exists )?"?[a-z_0-9]+"? on (?:only )?${NAME}`,
].map((pattern) => new RegExp(`^${pattern}\\b`, 'i'))
const CREATING = new RegExp(String.raw`^create table (?:if not exists )?${NAME}`, 'i')

/** Tables where the migrator records the applied migrations. */
export const MIGRATOR_TABLES = ['kysely_migration', 'kysely_migration_lock']

export function isKnownMigration(name: string): boolean {
  return Object.hasOwn(MIGRATIONS, name)
}

export function findMigration(name: string): Migration {
  const migration = MIGRATIONS[name]
  if (migration === undefined) throw new Error(`there is no migration ${name}`)
  return migration
}

/** True if a database can have exactly these migrations: they are applied in order, without omissions. */
export function isMigrationHistory(names: readonly string[]): boolean {
  const known = Object.keys(MIGRATIONS)
  return names.length <= known.length && names.every((name, i) => name === known[i])
}

/**
 * Migrates the database to this version, or up to the named migration. Returns the names of the applied migrations. The
 * migrator's lock makes nodes that start at the same time wait for each other.
 */
export async function migrateDatabase(db: Kysely<Database>, upTo?: string): Promise<string[]> {
  const applied = await readAppliedMigrations(db)
  refuseNewerDatabase(applied)
  // Usually nothing is missing. The migrator would first read every column of the database.
  if (upTo === undefined && listMissingMigrations(applied).length === 0) return []
  const migrator = createMigrator(db)
  const { error, results = [] } =
    upTo === undefined ? await migrator.migrateToLatest() : await migrator.migrateTo(upTo)
  if (error !== undefined) {
    throw new OperatorError(
      `The database migration failed: ${errorMessageOf(error)}`,
      undefined,
      error,
    )
  }
  return results.map((result) => result.migrationName)
}

/** Names of the applied migrations. An empty database has none. */
export async function readAppliedMigrations(db: Kysely<Database>): Promise<string[]> {
  if (!(await hasMigrations(db))) return []
  const { rows } = await sql<{ name: string }>`
    select name from kysely_migration order by name`.execute(db)
  return rows.map(({ name }) => name)
}

export async function readPendingMigrations(db: Kysely<Database>): Promise<string[]> {
  return listMissingMigrations(await readAppliedMigrations(db))
}

/** The migrations of this version that are not applied yet. */
export function listMissingMigrations(applied: readonly string[]): string[] {
  return Object.keys(MIGRATIONS).filter((name) => !applied.includes(name))
}

function createMigrator(db: Kysely<Database>): Migrator {
  return new Migrator({ db, provider: { getMigrations: async () => MIGRATIONS } })
}

async function hasMigrations(db: Kysely<Database>): Promise<boolean> {
  const { rows } = await sql<{ exists: boolean }>`
    select to_regclass('kysely_migration') is not null as exists
  `.execute(db)
  return rows[0]?.exists ?? false
}

/** Throws if a newer version has migrated the database, because this version could damage its data. */
export function refuseNewerDatabase(applied: readonly string[]): void {
  const unknown = applied.filter((name) => !isKnownMigration(name))
  if (unknown.length === 0) return
  throw new PermanentError(
    `The database was migrated by a newer version of Hansard (${unknown.join(', ')})`,
    'Start the newer version, or restore a backup made by this version into an empty data folder or database',
  )
}

/** Finds the tables that a migration changes. */
export function findTouchedTables(migration: Migration): Promise<string[]> {
  return findTablesIn(migration, TOUCHING)
}

/** The tables that exist after the given migrations. By default, after all migrations. */
export async function listTablesCreatedByMigrations(
  migrations: readonly string[] = Object.keys(MIGRATIONS),
): Promise<string[]> {
  const lists = migrations.map((name) => findTablesIn(findMigration(name), [CREATING]))
  return (await Promise.all(lists)).flat()
}

/** The tables in a migration's statements of these kinds. The statements are only collected and reach no database. */
async function findTablesIn(migration: Migration, kinds: readonly RegExp[]): Promise<string[]> {
  const tables = new Set<string>()
  for (const statement of await collectStatements(migration)) {
    const plain = statement.replaceAll(/--.*$/gm, '').replaceAll(/\s+/g, ' ').trim()
    for (const pattern of kinds) {
      const table = pattern.exec(plain)?.groups?.['table']
      if (table !== undefined) tables.add(table.toLowerCase())
    }
  }
  return [...tables]
}

async function collectStatements(migration: Migration): Promise<string[]> {
  const statements: string[] = []
  const db = new Kysely<unknown>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => createCollectingDriver(statements),
      createIntrospector: (target) => new PostgresIntrospector(target),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  })
  await migration.up(db)
  return statements
}

/** Answers every statement with zero rows. */
function createCollectingDriver(statements: string[]): Driver {
  const driver = new DummyDriver()
  driver.acquireConnection = async () => ({
    async executeQuery({ sql }) {
      statements.push(sql)
      return { rows: [] }
    },
    streamQuery() {
      throw new Error('a migration streams no rows')
    },
  })
  return driver
}
