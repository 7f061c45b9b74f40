import { join } from 'node:path'
import { Client, type PoolConfig } from 'pg'
import { newMasterKey, openSecretBox } from './accounts/master-key.ts'
import type { Config } from './config.ts'
import {
  closeDataFolder,
  keepSecret,
  openDataFolder,
  readOccupant,
  readRestoring,
  writeOccupant,
  removeOccupant,
  type DataFolder,
} from './data-folder.ts'
import {
  findEmbedded,
  findHolder,
  livingCluster,
  openEmbedded,
  type EmbeddedDatabase,
  type EmbeddedOptions,
} from './db/embedded/open.ts'
import { isAlive } from './db/embedded/postmaster.ts'
import { migrate } from './db/migrate.ts'
import { openDatabase, type OpenDatabase } from './db/open.ts'
import { OperatorError } from './errors.ts'
import type { SecretBox } from './lib/secret-box.ts'
import type { Log } from './log.ts'

/** The data folder and the database as they are: perhaps empty, perhaps of another version. */
export type BareStorage = AsyncDisposable & {
  folder: DataFolder
  database: OpenDatabase
  /** Where an outside database is; null: nowhere in a network. */
  place: { host: string; port: number } | null
  /** For a person: which database. */
  description: string
  /** Rejects when the embedded server is gone for good; never settles otherwise. */
  lost: Promise<never>
}

/** The same, ready to use. */
export type Storage = BareStorage & { secretBox: SecretBox }

/** Whoever opens is a service, which must be alone in its data folder, or a command that may join one. */
export type StorageMode = 'own' | 'join'

/**
 * Opens the storage for a service, which must be alone in its data folder (`own`), or for a command,
 * which joins the running service's database or runs the server for itself (`join`).
 */
export async function openStorage(config: Config, log: Log, mode: StorageMode): Promise<Storage> {
  await using stack = new AsyncDisposableStack()
  refuseHalfRestored(config.data)
  const bare = stack.use(await openBareStorage(config, log, mode))
  await migrate(bare.database.db)
  const secretBox = await openSecretBox(bare.database.db, masterKey(config, bare.folder))
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
  sayIfOpen(folder.root, log)
  const server =
    config.databaseUrl === undefined
      ? await embedded(config, folder, log, mode)
      : outside(config.databaseUrl)
  stack.defer(() => server.close())
  const max = mode === 'own' ? config.databasePool : 2
  const database = await openDatabase(server.address, { max, log, isFar: server.place !== null })
  stack.defer(() => database.close())
  const { description, place, lost } = server
  const opened = stack.move()
  return {
    folder,
    database,
    place,
    description,
    lost,
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

function sayIfOpen(root: string, log: Log): void {
  const state = closeDataFolder(root)
  if (state === 'closed now')
    log.warn({ folder: root }, 'data folder was open to other accounts and is closed now')
  if (state === 'open') log.warn({ folder: root }, 'data folder is open to other accounts')
}

function refuseHalfRestored(root: string): void {
  const restoring = readRestoring(root)
  if (restoring === null) return
  throw new OperatorError(
    `The restore of ${restoring.file} into this data folder, begun ${restoring.since}, was not finished`,
    `Finish it: hansard restore --force ${restoring.file}`,
  )
}

type ServerHandle = {
  address: PoolConfig
  place: BareStorage['place']
  description: string
  lost: Promise<never>
  close(): Promise<void>
}

const NEVER_LOST = new Promise<never>(() => {})

function outside(url: string): ServerHandle {
  // The driver's own reading: an address of a local socket is not a URL in every form it takes.
  const { host, port, database } = new Client({ connectionString: url })
  const isFar = !host.startsWith('/')
  return {
    address: { connectionString: url },
    place: isFar ? { host, port } : null,
    description: `PostgreSQL at ${isFar ? host : 'a local socket'}, database ${database}`,
    lost: NEVER_LOST,
    close: async () => {},
  }
}

async function embedded(
  config: Config,
  folder: DataFolder,
  log: Log,
  mode: StorageMode,
): Promise<ServerHandle> {
  const options: EmbeddedOptions = {
    data: folder.root,
    keepSecret,
    postgresBin: config.postgresBin,
    isOccupied: () => occupantOf(folder.root) !== null,
    log,
  }
  // Only a service stays; the server of another command would be gone in the middle of our work.
  const isOccupied = options.isOccupied()
  if (mode === 'own' && isOccupied) throw alreadyRunning(folder.root)
  if (isOccupied) return joinService(folder)
  const server = await openEmbedded(options)
  if (server !== null) return ownServer(server, folder, mode)
  if (mode === 'own' || !options.isOccupied()) throw alreadyRunning(folder.root)
  return joinService(folder)
}

function joinService(folder: DataFolder): ServerHandle {
  const address = findEmbedded(folder.root, keepSecret)
  if (address === null) throw alreadyRunning(folder.root)
  const description = 'PostgreSQL of the running service'
  return { address, place: null, description, lost: NEVER_LOST, close: async () => {} }
}

function ownServer(server: EmbeddedDatabase, folder: DataFolder, mode: StorageMode): ServerHandle {
  if (mode === 'own') writeOccupant(folder, { pid: process.pid, address: '' })
  return {
    address: server.address,
    place: null,
    description: `PostgreSQL ${server.version}, inside the data folder`,
    lost: server.lost,
    async close() {
      await server.close()
      if (mode === 'own') removeOccupant(folder)
    },
  }
}

/** The service that lives in a data folder now, if any. */
export function occupantOf(root: string): { pid: number; address: string } | null {
  const occupant = readOccupant(root)
  if (occupant === null || occupant.pid === process.pid) return null
  // A process with the same number may be anybody's; only beside a living database it is ours.
  return isAlive(occupant.pid) && livingCluster(root) !== null ? occupant : null
}

function alreadyRunning(root: string): OperatorError {
  const occupant = readOccupant(root)
  const holder = occupantOf(root) === null ? findHolder(root) : null
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
export function masterKey(config: Config, folder: DataFolder): Buffer {
  if (config.masterKey !== undefined) return config.masterKey
  const path = join(folder.secrets, 'master.key')
  const key = Buffer.from(keepSecret(path, newMasterKey), 'base64')
  if (key.length === 32) return key
  throw new OperatorError(`${path} does not hold 32 bytes in base64`, 'Restore it from a backup')
}
