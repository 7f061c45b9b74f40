import { Client, type PoolConfig } from 'pg'
import type { Config } from '../config/config.ts'
import { findPostgresCopiesFolder } from '../config/load-config.ts'
import { startDatabaseClock, type DatabaseClock } from '../db/database-clock.ts'
import {
  DATABASE_TIME_LIMIT_PRESETS,
  connectToDatabase,
  type DatabaseHandle,
  type DatabaseTimeLimits,
} from '../db/database.ts'
import {
  findRunningDatabaseConnectionSettings,
  findClusterLockHolder,
  findRunningClusterFolder,
  startEmbeddedDatabaseUnlessRunning,
  type EmbeddedDatabase,
  type EmbeddedDatabaseOptions,
} from '../db/embedded/embedded-database.ts'
import { isProcessAlive } from '../db/embedded/postmaster.ts'
import { migrateDatabase } from '../db/migrate.ts'
import { OperatorError, PermanentError } from '../lib/operator-error.ts'
import type { SecretBox } from '../lib/crypto.ts'
import { systemClock, type Clock } from '../lib/time/clock.ts'
import type { Log } from '../log.ts'
import {
  restrictDataFolder,
  readOrCreateSecret,
  openDataFolder,
  readRunningServiceFile,
  readRestoreMarker,
  removeInterruptedRestore,
  writeRunningServiceFile,
  removeRunningServiceFile,
  type DataFolder,
} from './data-folder.ts'
import { hasMasterKey, openSecretBox } from './master-key-file.ts'

/** The data folder and the database before migration. The database may be empty or have another version. */
export type UnmigratedStorage = AsyncDisposable & {
  folder: DataFolder
  database: DatabaseHandle
  /** The address of an external database. Null if it is embedded or on a local socket. */
  remoteAddress: { host: string; port: number } | null
  /** Describes the database for people. */
  description: string
  /** Rejects if the embedded server has ended and could not be restarted. Otherwise never settles. */
  lost: Promise<never>
}

/** Migrated storage that is ready to use, with the opened secret box and the clock that all nodes share. */
export type MigratedStorage = UnmigratedStorage & {
  secretBox: SecretBox
  /** False if the secret box cannot open any secret. */
  hasMasterKey: boolean
  clock: DatabaseClock
}

/** `own`: the service, which must be the only one in its data folder. `join`: a command, which may run next to it. */
export type StorageOpenMode = 'own' | 'join'

export type StorageOptions = {
  machineClock?: Clock
  /** How long a request waits for a database connection. The default depends on the mode. */
  databaseConnectMs?: number
  /** Aborts the opening, which may wait long for another process. */
  signal?: AbortSignal
}

const NEVER_ABORTED = new AbortController().signal

/**
 * Opens and migrates the storage. A command (`join`) connects to the running service's database, or starts the embedded
 * server itself if no service is running.
 */
