import { createWakeableSleep } from '../../../lib/async/wake-up.ts'
import type { Timers } from '../../../lib/time/timers.ts'
import type { SessionEnd } from '../page-session/page-session.ts'
import type { PlatformEvent } from '../platform.ts'

type OverEnd = SessionEnd & { kind: 'over' }

export type RejoinRules = {
  timers: Timers
  /** A session of this length resets the count of rejoins. */
  stableSessionMs: number
  /** Whether the bot joins again after this many failed sessions in a row. */
  mayRejoin(failures: number): boolean
  /** The pause before the next session, after this many failed sessions in a row. */
  pauseMs(failures: number): number
  /** How the visit ends after too many failed sessions; `why` is the reason of the last one. */
  giveUp(why: string): OverEnd
}

/** Runs one session after another until one of them ends the visit. Null when the service asked the bot to leave. */
export async function runSessions(
  runSession: () => Promise<SessionEnd>,
  { timers, stableSessionMs, mayRejoin, pauseMs, giveUp }: RejoinRules,
  signal: AbortSignal,
): Promise<OverEnd | null> {
  const wakeUp = createWakeableSleep(timers)
  signal.addEventListener('abort', wakeUp.wake, { once: true })
  for (let failures = 0; !signal.aborted;) {
    const startedAt = timers.now()
    const end = await runSession()
    if (end.kind === 'left') return null
    if (end.kind === 'over') return end
    failures = timers.now() - startedAt >= stableSessionMs ? 1 : failures + 1
    if (!mayRejoin(failures)) return giveUp(end.why)
    if (!signal.aborted) await wakeUp.sleep(pauseMs(failures))
  }
  return null
}

export function toEndEvent({ because, detail }: OverEnd): PlatformEvent {
  return { kind: 'over', because, ...(detail !== undefined && { detail }) }
}
