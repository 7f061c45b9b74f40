import { keepSecret, openDataFolder } from '../../src/data-folder.ts'
import { openEmbedded } from '../../src/db/embedded/open.ts'
import { createLog } from '../../src/log.ts'

/** The outside server that TEST_DATABASE_URL names, or one of our own for the time of the work. */
export async function withDatabaseServer(
  folder: string,
  work: (url: string) => Promise<void>,
): Promise<void> {
  const outside = process.env['TEST_DATABASE_URL']
  if (outside !== undefined) return work(outside)
  openDataFolder(folder)
  const server = await openEmbedded({
    data: folder,
    keepSecret,
    postgresBin: undefined,
    isOccupied: () => false,
    log: createLog('error'),
  })
  if (server === null) throw new Error(`another server holds ${folder}`)
  try {
    const { host, user, password, database } = server.address
    await work(
      `postgres://${user}:${String(password)}@/${database}?host=${encodeURIComponent(host ?? '')}`,
    )
  } finally {
    await server.close()
  }
}
