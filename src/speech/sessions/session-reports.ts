import type { SpeechLoss } from '../../bots/platforms/speech/recognition.ts'
import type { Timers } from '../../lib/time/timers.ts'
import { toMs } from '../cutting/sound.ts'

/** Losses follow each other while a problem lasts; the caller hears of them at most this often. */
const LOSS_INTERVAL_MS = 10_000
/** How often the caller hears how far recognition is behind. */
const DELAY_INTERVAL_MS = 5_000
/** Recognition that is less behind is on time: an utterance is recognized when it is complete. */
const LEAST_DELAY_MS = 5_000

type LostSound = { startsAt: number; samples: Int16Array }

/** Adds up the lost sound of a session and reports it. */
export interface LossReport {
  add(sounds: readonly LostSound[], reason: string): void
  /**
   * Reports at once what was not reported yet. To be called before an utterance is passed on, so that a loss is known
   * before what was said after it.
   */
  flush(): void
}

export function createLossReport(onLoss: (loss: SpeechLoss) => void, timers: Timers): LossReport {
  let lostMs = 0
  let pending: Omit<SpeechLoss, 'lostMs'> | null = null
  let cancelTimer: (() => void) | null = null

  const report = () => {
    if (pending !== null) onLoss({ lostMs: Math.round(lostMs), ...pending })
    pending = null
  }
  return {
    add(sounds, reason) {
      const ms = sounds.reduce((sum, { samples }) => sum + toMs(samples.length), 0)
      if (ms <= 0) return
      lostMs += ms
      const ends = sounds.map(({ startsAt, samples }) => startsAt + toMs(samples.length))
      pending = {
        reason,
        startedAt: Math.min(pending?.startedAt ?? Infinity, ...sounds.map((one) => one.startsAt)),
        endedAt: Math.max(pending?.endedAt ?? -Infinity, ...ends),
      }
      if (cancelTimer !== null) return
      report()
      cancelTimer = timers.after(LOSS_INTERVAL_MS, () => {
        cancelTimer = null
        report()
      })
    },
    flush() {
      cancelTimer?.()
      cancelTimer = null
      report()
    },
  }
}

/** Reports from time to time how far the recognition of a session is behind, and once when it has caught up. */
export interface DelayReport {
  /** Sound was added or recognized. */
  check(): void
  /** Reports even a short delay, because the caller waits for it. */
  reportNow(): void
  stop(): void
}

export function createDelayReport(
  behindMs: () => number,
  onDelay: ((behindMs: number) => void) | undefined,
  timers: Timers,
): DelayReport {
  let wasBehind = false
  let cancelTimer: (() => void) | null = null

  const report = (leastMs: number) => {
    const ms = behindMs()
    const isBehind = ms > 0 && ms >= leastMs
    if (isBehind || wasBehind) onDelay?.(isBehind ? ms : 0)
    wasBehind = isBehind
  }
  const check = () => {
    if (cancelTimer !== null || (behindMs() === 0 && !wasBehind)) return
    cancelTimer = timers.after(DELAY_INTERVAL_MS, () => {
      cancelTimer = null
      report(LEAST_DELAY_MS)
      check()
    })
  }
  return {
    check,
    reportNow: () => report(0),
    stop() {
      cancelTimer?.()
      cancelTimer = () => undefined
    },
  }
}
