import type { Clock } from '../lib/clock.ts'
import type { Log } from '../log.ts'
import type { Jobs } from './jobs.ts'

const QUEUE = 'upkeep'

export type Chore = { name: string; run(now: Date): Promise<void> }

/** Forgets what has had its time, every ten minutes on one node. A chore that fails does not stop the next. */
export async function keepUp(
  { boss }: Jobs,
  chores: readonly Chore[],
  { clock, log }: { clock: Clock; log: Log },
): Promise<void> {
  await boss.createQueue(QUEUE)
  await boss.schedule(QUEUE, '*/10 * * * *')
  await boss.work(QUEUE, { pollingIntervalSeconds: 30 }, () => doChores(chores, clock.now(), log))
}

export async function doChores(chores: readonly Chore[], now: Date, log: Log): Promise<void> {
  for (const { name, run } of chores) {
    try {
      await run(now)
    } catch (error) {
      log.error({ err: error, chore: name }, 'upkeep failed')
    }
  }
}
