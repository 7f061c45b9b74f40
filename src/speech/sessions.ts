import type { SpeechLoss } from '../bots/platforms/speech/recognition.ts'
import type { Timers } from '../lib/time/clock.ts'
import { toMs } from './sound.ts'

/** Losses follow each other while a problem lasts. They are reported to the caller at most this often. */
const LOSS_INTERVAL_MS = 10_000
/** How often the caller learns how far recognition is behind. */
const DELAY_INTERVAL_MS = 5_000
/** With a smaller delay, recognition is on time, because an utterance is recognized only when it is complete. */
const LEAST_DELAY_MS = 5_000

type LostSound = { startsAt: number; samples: Int16Array }

export type LossReport = ReturnType<typeof createLossReport>

/** Why sound was not recognized, as sentences for people. */
export const LOSS_REASONS = {
  overload: 'This machine could not keep up, so some speech was not recognized.',
  failed: 'Speech recognition failed on this sound twice, so it was skipped.',
  removed: 'Speech recognition was removed during the meeting.',
  late: 'The bot left before all speech was recognized.',
} as const

/** A session whose waiting sound is part of the common limit. */
interface SoundHolder {
  waitingMs(): number
  /** How long the oldest unrecognized sound has waited; 0 if nothing waits. */
  behindMs(): number
  dropOldest(): void
}

/** Limits the waiting sound of all sessions together. */
export type SoundBudget = ReturnType<typeof createSoundBudget>

export type SessionLimits = {
  /** How much sound of one session may wait. Beyond that, the oldest utterance is dropped. */
  waitingMs: number
  /** How much unconfirmed sound a worker may have. The rest waits in the service, where it can still be dropped. */
  unconfirmedMs: number
  /** A voice without sound for this time is silent. */
  silenceMs: number
  /**
   * How long `finish` may take. On a machine that is behind, recognizing all waiting sound can take longer than that
   * sound lasted, but the bot's browser is already gone by then.
   */
  finishMs: number
}

export const SESSION_LIMITS: SessionLimits = {
  waitingMs: 60_000,
  unconfirmedMs: 4_000,
  silenceMs: 1_500,
  finishMs: 120_000,
}

/** A recording is given in portions, and none of it may be dropped because a machine is slow. */
export const RECORDING_LIMITS: SessionLimits = {
  waitingMs: Number.POSITIVE_INFINITY,
  unconfirmedMs: 4_000,
  silenceMs: 3_600_000,
  finishMs: 1_800_000,
}

export function createLossReport(onLoss: (loss: SpeechLoss) => void, timers: Timers) {
  let lostMs = 0
  let pending: Omit<SpeechLoss, 'lostMs'> | null = null
  let cancelTimer: (() => void) | null = null

  const report = () => {
    if (pending !== null) onLoss({ lostMs: Math.round(lostMs), ...pending })
    pending = null
  }
  return {
    add(sounds: readonly LostSound[], reason: string) {
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
    /**
     * Reports at once what was not reported yet. Call this before an utterance is passed on, so that a loss is known
     * before what was said after it.
     */
    flush() {
      cancelTimer?.()
      cancelTimer = null
      report()
    },
  }
}

/** Reports from time to time how far a session's recognition is behind, and once when it has caught up. */
export type DelayReport = ReturnType<typeof createDelayReport>

export function createDelayReport(
  behindMs: () => number,
  onDelay: ((behindMs: number) => void) | undefined,
  timers: Timers,
) {
  let leastMs = LEAST_DELAY_MS
  let wasBehind = false
  let cancelTimer: (() => void) | null = null

  const report = () => {
    const ms = behindMs()
    const isBehind = ms > 0 && ms >= leastMs
    if (isBehind || wasBehind) onDelay?.(isBehind ? ms : 0)
    wasBehind = isBehind
  }
  const check = () => {
    if (cancelTimer !== null || (behindMs() === 0 && !wasBehind)) return
    cancelTimer = timers.after(DELAY_INTERVAL_MS, () => {
      cancelTimer = null
      report()
      check()
    })
  }
  return {
    /** Call this when sound was added or recognized. */
    check,
    /** Reports even a short delay, now and from now on, because the caller waits for it. */
    reportNow() {
      leastMs = 0
      report()
    },
    stop() {
      cancelTimer?.()
      cancelTimer = () => undefined
    },
  }
}

export function describeUnusableEngine(reason: string): string {
  const line = reason.trim().split('\n').at(-1)?.slice(0, 200) ?? ''
  return `Speech recognition cannot start on this machine: ${line}`
}

export function createSoundBudget(mostMs: number) {
  const holders = new Set<SoundHolder>()
  return {
    join: (holder: SoundHolder) => void holders.add(holder),
    leave: (holder: SoundHolder) => void holders.delete(holder),
    /** Drops the oldest sound of the session with the most waiting sound, until the limit is met. */
    enforce() {
      let totalMs = 0
      for (const holder of holders) totalMs += holder.waitingMs()
      while (totalMs > mostMs) {
        const largest = [...holders].reduce((one, other) =>
          other.waitingMs() > one.waitingMs() ? other : one,
        )
        const before = largest.waitingMs()
        largest.dropOldest()
        if (largest.waitingMs() >= before) return
        totalMs -= before - largest.waitingMs()
      }
    },
    /** The delay of the session that is furthest behind. */
    behindMs: () => Math.max(0, ...[...holders].map((holder) => holder.behindMs())),
  }
}
