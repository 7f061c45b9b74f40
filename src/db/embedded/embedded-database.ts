import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { PoolConfig } from 'pg'
import { randomBase62 } from '../../lib/crypto.ts'
import type { Log } from '../../log.ts'
import {
  requirePostgresBinaries,
  refuseUnreachableDataFolder,
  type PostgresBinaries,
} from './binaries.ts'
import {
  listClusterMajorVersions,
  createClusterIfMissing,
  refuseClusterOfOtherMajor,
  POSTGRES_SUPERUSER,
} from './cluster.ts'
import {
  socketFolderSeenByClients,
  chooseServerAccount,
  refuseMissingAccount,
  giveRootOwnedClusterToDataOwner,
} from './os-account.ts'
import {
  startPostgres,
  type PostgresServer,
  type PostgresStartOptions,
  startRestarting,
} from './postgres-server.ts'
import { isProcessAlive, readPostmasterPidFileIfExists } from './postmaster.ts'

/** How long to wait for another server to stop, whose parent was killed or which belongs to a short command. */
const LOCK_WAIT_MS = 30_000

export type EmbeddedDatabaseOptions = {
  data: string
  /** Returns the secret in a file, and creates the file on first use. */
  readOrCreateSecret(path: string, make: () => string): string
  postgresBin: string | undefined
  /** Folder for a copy of the packaged PostgreSQL. Null or missing if the package itself may be changed. */
  postgresCopies?: string | null
  /** True if a running service uses the data folder. Then waiting for its database lock is pointless. */
  isServiceRunning(): boolean
  /** Aborts to end the start. */
  signal?: AbortSignal
  /** Server settings that override the usual ones. */
  serverOptions?: PostgresStartOptions['serverOptions']
  log: Log
}

export type EmbeddedDatabase = {
  connection: PoolConfig
  version: string
  /** Rejects if the server has ended and could not be restarted. */
  lost: Promise<never>
  close(): Promise<void>
}

/** Finds the PostgreSQL to use with a data folder. Throws if there is none, or if the cluster has another version. */
export function requirePostgresForDataFolder({
  data,
  postgresBin,
  postgresCopies = null,
}: Pick<EmbeddedDatabaseOptions, 'data' | 'postgresBin' | 'postgresCopies'>): PostgresBinaries {
  const account = chooseServerAccount(data)
  refuseMissingAccount(account)
  const binaries = requirePostgresBinaries(postgresBin, account, postgresCopies)
  refuseClusterOfOtherMajor(data, binaries)
  return binaries
}

/**
 * Starts PostgreSQL inside the data folder and restarts it when it dies. Null if another process uses the cluster, or if
 * the signal aborts.
 */
export async function startEmbeddedDatabaseUnlessRunning(
  options: EmbeddedDatabaseOptions,
): Promise<EmbeddedDatabase | null> {
  const binaries = requirePostgresForDataFolder(options)
  const cluster = join(options.data, `pg${binaries.major}`)
  giveRootOwnedClusterToDataOwner(cluster, options.data)
  const account = chooseServerAccount(options.data, cluster)
  refuseUnreachableDataFolder(options.data, binaries, account)
  createClusterIfMissing(cluster, binaries, account, databasePassword(options), options.log)
  const logFile = join(options.data, 'logs/postgres.log')
  const setup: PostgresStartOptions = {
    cluster,
    logFile,
    account,
    binaries,
    serverOptions: options.serverOptions ?? {},
  }
  const server = await startOnceLockIsFree(setup, options)
  if (server === null) return null
  const start = (signal: AbortSignal) => startPostgres(setup, signal)
  return {
    connection: connectionOf(cluster, databasePassword(options)),
    version: binaries.version,
    ...startRestarting({ server, start, log: options.log }),
  }
}

/** Connection settings of the server that another Hansard process runs in this data folder. Null if none runs. */
export function findRunningDatabaseConnectionSettings(
  data: string,
  readOrCreateSecret: EmbeddedDatabaseOptions['readOrCreateSecret'],
): PoolConfig | null {
  const cluster = findRunningClusterFolder(data)
  return cluster === null
    ? null
    : connectionOf(cluster, databasePassword({ data, readOrCreateSecret }))
}

/** The cluster folder of a server that runs in this data folder, no matter which process started it. */
export function findRunningClusterFolder(dataFolder: string): string | null {
  if (!existsSync(dataFolder)) return null
  const isUp = (cluster: string) => {
    const found = readPostmasterPidFileIfExists(cluster)
    return found !== null && found.isReady && isProcessAlive(found.pid)
  }
  const clusters = readdirSync(dataFolder).filter((name) => /^pg\d+$/.test(name))
  return clusters.map((name) => join(dataFolder, name)).find(isUp) ?? null
}

/** The live process in a cluster's lock file. It may be an unrelated process with the number of a dead server. */
export function findClusterLockHolder(dataFolder: string): { pid: number; file: string } | null {
  for (const major of listClusterMajorVersions(dataFolder)) {
    const cluster = join(dataFolder, `pg${major}`)
    const found = readPostmasterPidFileIfExists(cluster)
    if (found !== null && isProcessAlive(found.pid)) {
      return { pid: found.pid, file: join(cluster, 'postmaster.pid') }
    }
  }
  return null
}

async function startOnceLockIsFree(
  setup: PostgresStartOptions,
  { isServiceRunning, signal }: Pick<EmbeddedDatabaseOptions, 'isServiceRunning' | 'signal'>,
): Promise<PostgresServer | null> {
  const deadline = performance.now() + LOCK_WAIT_MS
  for (;;) {
    const server = await startPostgres(setup, signal)
    if (server !== null || signal?.aborted) return server
    if (isServiceRunning() || performance.now() > deadline) return null
    await sleep(100)
  }
}

function databasePassword({
  data,
  readOrCreateSecret,
}: Pick<EmbeddedDatabaseOptions, 'data' | 'readOrCreateSecret'>): string {
  return readOrCreateSecret(join(data, 'secrets/postgres.password'), () => randomBase62(32))
}

function connectionOf(cluster: string, secret: string): PoolConfig {
  return {
    host: socketFolderSeenByClients(cluster),
    user: POSTGRES_SUPERUSER,
    password: secret,
    database: 'postgres',
  }
}
