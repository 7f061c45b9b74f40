import type { Config } from './config.ts'
import { freeDiskMb } from './lib/free-disk.ts'
import { pendingMigrations } from './db/migrate.ts'
import { CheckFailed, type Check } from './http/routes/health.ts'
import type { Jobs } from './jobs/jobs.ts'
import type { Storage } from './storage.ts'

/** The rows of /readyz. */
export function readinessChecks(
  config: Config,
  storage: Storage,
  jobs: Jobs,
  tables: { problems(): Promise<string[]> },
  documents: { closedFolders(): number },
): Check[] {
  const { database, folder } = storage
  return [
    {
      name: 'database',
      async run() {
        await database.pool.query('select 1')
        return 'answers'
      },
    },
    {
      name: 'migrations',
      async run() {
        const pending = await pendingMigrations(database.db)
        if (pending.length > 0) throw new CheckFailed(`pending: ${pending.join(', ')}`)
        return 'all applied'
      },
    },
    {
      name: 'jobs',
      async run() {
        if (!jobs.isRunning()) throw new CheckFailed('stopped')
        return 'running'
      },
    },
    {
      name: 'disk',
      async run() {
        const free = freeDiskMb(folder.root)
        if (free < config.minFreeDiskMb) throw new CheckFailed(`only ${free} MB free`)
        return `${free} MB free`
      },
    },
    documentsCheck(documents),
    ...(config.selectorsFile === undefined ? [] : [selectorsCheck(tables)]),
  ]
}

/** Bots work on with the built-in tables: a broken file is a reason to look, not to send nobody here. */
function selectorsCheck(tables: { problems(): Promise<string[]> }): Check {
  return {
    name: 'selectors file',
    async run() {
      const problems = await tables.problems()
      return problems.length === 0 ? 'in use' : 'broken: the built-in tables are in use'
    },
  }
}

/** All other folders are followed: likewise a reason to look. */
function documentsCheck(documents: { closedFolders(): number }): Check {
  return {
    name: 'documents',
    async run() {
      const closed = documents.closedFolders()
      return closed === 0
        ? 'followed'
        : `folders that cannot be read: ${closed}; the log names them`
    },
  }
}
