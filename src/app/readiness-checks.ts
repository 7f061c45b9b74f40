import type { Config } from '../config/config.ts'
import { readFreeDiskMb } from '../lib/files/free-disk.ts'
import { readPendingMigrations } from '../db/migrate.ts'
import { ReadinessCheckFailed, type ReadinessCheck } from '../http/routes/instance/health-routes.ts'
import type { JobEngine } from '../jobs/jobs.ts'
import type { MigratedStorage } from '../storage/open-storage.ts'

/** The checks of /readyz. */
export function createReadinessChecks(
  config: Config,
  storage: MigratedStorage,
  jobs: JobEngine,
  tables: { problems(): Promise<string[]> },
  documents: { unreadableFolderCount(): number },
): ReadinessCheck[] {
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
        const pending = await readPendingMigrations(database.db)
        if (pending.length > 0) throw new ReadinessCheckFailed(`pending: ${pending.join(', ')}`)
        return 'all applied'
      },
    },
    {
      name: 'jobs',
      async run() {
        if (!jobs.isRunning()) throw new ReadinessCheckFailed('stopped')
        return 'running'
      },
    },
    {
      name: 'disk',
      async run() {
        const free = readFreeDiskMb(folder.root)
        if (free < config.minFreeDiskMb) throw new ReadinessCheckFailed(`only ${free} MB free`)
        return `${free} MB free`
      },
    },
    documentsCheck(documents),
    ...(config.selectorsFile === undefined ? [] : [selectorsFileCheck(tables)]),
  ]
}

/** A broken selectors file does not make the node unready, because bots continue with the built-in selectors. */
function selectorsFileCheck(tables: { problems(): Promise<string[]> }): ReadinessCheck {
  return {
    name: 'selectors file',
    isAdvisory: true,
    async run() {
      const problems = await tables.problems()
      if (problems.length === 0) return 'in use'
      throw new ReadinessCheckFailed('broken: the built-in selectors are in use; the log says why')
    },
  }
}

/** Unreadable folders do not make the node unready, because all other folders are still indexed. */
function documentsCheck(documents: { unreadableFolderCount(): number }): ReadinessCheck {
  return {
    name: 'documents',
    isAdvisory: true,
    async run() {
      const count = documents.unreadableFolderCount()
      if (count === 0) return 'followed'
      throw new ReadinessCheckFailed(`folders that cannot be read: ${count}; the log names them`)
    },
  }
}
