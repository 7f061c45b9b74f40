import { Client } from 'pg'
import { readOrCreateSecret, openDataFolder } from '../../../src/storage/data-folder.ts'
import { startEmbeddedDatabaseUnlessRunning } from '../../../src/db/embedded/embedded-database.ts'
import { createLog } from '../../../src/log.ts'

/** The data is worthless after the tests, and the databases do not live long enough to be vacuumed. */
const SERVER_OPTIONS = {
  fsync: 'off',
  full_page_writes: 'off',
  synchronous_commit: 'off',
  autovacuum: 'off',
  // Enough for the services of all test files that run concurrently.
  max_connections: '400',
}

/** Calls `work` with the external server of TEST_DATABASE_URL, or with an embedded one that then stops. */
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
    serverOptions: SERVER_OPTIONS,
    log: createLog('error'),
  })
  if (server === null) throw new Error(`another server uses ${folder}`)
  try {
    const { host, user, password, database } = server.connection
    const url = `postgres://${user}:${String(password)}@/${database}?host=${encodeURIComponent(host ?? '')}`
    await makeConnectingFast(url)
    await work(url)
  } finally {
    await server.close()
  }
}

/** Turns off the check of passwords, a tenth of a service's start. Other accounts cannot enter the folder. */
async function makeConnectingFast(url: string): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query<{ hba_file: string }>('show hba_file')
  // The server itself writes the file, because the path is relative to the server's working folder.
  await client.query(
    `copy (values ('local all all trust')) to ${client.escapeLiteral(rows[0]?.hba_file ?? '')}`,
  )
  await client.query('select pg_reload_conf()')
  await client.end()
}
