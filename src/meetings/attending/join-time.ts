import { setTimeout as sleep } from 'node:timers/promises'
import type { JoinTime } from '../../bots/platforms/platform.ts'
import type { Clock } from '../../lib/time/clock.ts'

/** The clock may be set while the bot waits, so it is read at least this often. */
const MAX_SLEEP_MS = 1_000

/** Lets a bot wait until its meeting begins; null when it joins at once. */
export function createJoinTime(at: Date | null, clock: Clock): JoinTime | null {
  if (at === null || at <= clock.now()) return null
  return {
    at,
    async wait(signal) {
      while (!signal.aborted) {
        const leftMs = at.getTime() - clock.now().getTime()
        if (leftMs <= 0) return
        await sleepUnlessAborted(Math.min(leftMs, MAX_SLEEP_MS), signal)
      }
    },
  }
}

async function sleepUnlessAborted(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await sleep(ms, undefined, { signal })
  } catch (error) {
    if (!signal.aborted) throw error
  }
}
