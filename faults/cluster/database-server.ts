import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from 'pg'
import { requirePostgresBinaries } from '../../src/db/embedded/binaries.ts'
import { createClusterIfMissing, POSTGRES_SUPERUSER } from '../../src/db/embedded/cluster.ts'
import { chooseServerAccount } from '../../src/db/embedded/os-account.ts'
import { startPostgres, type PostgresServer } from '../../src/db/embedded/postgres-server.ts'
import { readPostmasterPidFileIfExists } from '../../src/db/embedded/postmaster.ts'
import { createLog } from '../../src/log.ts'
import { createMemoryFolder } from '../../test/support/database/memory-folder.ts'
import { findFreePort } from './free-port.ts'

const PASSWORD = 'faults'
const MAX_CONNECTIONS = 100
/** Distinguishes this program's connections from the nodes' connections. */
const APPLICATION = 'faults'

/** SQL that ends the connections of all nodes and returns one row for each. */
export const END_NODE_CONNECTIONS = `
  select pg_terminate_backend(pid) from pg_stat_activity
  where backend_type = 'client backend' and application_name <> '${APPLICATION}'`

/** A PostgreSQL server on loopback that can be stopped, crashed and paused. */
export type FaultyDatabaseServer = AsyncDisposable & {
  port: number
  /** The address of the database. A proxy's port or another host can be given. */
  url(port?: number, host?: string): string
  /** The server's first process. */
  pid(): number
  start(): Promise<void>
  /** Ends the server: `fast` closes all connections and writes a checkpoint, `crash` does neither. */
  end(how: 'fast' | 'crash'): Promise<void>
  /** Stops all of the server's processes with SIGSTOP. */
  pause(): void
  resume(): void
  connect(): Promise<Client>
  query<Row extends object>(text: string, values?: unknown[]): Promise<Row[]>
  /** Ends the connections of all nodes and returns their number. */
  endNodeConnections(): Promise<number>
}

/** `serverOptions` are PostgreSQL settings that differ from the usual ones. The folder is removed at the end. */
export async function openFaultyDatabaseServer(
  serverOptions: Readonly<Record<string, string>> = {},
  folder = createMemoryFolder(),
): Promise<FaultyDatabaseServer> {
  const cluster = join(folder, 'pg')
  const account = chooseServerAccount(folder)
  const binaries = requirePostgresBinaries(undefined, account)
  mkdirSync(join(folder, 'logs'))
  createClusterIfMissing(cluster, binaries, account, PASSWORD, createLog('silent'))
  const port = await findFreePort()
  const setup = {
    cluster,
    account,
    binaries,
    logFile: join(folder, 'logs/postgres.log'),
    serverOptions: {
      listen_addresses: '127.0.0.1',
      port: String(port),
      max_connections: String(MAX_CONNECTIONS),
      // The data must survive the end of the server, but not of the machine.
      fsync: 'off',
      ...serverOptions,
    },
  }
  let server: PostgresServer | null = null
  let paused: number[] = []
  const url = (toPort = port, host = '127.0.0.1') =>
    `postgres://${POSTGRES_SUPERUSER}:${PASSWORD}@${host}:${toPort}/postgres`
  const connect = async () => {
    const client = new Client({ connectionString: url(), application_name: APPLICATION })
    // The server is ended on purpose, and a query on a lost connection fails by itself.
    client.on('error', () => undefined)
    await client.connect()
    return client
  }
  const query = async <Row extends object>(text: string, values: unknown[] = []) => {
    const client = await connect()
    try {
      return (await client.query<Row>(text, values)).rows
    } finally {
      await client.end()
    }
  }
  const resume = () => {
    for (const pid of paused) process.kill(pid, 'SIGCONT')
    paused = []
  }
  const start = async () => {
    server = await startPostgres(setup)
    if (server === null) throw new Error('another server uses the cluster')
  }
  await start()
  return {
    port,
    url,
    pid: () => readPostmasterPid(cluster),
    start,
    connect,
    query,
    resume,
    async end(how) {
      if (how === 'crash') {
        process.kill(readPostmasterPid(cluster), 'SIGQUIT')
        await server?.ended
      } else await server?.stop()
    },
    pause() {
      paused = listServerProcesses(readPostmasterPid(cluster))
      for (const pid of paused) process.kill(pid, 'SIGSTOP')
    },
    async endNodeConnections() {
      return (await query(END_NODE_CONNECTIONS)).length
    },
    async [Symbol.asyncDispose]() {
      resume()
      await server?.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** A signal to process 0 would reach this program, so a missing process is an error. */
function readPostmasterPid(cluster: string): number {
  const pid = readPostmasterPidFileIfExists(cluster)?.pid
  if (pid === undefined) throw new Error(`no server runs on ${cluster}`)
  return pid
}

/** The first process comes first, because it would start others. */
function listServerProcesses(postmaster: number): number[] {
  const table = execFileSync('ps', ['-axo', 'pid=,ppid='], { encoding: 'utf8' })
  const children = table
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))
    .filter(([, parent]) => parent === postmaster)
  return [postmaster, ...children.map(([pid = 0]) => pid)]
}
