import { join } from 'node:path'
import { Client, type PoolConfig } from 'pg'
import { newMasterKey, openSecretBox } from '../accounts/master-key.ts'
import type { Config } from '../config/config.ts'
import {
  restrictDataFolder,
  readOrCreateSecret,
  openDataFolder,
  readRunningService,
  readUnfinishedRestore,
  writeRunningService,
  removeRunningService,
  type DataFolder,
} from './data-folder.ts'
import {
  findRunningEmbedded,
  findLockHolder,
  findRunningCluster,
  openEmbeddedDatabase,
  type EmbeddedDatabase,
  type EmbeddedOptions,
} from '../db/embedded/embedded-database.ts'
import { isProcessAlive } from '../db/embedded/postmaster.ts'
import { migrate } from '../db/migrate.ts'
import { openDatabase, type DatabaseHandle } from '../db/database.ts'
import { OperatorError } from '../errors.ts'
import type { SecretBox } from '../lib/crypto/secret-box.ts'
import type { Log } from '../log.ts'

/** The data folder and the database as they are: perhaps empty, perhaps of another version. */
export type BareStorage = AsyncDisposable & {
  folder: DataFolder
  database: DatabaseHandle
  /** Where an outside database is; null: nowhere in a network. */
  remoteAddress: { host: string; port: number } | null
  /** For a person: which database. */
  description: string
  /** Rejects when the embedded server is gone for good; never settles otherwise. */
  lost: Promise<never>
}

/** The same, ready to use. */
export type InstanceStorage = BareStorage & { secretBox: SecretBox }

/** Whoever opens is a service, which must be alone in its data folder, or a command that may join one. */
export type StorageMode = 'own' | 'join'

/**
 * Opens the storage for a service, which must be alone in its data folder (`own`), or for a command,
 * which joins the running service's database or runs the server for itself (`join`).
 */
export async function openStorage(
  config: Config,
  log: Log,
  mode: StorageMode,
): Promise<InstanceStorage> {
  await using stack = new AsyncDisposableStack()
  refuseUnfinishedRestore(config.data)
  const bare = stack.use(await openBareStorage(config, log, mode))
  await migrate(bare.database.db)
  const secretBox = await openSecretBox(bare.database.db, readMasterKey(config, bare.folder))
  const opened = stack.move()
  return { ...bare, secretBox, [Symbol.asyncDispose]: () => opened.disposeAsync() }
}

/** For what looks at the storage as a whole, such as a backup. */
export async function openBareStorage(
  config: Config,
  log: Log,
  mode: StorageMode,
): Promise<BareStorage> {
  await using stack = new AsyncDisposableStack()
  const folder = openDataFolder(config.data)
  warnIfFolderIsOpen(folder.root, log)
  const server =
    config.databaseUrl === undefined
      ? await embeddedServer(config, folder, log, mode)
      : externalServer(config.databaseUrl)
  stack.defer(() => server.close())
  const max = mode === 'own' ? config.databasePool : 2
  const database = await openDatabase(server.address, {
    max,
    log,
    isRemote: server.remoteAddress !== null,
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
  if (state === 'closed now')
    log.warn({ folder: root }, 'data folder was open to other accounts and is closed now')
  if (state === 'open') log.warn({ folder: root }, 'data folder is open to other accounts')
}

function refuseUnfinishedRestore(root: string): void {
  const restoring = readUnfinishedRestore(root)
  if (restoring === null) return
  throw new OperatorError(
    `The restore of ${restoring.file} into this data folder, begun ${restoring.since}, was not finished`,
    `Finish it: hansard restore --force ${restoring.file}`,
  )
}

type DatabaseServer = {
  address: PoolConfig
  remoteAddress: BareStorage['remoteAddress']
  description: string
  lost: Promise<never>
  close(): Promise<void>
}

const NEVER_LOST = new Promise<never>(() => {})

function externalServer(url: string): DatabaseServer {
  // The driver's own reading: an address of a local socket is not a URL in every form it takes.
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
  mode: StorageMode,
): Promise<DatabaseServer> {
  const options: EmbeddedOptions = {
    data: folder.root,
    readOrCreateSecret,
    postgresBin: config.postgresBin,
    isServiceRunning: () => findRunningService(folder.root) !== null,
    log,
  }
  // Only a service stays; the server of another command would be gone in the middle of our work.
  const isOccupied = options.isServiceRunning()
  if (mode === 'own' && isOccupied) throw alreadyRunningError(folder.root)
  if (isOccupied) return joinRunningService(folder)
  const server = await openEmbeddedDatabase(options)
  if (server !== null) return ownServer(server, folder, mode)
  if (mode === 'own' || !options.isServiceRunning()) throw alreadyRunningError(folder.root)
  return joinRunningService(folder)
}

function joinRunningService(folder: DataFolder): DatabaseServer {
  const address = findRunningEmbedded(folder.root, readOrCreateSecret)
  if (address === null) throw alreadyRunningError(folder.root)
  const description = 'PostgreSQL of the running service'
  return { address, remoteAddress: null, description, lost: NEVER_LOST, close: async () => {} }
}

function ownServer(
  server: EmbeddedDatabase,
  folder: DataFolder,
  mode: StorageMode,
): DatabaseServer {
  if (mode === 'own') writeRunningService(folder, { pid: process.pid, address: '' })
  return {
    address: server.connection,
    remoteAddress: null,
    description: `PostgreSQL ${server.version}, inside the data folder`,
    lost: server.lost,
    async close() {
      await server.close()
      if (mode === 'own') removeRunningService(folder)
    },
  }
}

/** The service that lives in a data folder now, if any. */
export function findRunningService(root: string): { pid: number; address: string } | null {
  const occupant = readRunningService(root)
  if (occupant === null || occupant.pid === process.pid) return null
  // A process with the same number may be anybody's; only beside a living database it is ours.
  return isProcessAlive(occupant.pid) && findRunningCluster(root) !== null ? occupant : null
}

function alreadyRunningError(root: string): OperatorError {
  const occupant = readRunningService(root)
  const holder = findRunningService(root) === null ? findLockHolder(root) : null
  if (holder !== null) {
    return new OperatorError(
      `The database in the data folder is held by process ${holder.pid}, as ${holder.file} says`,
      'Wait for that process, or stop it; if it is no PostgreSQL, remove the file',
    )
  }
  const who =
    occupant === null
      ? ''
      : ` (process ${occupant.pid}${occupant.address && `, ${occupant.address}`})`
  return new OperatorError(
    `Hansard is already running on the data folder ${root}${who}`,
    'Use that one, stop it first, or set HANSARD_DATA and HANSARD_PORT for a second instance',
  )
}

/** The key of this instance, made on first use. */
export function readMasterKey(config: Config, folder: DataFolder): Buffer {
  if (config.masterKey !== undefined) return config.masterKey
  const path = join(folder.secrets, 'master.key')
  const key = Buffer.from(readOrCreateSecret(path, newMasterKey), 'base64')
  if (key.length === 32) return key
  throw new OperatorError(`${path} does not hold 32 bytes in base64`, 'Restore it from a backup')
}
