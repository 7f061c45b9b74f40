import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { PoolConfig } from 'pg'
import { OperatorError } from '../../errors.ts'
import { randomBase62 } from '../../lib/random.ts'
import type { Log } from '../../log.ts'
import { serverAccount } from './account.ts'
import { findBinaries, refuseClosedWay } from './binaries.ts'
import { clusterMajors, ensureCluster, refuseOtherMajor, SUPERUSER } from './cluster.ts'
import { isAlive, readPostmaster } from './postmaster.ts'
import { startServer, type Server, type ServerPlace } from './server.ts'
import { clientSocketFolder } from './socket.ts'

/** How long a server that lost its owner to kill -9, or that a command runs for itself, may take to go. */
const PREDECESSOR_MS = 30_000
const RESTART_DELAYS_MS = [0, 250, 1_000, 4_000, 8_000]

export type EmbeddedOptions = {
  data: string
  /** Keeps a text in a file of its own, made on first use. */
  keepSecret(path: string, make: () => string): string
  postgresBin: string | undefined
  /** Whether a living process says that the folder is its own; then there is nothing to wait for. */
  isOccupied(): boolean
  log: Log
}

export type EmbeddedDatabase = {
  address: PoolConfig
  version: string
  /** Rejects when the server is gone for good. */
  lost: Promise<never>
  close(): Promise<void>
}

/** Starts the server inside the data folder, and again should it die while we live. Null: another process holds it. */
export async function openEmbedded(options: EmbeddedOptions): Promise<EmbeddedDatabase | null> {
  const binaries = findBinaries(options.postgresBin, serverAccount())
  refuseOtherMajor(options.data, binaries)
  const cluster = join(options.data, `pg${binaries.major}`)
  const account = serverAccount(cluster)
  refuseClosedWay(options.data, binaries, account)
  ensureCluster(cluster, binaries, account, password(options))
  const logFile = join(options.data, 'logs/postgres.log')
  const place: ServerPlace = { cluster, logFile, account, binaries }
  let server = await startAfterPredecessor(place, options.isOccupied)
  if (server === null) return null

  let isClosing = false
  const keepUp = async (): Promise<never> => {
    for (;;) {
      await server?.ended
      if (isClosing) return new Promise(() => {})
      options.log.error('database server ended by itself')
      server = await restart(place, options.log)
    }
  }
  const lost = keepUp()
  lost.catch((error: unknown) => options.log.fatal({ err: error }, 'database server lost'))
  return {
    address: addressOf(cluster, password(options)),
    version: binaries.version,
    lost,
    async close() {
      isClosing = true
      await server?.stop()
    },
  }
}

/** The address of a server that another process of ours runs in this data folder, or null. */
export function findEmbedded(
  data: string,
  keepSecret: EmbeddedOptions['keepSecret'],
): PoolConfig | null {
  const cluster = livingCluster(data)
  return cluster === null ? null : addressOf(cluster, password({ data, keepSecret }))
}

/** The cluster folder of a server that is up in this data folder, whoever runs it. */
export function livingCluster(data: string): string | null {
  if (!existsSync(data)) return null
  const isUp = (cluster: string) => {
    const found = readPostmaster(cluster)
    return found !== null && found.isReady && isAlive(found.pid)
  }
  const clusters = readdirSync(data).filter((name) => /^pg\d+$/.test(name))
  return clusters.map((name) => join(data, name)).find(isUp) ?? null
}

/** The process that a cluster's lock file names, if it lives: a server, or what has its number since. */
export function findHolder(data: string): { pid: number; file: string } | null {
  for (const major of clusterMajors(data)) {
    const cluster = join(data, `pg${major}`)
    const found = readPostmaster(cluster)
    if (found !== null && isAlive(found.pid)) {
      return { pid: found.pid, file: join(cluster, 'postmaster.pid') }
    }
  }
  return null
}

async function startAfterPredecessor(
  place: ServerPlace,
  isOccupied: () => boolean,
): Promise<Server | null> {
  const deadline = performance.now() + PREDECESSOR_MS
  for (;;) {
    const server = await startServer(place)
    if (server !== null || isOccupied() || performance.now() > deadline) return server
    await sleep(100)
  }
}

async function restart(place: ServerPlace, log: Log): Promise<Server> {
  for (const delay of RESTART_DELAYS_MS) {
    await sleep(delay)
    try {
      const server = await startServer(place)
      if (server !== null) return server
    } catch (error) {
      log.error({ err: error }, 'database server did not restart')
    }
  }
  throw new OperatorError('The database server died and could not be started again')
}

function password({ data, keepSecret }: Pick<EmbeddedOptions, 'data' | 'keepSecret'>): string {
  return keepSecret(join(data, 'secrets/postgres.password'), () => randomBase62(32))
}

function addressOf(cluster: string, secret: string): PoolConfig {
  return {
    host: clientSocketFolder(cluster),
    user: SUPERUSER,
    password: secret,
    database: 'postgres',
  }
}