export async function openStorage(
  config: Config,
  log: Log,
  mode: StorageOpenMode,
  { machineClock = systemClock, databaseConnectMs, signal = NEVER_ABORTED }: StorageOptions = {},
): Promise<MigratedStorage> {
  await using stack = new AsyncDisposableStack()
  refuseUnfinishedRestore(config.data)
  const preset = DATABASE_TIME_LIMIT_PRESETS[mode === 'own' ? 'service' : 'command']
  const timeLimits = { ...preset, connect: databaseConnectMs ?? preset.connect }
  const bare = stack.use(await openUnmigratedStorage(config, log, mode, timeLimits, signal))
  // Waits for a running restore, because that locks the tables.
  const { longRunning } = bare.database
  await longRunning.runUntilAborted(() => migrateDatabase(longRunning.db), signal)
  signal.throwIfAborted()
  if (mode === 'own') removeInterruptedRestore(bare.folder.root)
  const secretBox = await openSecretBox(bare.database.db, config, bare.folder)
  signal.throwIfAborted()
  const { pool } = bare.database
  const clock = stack.use(await startDatabaseClock({ pool, log, machineClock }))
  const opened = stack.move()
  return {
    ...bare,
    secretBox,
    hasMasterKey: hasMasterKey(config, bare.folder),
    clock,
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

/** Opens the storage without migrating it, for example for a restore. Commands wait longer for the database. */
export async function openUnmigratedStorage(
  config: Config,
  log: Log,
  mode: StorageOpenMode,
  timeLimits: DatabaseTimeLimits = DATABASE_TIME_LIMIT_PRESETS.command,
  signal: AbortSignal = NEVER_ABORTED,
): Promise<UnmigratedStorage> {
  await using stack = new AsyncDisposableStack()
  const folder = openDataFolder(config.data)
  warnIfFolderIsOpen(folder.root, log)
  const server =
    config.databaseUrl === undefined
      ? await embeddedServer(config, folder, log, mode, signal)
      : externalServer(config.databaseUrl)
  stack.defer(() => server.close())
  signal.throwIfAborted()
  const max = mode === 'own' ? config.databasePool : 2
  const database = await connectToDatabase(server.address, {
    max,
    log,
    isRemote: server.remoteAddress !== null,
    timeLimits,
  })
  stack.defer(() => database.close())
  const { description, remoteAddress, lost } = server
  const opened = stack.move()
  return {
    folder,
    database,
    remoteAddress,
    description,
    lost,
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

function warnIfFolderIsOpen(root: string, log: Log): void {
  const state = restrictDataFolder(root)
  if (state === 'restricted now')
    log.warn({ folder: root }, 'removed access of other accounts to the data folder')
  if (state === 'open') log.warn({ folder: root }, 'other accounts have access to the data folder')
}

function refuseUnfinishedRestore(root: string): void {
  const restore = readRestoreMarker(root)
  if (restore === null) return
  throw new PermanentError(
    `The restore of ${restore.file} into this data folder, started ${restore.since}, was not completed`,
    `Run it again: hansard restore --force ${restore.file}`,
  )
}

type DatabaseServer = {
  address: PoolConfig
  remoteAddress: UnmigratedStorage['remoteAddress']
  description: string
  lost: Promise<never>
  close(): Promise<void>
}

const NEVER_LOST = new Promise<never>(() => {})

function externalServer(url: string): DatabaseServer {
  // The PostgreSQL driver parses the address, because it accepts socket addresses that are not valid URLs.
  const { host, port, database } = new Client({ connectionString: url })
  const isRemote = !host.startsWith('/')
  return {
    address: { connectionString: url },
    remoteAddress: isRemote ? { host, port } : null,
    description: `PostgreSQL at ${isRemote ? host : 'a local socket'}, database ${database}`,
    lost: NEVER_LOST,
    close: async () => {},
  }
}

async function embeddedServer(
  config: Config,
  folder: DataFolder,
  log: Log,
  mode: StorageOpenMode,
  signal: AbortSignal,
): Promise<DatabaseServer> {
  const isServiceRunning = () => findRunningService(folder.root) !== null
  const options: EmbeddedDatabaseOptions = {
    data: folder.root,
    readOrCreateSecret,
    postgresBin: config.postgresBin,
    postgresCopies: findPostgresCopiesFolder(config),
    isServiceRunning,
    signal,
    log,
  }
  // A command only joins the database server of a running service. Another command's server stops with that command.
  if (isServiceRunning()) {
    if (mode === 'own') throw alreadyRunningError(folder.root)
    return joinRunningService(folder)
  }
  const server = await startEmbeddedDatabaseUnlessRunning(options)
  if (server !== null) return ownServer(server, folder, mode)
  signal.throwIfAborted()
  if (mode === 'own' || !isServiceRunning()) throw alreadyRunningError(folder.root)
  return joinRunningService(folder)
}

function joinRunningService(folder: DataFolder): DatabaseServer {
  const address = findRunningDatabaseConnectionSettings(folder.root, readOrCreateSecret)
  if (address === null) throw alreadyRunningError(folder.root)
  const description = 'PostgreSQL of the running service'
  return { address, remoteAddress: null, description, lost: NEVER_LOST, close: async () => {} }
}

function ownServer(
  server: EmbeddedDatabase,
  folder: DataFolder,
  mode: StorageOpenMode,
): DatabaseServer {
  if (mode === 'own') writeRunningServiceFile(folder, { pid: process.pid, address: '' })
  return {
    address: server.connection,
    remoteAddress: null,
    description: `PostgreSQL ${server.version}, inside the data folder`,
    lost: server.lost,
    async close() {
      await server.close()
      if (mode === 'own') removeRunningServiceFile(folder)
    },
  }
}

/** The running service that uses a data folder; null if there is none. */
export function findRunningService(dataFolder: string): { pid: number; address: string } | null {
  const service = readRunningServiceFile(dataFolder)
  if (service === null || service.pid === process.pid) return null
  // Another program may have reused the process id. A running database confirms that it is the service.
  return isProcessAlive(service.pid) && findRunningClusterFolder(dataFolder) !== null
    ? service
    : null
}

function alreadyRunningError(root: string): OperatorError {
  const service = readRunningServiceFile(root)
  const holder = findRunningService(root) === null ? findClusterLockHolder(root) : null
  if (holder !== null) {
    return new OperatorError(
      `The database in the data folder is in use by process ${holder.pid}, according to ${holder.file}`,
      'Wait for that process to end, or stop it. If it is not PostgreSQL, remove the file',
    )
  }
  const details =
    service === null ? '' : ` (process ${service.pid}${service.address && `, ${service.address}`})`
  return new OperatorError(
    `Hansard is already running on the data folder ${root}${details}`,
    'Use the running service, stop it first, or set HANSARD_DATA and HANSARD_PORT to run a second instance',
  )
}
