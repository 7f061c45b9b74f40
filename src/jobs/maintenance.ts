import type { Clock } from '../lib/time/clock.ts'
import type { Log } from '../log.ts'
import type { JobEngine } from './jobs.ts'

const MAINTENANCE_QUEUE = 'upkeep'

export type MaintenanceJob = { name: string; run(now: Date): Promise<void> }

/** Runs the maintenance jobs every ten minutes on one node, mostly to delete expired data. A failed job does not stop the next. */
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

export async function runMaintenanceJobsOnce(
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
