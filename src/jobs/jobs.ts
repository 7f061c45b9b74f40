import { PgBoss } from 'pg-boss'
import type { Pool } from 'pg'
import type { Log } from '../log.ts'

/** Durable background work, kept in the same database: what is queued survives every node. */
export interface Jobs extends AsyncDisposable {
  boss: PgBoss
  isRunning(): boolean
}

const STOP_TIMEOUT_MS = 5_000

export async function startJobs({ pool, log }: { pool: Pool; log: Log }): Promise<Jobs> {
  const boss = new PgBoss({
    schema: 'pgboss',
    // Our pool: one set of connections, and one place that knows the address.
    db: { executeSql: (text, values) => pool.query(text, values) },
  })
  boss.on('error', (error) => log.error({ err: error }, 'job engine failed'))
  boss.on('warning', ({ message }) => log.warn({ message }, 'job engine warned'))
  let isRunning = true
  await boss.start()
  return {
    boss,
    isRunning: () => isRunning,
    async [Symbol.asyncDispose]() {
      isRunning = false
      await boss.stop({ graceful: true, timeout: STOP_TIMEOUT_MS })
    },
  }
}
