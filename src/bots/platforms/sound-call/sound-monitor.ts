import type { SessionEnd } from '../page-session/page-session.ts'
import type { SessionTimeouts } from '../page-session/timeouts.ts'
import type { PlatformEvent } from '../platform.ts'

/** The connections through which sound arrives. */
export type SoundSources = {
  /** True if there are some but none can be heard. A browser that finds no way to the server does not report it. */
  areAllFailed(): boolean
  isAnyConnected(): boolean
  isAnyOffered(): boolean
}

type Options = {
  sources: SoundSources
  /** True if an earlier session or bot was in the call. The record has a gap until this session hears the call. */
  wasAdmittedBefore: boolean
  timeouts: Pick<SessionTimeouts, 'captionsMs' | 'captionsBackMs'>
  /** Why sound does not arrive, and what to do. */
  describeProblem(): string
  emit(event: PlatformEvent): void
  end(end: SessionEnd): void
}

/** A connection that takes longer has failed. */
const CONNECT_MS = 15_000
/** The server offers sound right after the bot has joined. */
const OFFER_MS = 2_000

/** Reports when no participant can be heard, and ends the session if that does not change. */
export function createSoundMonitor(options: Options) {
  const { sources, timeouts, describeProblem, emit, end } = options
  let lostAt: number | null = null
  let wasHeard = false
  let admittedAt = Infinity
  let mustReportReturn = options.wasAdmittedBefore

  return {
    /** Call this when the bot is in the call. */
    start(now: number) {
      admittedAt = now
    },
    check(now: number) {
      if (mustReportReturn && !sources.isAnyOffered() && now - admittedAt >= OFFER_MS) {
        // No participant has a microphone on, so the bot has missed nothing since it is back.
        emit({ kind: 'captions back', sinceMs: now - admittedAt })
        mustReportReturn = false
      }
      if (sources.isAnyConnected()) {
        wasHeard = true
        if (lostAt !== null || mustReportReturn) emit({ kind: 'captions back' })
        lostAt = null
        mustReportReturn = false
        return
      }
      if (lostAt === null && sources.areAllFailed()) {
        lostAt = now
        emit({ kind: 'captions lost', detail: describeProblem() })
      }
      const limitMs = wasHeard ? timeouts.captionsBackMs : timeouts.captionsMs
      if (lostAt !== null && now - lostAt >= limitMs)
        end({ kind: 'over', because: 'captions_unavailable', detail: describeProblem() })
    },
  }
}

/** True if a connection with this `connectionState`, which it has since then, cannot be heard. */
export function hasConnectionFailed(
  { state, changedAt }: { state: string; changedAt: number },
  now: number,
): boolean {
  if (state === 'connected') return false
  return state === 'failed' || now - changedAt >= CONNECT_MS
}
