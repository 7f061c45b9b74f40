import { Kysely, PostgresDialect } from 'kysely'
import { Pool, type PoolConfig } from 'pg'
import { OperatorError } from '../errors.ts'
import type { Log } from '../log.ts'
import type { Database } from './schema.ts'
import { messageOf } from '../lib/error-code.ts'
import { watchConnections } from './lost-connections.ts'

export type Db = Kysely<Database>

export type DatabaseHandle = {
  db: Db
  pool: Pool
  close(): Promise<void>
}

const MIN_MAJOR_VERSION = 15

export type DatabaseOptions = {
  max: number
  log: Log
  /** A network is between us, which can lose a connection without a word. */
  isRemote?: boolean
}

/** Connects to a server that is there, ours or an outside one. */
export async function openDatabase(
  address: PoolConfig,
  { max, log, isRemote = false }: DatabaseOptions,
): Promise<DatabaseHandle> {
  const pool = new Pool({ ...address, max, connectionTimeoutMillis: 5_000, keepAlive: isRemote })
  const watching = isRemote ? watchConnections({ pool, address, log }) : null
  let isClosing = false
  const note = (error: Error) => {
    if (!isClosing) log.warn({ err: error }, 'database connection lost')
  }
  pool.on('error', note)
  // A connection in use reports its end here; without a listener that would end the process.
  pool.on('connect', (client) => client.on('error', note))
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool }) })
  const close = async () => {
    isClosing = true
    await watching?.[Symbol.asyncDispose]()
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
        `PostgreSQL ${major} is too old: ${MIN_MAJOR_VERSION} or newer is needed`,
      )
    if (rows[0]?.encoding !== 'UTF8')
      throw new OperatorError('The database must have the encoding UTF8')
  } catch (error) {
    if (error instanceof OperatorError) throw error
    throw new OperatorError(
      `The database cannot be reached: ${messageOf(error)}`,
      'Check DATABASE_URL and that the server is up',
      error,
    )
  }
}
