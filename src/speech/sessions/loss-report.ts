import type { SpeechLoss } from '../../bots/platforms/speech/recognition.ts'
import type { Timers } from '../../lib/time/timers.ts'

/** Sound is lost chunk by chunk; the caller hears of it at most this often. */
const INTERVAL_MS = 10_000

/** Adds up the lost sound of a session and reports it. */
export interface LossReport {
  add(ms: number, reason: string): void
  /** Reports at once what was not reported yet. */
  flush(): void
}

export function createLossReport(onLoss: (loss: SpeechLoss) => void, timers: Timers): LossReport {
  let lostMs = 0
  let reason = ''
  let reportedMs = 0
  let cancelTimer: (() => void) | null = null

  const flush = () => {
    cancelTimer?.()
    cancelTimer = null
    if (lostMs === reportedMs) return
    reportedMs = lostMs
    onLoss({ lostMs: Math.round(lostMs), reason })
  }

  return {
    add(ms, why) {
      if (ms <= 0) return
      lostMs += ms
      reason = why
      if (cancelTimer !== null) return
      flush()
      cancelTimer = timers.after(INTERVAL_MS, flush)
    },
    flush,
  }
}
