import { setNewest } from '../../../lib/newest-entries.ts'
import type { Timers } from '../../../lib/time/clock.ts'
import type { Caption } from '../platform.ts'
import type { TranscriptContent } from './protocol/messages.ts'

/** Zoom keeps what was said during a lost connection for about a minute. Older times are wrong. */
const MAX_LATE_MS = 10 * 60_000
/** No clock and no delay differs by this much from one message to the next. */
const MAX_JUMP_MS = 10 * 60_000
/** How many utterances are remembered to recognize those that are sent again. */
const MAX_REMEMBERED = 5_000
/** Some versions of Zoom's library write microseconds. No time in milliseconds is this large before the year 5138. */
const SMALLEST_MICROSECONDS = 1e14

/** Converts Zoom's times to ours: the smallest difference of all messages has the least delay. */
export function createZoomClock({ now }: Pick<Timers, 'now'>) {
  let offset = Infinity
  return {
    /** A message arrived that was sent at this time of Zoom or later. */
    note(time: number | undefined): void {
      if (time === undefined || time <= 0) return
      const next = now() - toMilliseconds(time)
      // A time that is far from the others is wrong, or they were. The next message decides.
      offset = Math.abs(next - offset) > MAX_JUMP_MS ? next : Math.min(offset, next)
    },
    /** How long ago a time of Zoom was; 0 without a time. */
    ageOf(time: number | undefined): number {
      if (time === undefined || time <= 0 || offset === Infinity) return 0
      return Math.min(Math.max(0, now() - (toMilliseconds(time) + offset)), MAX_LATE_MS)
    },
  }
}
export type ZoomClock = ReturnType<typeof createZoomClock>

type Parts = {
  streamId: string
  clock: ZoomClock
  nameOf(userId: string): string | null
  /** How long ago the first bot of the meeting was admitted. Nothing before that is recorded. */
  admittedMsAgo(): number
}

/**
 * Turns the utterances of a stream into captions. An utterance that Zoom sends again, also on another connection, has
 * the same caption id, so it is recorded once even if another node continues.
 */
export function createTranscriptReader({ streamId, clock, nameOf, admittedMsAgo }: Parts) {
  /** The texts of each utterance, by speaker and start. */
  const known = new Map<string, readonly string[]>()

  return function read(content: TranscriptContent): Caption | null {
    const text = content.data.trim()
    if (text === '') return null
    const { user_id: userId, timestamp } = content
    const startTime = positive(content.start_time) ?? positive(timestamp) ?? 0
    const endTime = Math.max(startTime, positive(content.end_time) ?? startTime)
    const key = `${userId}/${startTime}`
    const texts = known.get(key) ?? []
    if (texts.includes(text)) return null
    const last = texts.at(-1) ?? ''
    // An utterance that has grown: what was already recorded is not repeated.
    const isGrown = last !== '' && text.startsWith(last)
    setNewest(known, key, [...texts, text].slice(-20), MAX_REMEMBERED)
    const limitMs = admittedMsAgo()
    const startedMs = Math.min(clock.ageOf(startTime), limitMs)
    return {
      captionId: `zoom/${streamId}/${key}${texts.length === 0 ? '' : `/${texts.length}`}`,
      speaker: content.user_name?.trim() || nameOf(userId) || '',
      text: isGrown ? text.slice(last.length).trim() : text,
      isFinal: true,
      isNewSpeech: true,
      isOtherParticipant: true,
      late: { startedMs, changedMs: Math.min(clock.ageOf(endTime), startedMs) },
    }
  }
}

function positive(time: number | undefined): number | undefined {
  return time !== undefined && time > 0 ? time : undefined
}

function toMilliseconds(time: number): number {
  return time >= SMALLEST_MICROSECONDS ? time / 1_000 : time
}
