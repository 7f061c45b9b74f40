import { Kysely, PostgresDialect, type Transaction } from 'kysely'
import {
  Pool,
  type ClientBase,
  type PoolClient,
  type PoolConfig,
  type QueryResult,
  DatabaseError,
} from 'pg'
import { OperatorError, PermanentError } from '../lib/operator-error.ts'
import { onAbort } from '../lib/async/abort.ts'
import { waitUntilSettled } from '../lib/async/await-later.ts'
import { errorMessageOf } from '../lib/error-code.ts'
import { HOUR_MS } from '../lib/time/durations.ts'
import type { Log } from '../log.ts'
import {
  createDbOnConnections,
  destroyConnection,
  internalsOf,
  startClosingLostConnections,
  createPoolSockets,
  findActiveStatement,
} from './lost-connections.ts'
import type { Database } from './schema.ts'

export type Db = Kysely<Database>

/** A database handle inside a transaction. */
export type Tx = Transaction<Database>

export type LongRunningStatements = {
  db: Db
  query(text: string, values?: unknown[]): Promise<QueryResult>
  /** Makes `work` and its statements fail when the signal aborts, even if they wait for another node's lock. */
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
  /** Clients' requests fail soon instead of waiting for a server that does not answer. */
  service: {
    connect: 5_000,
    answer: { ordinary: 30_000, long: HOUR_MS },
    betweenStatements: 30_000,
  },
  /** A backup or a restore has long statements, and waiting is better than starting again. */
  command: {
    connect: 30_000,
    answer: { ordinary: HOUR_MS, long: HOUR_MS },
    betweenStatements: HOUR_MS,
  },
} as const satisfies Record<string, DatabaseTimeLimits>

export type DatabaseOptions = {
  max: number
  log: Log
  /** True if the server is reached over a network, where a connection can be lost without notice to either side. */
  isRemote?: boolean
  /** Default: the limits of a command. Only a service must answer soon. */
  timeLimits?: DatabaseTimeLimits
}

/** The operating system tests a connection after this time without a packet from the other side. */
const KEEP_ALIVE_AFTER_MS = 3_000

/**
 * Makes PostgreSQL notice within about ten seconds that this node is unreachable over the network. It then rolls back
 * the node's transactions and releases their locks. By default that takes two hours.
 */
const NETWORK_SETTINGS = [
  `set tcp_keepalives_idle = ${KEEP_ALIVE_AFTER_MS / 1000}`,
  'set tcp_keepalives_interval = 2',
  'set tcp_keepalives_count = 3',
  'set tcp_user_timeout = 10000',
].join('; ')

const CHECK_INTERVAL_MS = 500

/** How many milliseconds a statement may wait for the first byte of an answer. */
type AnswerTimeouts = {
  ordinary: number
  /** For slow statements, such as migrations and maintenance. */
  long: number
}

type Waiting = { statement: object; bytesRead: number | undefined; checks: number }

/** Connects to a running PostgreSQL server, embedded or external, and checks its version and encoding. */
export async function connectToDatabase(
  address: PoolConfig,
  { max, log, isRemote = false, timeLimits = DATABASE_TIME_LIMIT_PRESETS.command }: DatabaseOptions,
) {
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
  // A connection in use emits `error` when it is lost. Without a listener, Node would end the process.
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
  return {
    db,
    pool /** The same connections for slow statements: migrations and maintenance. */,
    longRunning: createLongRunningStatements(pool, unanswered),
    close,
  }
}

export type DatabaseHandle = Awaited<ReturnType<typeof connectToDatabase>>

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
        // Otherwise the server would keep waiting for a lock on a closed connection.
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

/** The pool's open connections, in use and idle, which the pool does not expose. Call this before the pool connects. */
function trackOpenClients(pool: Pool): ReadonlySet<PoolClient> {
  const open = new Set<PoolClient>()
  pool.on('connect', (client) => open.add(client))
  pool.on('remove', (client) => open.delete(client))
  return open
}

/**
 * Tells the server when to close a new connection whose transaction holds locks: after the time that this node may take
 * between two statements, or soon after the network link to this node is lost. Otherwise a node that hangs or is paused
 * would keep other nodes from taking over its work.
 */
async function applySessionSettings(
  client: ClientBase,
  { isRemote, betweenStatementsMs }: { isRemote: boolean; betweenStatementsMs: number },
  log: Log,
): Promise<void> {
  await client.query(`set idle_in_transaction_session_timeout = ${betweenStatementsMs}`)
  if (!isRemote) return
  try {
    await client.query(NETWORK_SETTINGS)
  } catch (error) {
    if (!(error instanceof DatabaseError)) throw error
    // A server on another operating system may not support these settings. Everything else works without them.
    log.debug({ reason: error.message }, 'the server refused the keep-alive settings')
  }
}

/** Closes connections without an answer. The caller of the statement gets a transient error. */
function startClosingUnansweredConnections(parts: {
  pool: Pool
  openClients: ReadonlySet<PoolClient>
  timeouts: AnswerTimeouts
  log: Log
}) {
  const { pool, openClients, timeouts, log } = parts
  const long = new WeakSet<PoolClient>()
  const waiting = new WeakMap<PoolClient, Waiting>()
  pool.on('release', (_error, client) => long.delete(client))

  /** For how many consecutive checks the same statement has waited. Not a time, because this process may pause. */
  const countChecks = (client: PoolClient): number => {
    const statement = findActiveStatement(client)
    if (statement === null) return 0
    const { bytesRead } = internalsOf(client).connection.stream
    const known = waiting.get(client)
    const isSame = known?.statement === statement && known.bytesRead === bytesRead
    const checks = isSame ? known.checks + 1 : 0
    waiting.set(client, { statement, bytesRead, checks })
    return checks
  }
  const timer = setInterval(() => {
    for (const client of openClients) {
      const timeoutMs = long.has(client) ? timeouts.long : timeouts.ordinary
      if (countChecks(client) * CHECK_INTERVAL_MS < timeoutMs) continue
      log.warn({ timeoutMs }, 'closed a database connection whose statement got no answer')
      destroyConnection(client)
    }
  }, CHECK_INTERVAL_MS)
  timer.unref()
  return {
    /** Applies the longer timeout to the connection until it is released to the pool. */
    allowLongStatements: (client: PoolClient) => void long.add(client),
    [Symbol.dispose]: () => clearInterval(timer),
  }
}

/** Closes connections whose statement gets no answer, because the server or the connection is stuck. */
type UnansweredStatementWatch = ReturnType<typeof startClosingUnansweredConnections>
