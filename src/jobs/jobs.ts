import { PgBoss } from 'pg-boss'
import type { Pool } from 'pg'
import type { Log } from '../log.ts'

/** Durable background jobs (pg-boss), stored in the same database, so queued jobs survive the end of a node. */
export interface JobEngine extends AsyncDisposable {
  boss: PgBoss
  isRunning(): boolean
}

const STOP_TIMEOUT_MS = 5_000

export async function startJobEngine({ pool, log }: { pool: Pool; log: Log }): Promise<JobEngine> {
  const boss = new PgBoss({
    schema: 'pgboss',
    // Shares the service's connection pool instead of opening more connections.
    db: { executeSql: (text, values) => pool.query(text, values) },
  })
  boss.on('error', (error) => log.error({ err: error }, 'job engine reported an error'))
  boss.on('warning', ({ message }) => log.warn({ message }, 'job engine reported a warning'))
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
