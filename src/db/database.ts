import { Kysely, PostgresDialect, type Transaction } from 'kysely'
import { Pool, type ClientBase, type PoolClient, type PoolConfig, type QueryResult } from 'pg'
import { OperatorError, PermanentError } from '../errors.ts'
import type { Log } from '../log.ts'
import type { Database } from './schema.ts'
import { waitUntilSettled } from '../lib/async/await-later.ts'
import { onAbort } from '../lib/async/on-abort.ts'
import { errorMessageOf } from '../lib/error-code.ts'
import { createDbOnConnections } from './connections/db-on-connections.ts'
import { destroyConnection, internalsOf } from './connections/driver-internals.ts'
import { startClosingLostConnections } from './connections/lost-connections.ts'
import { trackOpenClients } from './connections/open-clients.ts'
import { createPoolSockets } from './connections/pool-sockets.ts'
import { applySessionSettings, KEEP_ALIVE_AFTER_MS } from './connections/session-settings.ts'
import {
  startClosingUnansweredConnections,
  type AnswerTimeouts,
  type UnansweredStatementWatch,
} from './connections/unanswered-statements.ts'
import { HOUR_MS } from '../lib/time/durations.ts'

export type Db = Kysely<Database>
/** A database handle inside a transaction. */
export type Tx = Transaction<Database>

export type DatabaseHandle = {
  db: Db
  pool: Pool
  /** The same connections, for statements that may take long: migrations, background jobs and maintenance. */
  longRunning: LongRunningStatements
  close(): Promise<void>
}

export type LongRunningStatements = {
  db: Db
  query(text: string, values?: unknown[]): Promise<QueryResult>
  /** Makes `work` and its statements fail when the signal aborts, even if they wait for the lock of another node. */
  runUntilAborted<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T>
}

const MIN_MAJOR_VERSION = 15
const CANCEL_LOCK_WAITS = `select pg_cancel_backend(pid) from pg_stat_activity
  where pid = any($1::int[]) and datname = current_database() and wait_event_type = 'Lock'`

/** Time limits of a pool in milliseconds. */
export type DatabaseTimeLimits = {
  /** How long a caller waits for a connection. */
  connect: number
  /** How long a statement waits for its answer. */
  answer: AnswerTimeouts
  /** How long a transaction may wait for its next statement, for example while a file is written. */
  betweenStatements: number
}

export const DATABASE_TIME_LIMIT_PRESETS = {
  /** Requests of clients fail soon instead of waiting for a server that does not answer. */
  service: {
    connect: 5_000,
    answer: { ordinary: 30_000, long: HOUR_MS },
    betweenStatements: 30_000,
  },
  /** A backup or a restore has long statements, and a person rather waits than starts it again. */
  command: {
    connect: 30_000,
    answer: { ordinary: HOUR_MS, long: HOUR_MS },
    betweenStatements: HOUR_MS,
  },
} as const satisfies Record<string, DatabaseTimeLimits>

export type DatabaseOptions = {
  max: number
  log: Log
  /** The server is reached over a network, where a connection can be lost without either side being notified. */
  isRemote?: boolean
  /** Default: those of a command. Only a service must answer soon. */
  timeLimits?: DatabaseTimeLimits
}

/** Connects to a running PostgreSQL server, embedded or external, and checks its version and encoding. */
export async function connectToDatabase(
  address: PoolConfig,
  { max, log, isRemote = false, timeLimits = DATABASE_TIME_LIMIT_PRESETS.command }: DatabaseOptions,
): Promise<DatabaseHandle> {
  const sockets = isRemote ? createPoolSockets() : null
  const session = { isRemote, betweenStatementsMs: timeLimits.betweenStatements }
  const pool = new Pool({
    ...address,
    max,
    connectionTimeoutMillis: timeLimits.connect,
    // The pool waits for the returned promise, although its types do not say so.
    onConnect: (client: ClientBase): unknown => applySessionSettings(client, session, log),
    ...(sockets !== null && {
      stream: sockets.create,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
    }),
  })
  const openClients = trackOpenClients(pool)
  const lost =
    sockets === null ? null : startClosingLostConnections({ openClients, sockets, address, log })
  const timeouts = timeLimits.answer
  const unanswered = startClosingUnansweredConnections({ pool, openClients, timeouts, log })
  let isClosing = false
  const logLostConnection = (error: Error) => {
    if (!isClosing) log.warn({ err: error }, 'database connection lost')
  }
  pool.on('error', logLostConnection)
  // A connection in use emits `error` when it is lost; without a listener Node would end the process.
  pool.on('connect', (client) => client.on('error', logLostConnection))
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool }) })
  const close = async () => {
    isClosing = true
    await lost?.[Symbol.asyncDispose]()
    await db.destroy()
    // Kysely does not end a pool that it has not used yet.
    if (!pool.ending) await pool.end()
    unanswered[Symbol.dispose]()
  }
  try {
    await checkServer(pool)
  } catch (error) {
    await close()
    throw error
  }
  return { db, pool, longRunning: createLongRunningStatements(pool, unanswered), close }
}

function createLongRunningStatements(
  pool: Pool,
  watch: UnansweredStatementWatch,
): LongRunningStatements {
  const inUse = new Set<PoolClient>()
  pool.on('release', (_error, client) => inUse.delete(client))
  let isAborted = false
  const connect = async () => {
    const client = await pool.connect()
    watch.allowLongStatements(client)
    inUse.add(client)
    if (isAborted) destroyConnection(client)
    return client
  }
  return {
    db: createDbOnConnections(connect, pool.options),
    async query(text, values) {
      const client = await connect()
      let isUsable = false
      try {
        const result = await client.query(text, values)
        isUsable = true
        return result
      } finally {
        client.release(!isUsable)
      }
    },
    async runUntilAborted(work, signal) {
      signal.throwIfAborted()
      let cancelling: Promise<unknown> = Promise.resolve()
      const unsubscribe = onAbort(signal, () => {
        isAborted = true
        const pids = [...inUse].map((client) => internalsOf(client).processID)
        inUse.forEach(destroyConnection)
        // Otherwise the server would go on waiting for a lock on a closed connection.
        cancelling = waitUntilSettled(pool.query(CANCEL_LOCK_WAITS, [pids]))
      })
      try {
        return await work()
      } finally {
        unsubscribe()
        await cancelling
      }
    },
  }
}

async function checkServer(pool: Pool): Promise<void> {
  try {
    const { rows } = await pool.query<{ version: string; encoding: string }>(
      `select current_setting('server_version_num') as version, current_setting('server_encoding') as encoding`,
    )
    const major = Math.floor(Number(rows[0]?.version) / 10_000)
    if (major < MIN_MAJOR_VERSION)
      throw new PermanentError(
        `PostgreSQL ${major} is too old`,
        `Use PostgreSQL ${MIN_MAJOR_VERSION} or newer`,
      )
    if (rows[0]?.encoding !== 'UTF8')
      throw new PermanentError(
        'The encoding of the database is not UTF8',
        'Create a database with the encoding UTF8 and set DATABASE_URL to it',
      )
  } catch (error) {
    if (error instanceof OperatorError) throw error
    throw new OperatorError(
      `Hansard cannot connect to the database: ${errorMessageOf(error)}`,
      'Check DATABASE_URL and that the database server is running',
      error,
    )
  }
}
