import { PgBoss } from 'pg-boss'
import type { Clock } from '../lib/time/clock.ts'
import type { Log } from '../log.ts'

/** Durable background jobs (pg-boss) in the same database, so that queued jobs survive the end of a node. */
export interface JobEngine extends AsyncDisposable {
  boss: PgBoss
  isRunning(): boolean
}

const STOP_TIMEOUT_MS = 5_000

type Parts = {
  /** Runs a statement on a connection of the service. Some are slow, for example when they create the queues. */
  query(text: string, values?: unknown[]): Promise<{ rows: unknown[] }>
  log: Log
}

const MAINTENANCE_QUEUE = 'upkeep'

type MaintenanceJob = { name: string; run(now: Date): Promise<void> }

export async function startJobEngine({ query, log }: Parts): Promise<JobEngine> {
  const boss = new PgBoss({
    schema: 'pgboss',
    // Shares the service's connection pool instead of opening more connections.
    db: { executeSql: query },
  })
  boss.on('error', (error) => log.error({ err: error }, 'job engine reported an error'))
  boss.on('warning', ({ message }) => log.warn({ message }, 'job engine reported a warning'))
  let isRunning = true
  try {
    await boss.start()
  } catch (error) {
    // A part of it may have started.
    await boss.stop({ graceful: false })
    throw error
  }
  return {
    boss,
    isRunning: () => isRunning,
    async [Symbol.asyncDispose]() {
      isRunning = false
      await boss.stop({ graceful: true, timeout: STOP_TIMEOUT_MS })
    },
  }
}

/** Runs the maintenance jobs every ten minutes on one node. A failed job does not stop the next. */
export async function scheduleMaintenance(
  { boss }: JobEngine,
  jobs: readonly MaintenanceJob[],
  { clock, log }: { clock: Clock; log: Log },
): Promise<void> {
  await boss.createQueue(MAINTENANCE_QUEUE)
  await boss.schedule(MAINTENANCE_QUEUE, '*/10 * * * *')
  await boss.work(MAINTENANCE_QUEUE, { pollingIntervalSeconds: 30 }, () =>
    runMaintenanceJobsOnce(jobs, clock.now(), log),
  )
}

async function runMaintenanceJobsOnce(
  jobs: readonly MaintenanceJob[],
  now: Date,
  log: Log,
): Promise<void> {
  for (const { name, run } of jobs) {
    try {
      await run(now)
    } catch (error) {
      log.error({ err: error, job: name }, 'maintenance job failed')
    }
  }
}
