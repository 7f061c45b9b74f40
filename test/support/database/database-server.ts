import { Client } from 'pg'
import { readOrCreateSecret, openDataFolder } from '../../../src/storage/data-folder.ts'
import { startEmbeddedDatabaseUnlessRunning } from '../../../src/db/embedded/embedded-database.ts'
import { createLog } from '../../../src/log.ts'

/** Calls `work` with the external server of TEST_DATABASE_URL, or with an embedded one that stops afterwards. */
export async function withDatabaseServer(
  folder: string,
  work: (url: string) => Promise<void>,
): Promise<void> {
  const external = process.env['TEST_DATABASE_URL']
  if (external !== undefined) return work(external)
  openDataFolder(folder)
  const server = await startEmbeddedDatabaseUnlessRunning({
    data: folder,
    readOrCreateSecret,
    postgresBin: undefined,
    isServiceRunning: () => false,
    log: createLog('error'),
  })
  if (server === null) throw new Error(`another server uses ${folder}`)
  try {
    const { host, user, password, database } = server.connection
    const url = `postgres://${user}:${String(password)}@/${database}?host=${encodeURIComponent(host ?? '')}`
    await disableDurability(url, String(password))
    await work(url)
  } finally {
    await server.close()
  }
}

/**
 * The data is worthless after the tests, so commits need not reach the disk, and the databases live too briefly to be
 * vacuumed. One SCRAM iteration makes connecting fast.
 */
async function disableDurability(url: string, password: string): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  for (const name of ['fsync', 'full_page_writes', 'synchronous_commit', 'autovacuum']) {
    await client.query(`alter system set ${name} = off`)
  }
  await client.query('select pg_reload_conf()')
  await client.query('set scram_iterations = 1')
  await client.query(`alter role current_user password ${client.escapeLiteral(password)}`)
  await client.end()
}
