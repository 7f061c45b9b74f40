import type { Config } from './config.ts'
import { freeDiskMb } from './data-folder.ts'
import { pendingMigrations } from './db/migrate.ts'
import { CheckFailed, type Check } from './http/routes/health.ts'
import type { Jobs } from './jobs/jobs.ts'
import type { Storage } from './storage.ts'

/** The rows of /readyz. */
export function readinessChecks(config: Config, storage: Storage, jobs: Jobs): Check[] {
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
  ]
}
