import { join } from 'node:path'
import { needsDiskSpace, type Config } from '../config/config.ts'
import { MAX_MACHINE_CLOCK_OFFSET_MS, type DatabaseClock } from '../db/database-clock.ts'
import type { Db } from '../db/database.ts'
import { readPendingMigrations } from '../db/migrate.ts'
import type { NodeMembership } from '../db/nodes/node-membership.ts'
import { describeMissingRoles } from '../db/nodes/node-roles.ts'
import { ServiceError } from '../errors.ts'
import { ReadinessCheckFailed, type ReadinessCheck } from '../http/routes/instance/health-routes.ts'
import { findFolderAccessErrorCode, readFreeDiskSpace } from '../lib/files/folders.ts'
import { PROJECTS_ROOT } from '../projects/document-ref.ts'
import type { MigratedStorage } from '../storage/open-storage.ts'

type Parts = {
  config: Config
  storage: MigratedStorage
  bots: { pageModels: { problems(): Promise<string[]> } }
  projects: { index: { unreadableFolderCount(): number } }
  membership: Pick<NodeMembership, 'requireFreshHeartbeat' | 'heartbeatAgeMs'>
}

/** The checks of /readyz. */
export function createReadinessChecks(parts: Parts): ReadinessCheck[] {
  const { config, storage, bots, projects, membership } = parts
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
      name: 'heartbeat',
      async run() {
        try {
          await membership.requireFreshHeartbeat()
          return 'written'
        } catch (error) {
          if (!(error instanceof ServiceError)) throw error
          const seconds = Math.round(membership.heartbeatAgeMs() / 1000)
          throw new ReadinessCheckFailed(`not written for ${seconds} s: no meetings are accepted`)
        }
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
      name: 'disk',
      async run() {
        const free = readFreeDiskSpace(folder.root)
        if (needsDiskSpace(config)) {
          if (free.mb < config.minFreeDiskMb)
            throw new ReadinessCheckFailed(`only ${free.mb} MB free`)
          if (!free.hasFileEntries) throw new ReadinessCheckFailed('no free inodes')
        }
        const docs = config.documents === 'folder' ? [join(folder.root, PROJECTS_ROOT)] : []
        const problem = findFirstWriteProblem([folder.root, ...docs])
        if (problem !== null) throw new ReadinessCheckFailed(`cannot be written: ${problem}`)
        return `${free.mb} MB free`
      },
    },
    documentsCheck(config, projects.index),
    clockCheck(storage.clock),
    ...(config.databaseUrl === undefined ? [] : [rolesCheck(config, database.db)]),
    ...(config.selectorsFile === undefined ? [] : [selectorsFileCheck(bots.pageModels)]),
  ]
}

/** A missing role does not make this node unready, because it does its own part. */
function rolesCheck({ roles }: Config, db: Db): ReadinessCheck {
  return {
    name: 'roles',
    isAdvisory: true,
    async run() {
      const missing = await describeMissingRoles(db)
      if (missing !== null) throw new ReadinessCheckFailed(missing)
      return `this node: ${roles.join(', ')}`
    },
  }
}

/** A wrong clock does not make the node unready, because the service uses the database's time. */
function clockCheck({ machineOffsetMs }: Pick<DatabaseClock, 'machineOffsetMs'>): ReadinessCheck {
  return {
    name: 'clock',
    isAdvisory: true,
    async run() {
      const offset = machineOffsetMs()
      if (Math.abs(offset) <= MAX_MACHINE_CLOCK_OFFSET_MS) return 'agrees with the database'
      const seconds = Math.round(Math.abs(offset) / 1000)
      const direction = offset > 0 ? 'ahead of' : 'behind'
      throw new ReadinessCheckFailed(
        `${seconds} s ${direction} the database: set the clock of this machine`,
      )
    },
  }
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

/** The first problem of a folder. Null if all can be written or will be created later. */
function findFirstWriteProblem(folders: readonly string[]): string | null {
  const problems = folders.map(findFolderAccessErrorCode)
  return problems.find((problem) => problem !== null && problem !== 'ENOENT') ?? null
}

/** Unreadable folders do not make the node unready, because all other folders are still indexed. */
function documentsCheck(
  config: Config,
  documents: { unreadableFolderCount(): number },
): ReadinessCheck {
  return {
    name: 'documents',
    isAdvisory: true,
    async run() {
      if (config.documents === 'database') return 'in the database'
      const count = documents.unreadableFolderCount()
      if (count === 0) return 'followed'
      throw new ReadinessCheckFailed(`folders that cannot be read: ${count}; the log names them`)
    },
  }
}
