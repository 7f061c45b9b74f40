import { connectToDatabase, type Db } from '../../src/db/database.ts'
import { createLog } from '../../src/log.ts'
import type { HttpClient } from '../support/http/http-client.ts'
import type { TestService } from '../support/service/start-service.ts'
import { eventually } from '../support/time/eventually.ts'

export type ApiMail = {
  id: string
  kind: string
  email: string
  name: string | null
  state: string
  reason: string | null
  response: string | null
  attempts: number
}

/** The newest mail that an admin sees. */
export async function listMail(admin: HttpClient, query = ''): Promise<ApiMail[]> {
  const { body } = await admin.get(`/web/mail?limit=100${query}`)
  return body['mails'] as ApiMail[]
}

/** Waits until this many mails are finished, and returns all of them. */
export function waitForFinished(admin: HttpClient, count: number): Promise<ApiMail[]> {
  return eventually(async () => {
    const mails = await listMail(admin)
    return mails.filter(({ state }) => state !== 'waiting').length >= count ? mails : null
  }, 60_000)
}

export async function withDatabase<T>(
  { databaseUrl }: Pick<TestService, 'databaseUrl'>,
  work: (db: Db) => Promise<T>,
): Promise<T> {
  const { db, close } = await connectToDatabase(
    { connectionString: databaseUrl },
    { max: 1, log: createLog('silent') },
  )
  try {
    return await work(db)
  } finally {
    await close()
  }
}
