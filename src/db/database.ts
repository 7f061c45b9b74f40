import { Kysely, PostgresDialect, type Transaction } from 'kysely'
import { Pool, type PoolConfig } from 'pg'
import { OperatorError } from '../errors.ts'
import type { Log } from '../log.ts'
import type { Database } from './schema.ts'
import { errorMessageOf } from '../lib/error-code.ts'
import { startClosingLostConnections } from './lost-connections.ts'

export type Db = Kysely<Database>
/** A database handle inside a transaction. */
export type Tx = Transaction<Database>

export type DatabaseHandle = {
  db: Db
  pool: Pool
  close(): Promise<void>
}

const MIN_MAJOR_VERSION = 15

export type DatabaseOptions = {
  max: number
  log: Log
  /** The server is reached over a network, where a connection can be lost without either side being notified. */
  isRemote?: boolean
}

/** Connects to a running PostgreSQL server, embedded or external, and checks its version and encoding. */
export async function openDatabase(
  address: PoolConfig,
  { max, log, isRemote = false }: DatabaseOptions,
): Promise<DatabaseHandle> {
  const pool = new Pool({ ...address, max, connectionTimeoutMillis: 5_000, keepAlive: isRemote })
  const watch = isRemote ? startClosingLostConnections({ pool, address, log }) : null
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
    await watch?.[Symbol.asyncDispose]()
    await db.destroy()
  }
  try {
    await checkServer(pool)
  } catch (error) {
    await close()
    throw error
  }
  return { db, pool, close }
}

async function checkServer(pool: Pool): Promise<void> {
  try {
    const { rows } = await pool.query<{ version: string; encoding: string }>(
      `select current_setting('server_version_num') as version, current_setting('server_encoding') as encoding`,
    )
    const major = Math.floor(Number(rows[0]?.version) / 10_000)
    if (major < MIN_MAJOR_VERSION)
      throw new OperatorError(
        `PostgreSQL ${major} is too old`,
        `Use PostgreSQL ${MIN_MAJOR_VERSION} or newer`,
      )
    if (rows[0]?.encoding !== 'UTF8')
      throw new OperatorError(
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
