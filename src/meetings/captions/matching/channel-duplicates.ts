import type { Caption } from '../../../bots/platforms/platform.ts'
import { extractWordKeys } from '../../../lib/text/split-words.ts'
import type { CaptionTurn } from '../turns/turn.ts'

/** Detects a caption that arrives twice, on two data channels of the meeting and under different ids. */
interface DataChannelDuplicateDetector {
  /**
   * Finds another turn that received the same version of the same caption text on another data channel. A turn that has
   * a caption of this channel already is no duplicate: the speaker repeated the words.
   */
  findDuplicate(
    caption: Caption,
    turn: CaptionTurn | undefined,
    times: CaptionTimes,
  ): CaptionTurn | undefined
  /** Assigns the recorded captions of one turn to another. */
  merge(from: CaptionTurn, into: CaptionTurn): void
  record(caption: Caption, turn: CaptionTurn, times: CaptionTimes): void
}

/** When the source changed a caption, and when it was received. A late caption can be older than the one before it. */
type CaptionTimes = { at: number; receivedAt: number }

type RecentCaption = CaptionTimes & { caption: Caption; turn: CaptionTurn }

/** Fewer words at the beginning of a caption are often repeated, so they prove nothing when they are late. */
const LATE_WORDS = 3
const SHORT_LAG_MS = 700

export function createChannelDuplicateDetector(withinMs: number): DataChannelDuplicateDetector {
  const recent: RecentCaption[] = []
  const dropOld = (receivedAt: number) => {
    const first = recent.findIndex((entry) => receivedAt - entry.receivedAt <= withinMs)
    if (first !== 0) recent.splice(0, first === -1 ? recent.length : first)
  }
  return {
    findDuplicate(caption, turn, { at, receivedAt }) {
      const { channel, version, speaker, text } = caption
      dropOld(receivedAt)
      if (channel === undefined) return undefined
      const isDistinct = caption.isFinal || extractWordKeys(text).length >= LATE_WORDS
      const maxLagMs = isDistinct ? withinMs : SHORT_LAG_MS
      return recent.find(
        (entry) =>
          Math.abs(at - entry.at) <= maxLagMs &&
          entry.turn !== turn &&
          entry.caption.channel !== channel &&
          !entry.turn.channels.includes(channel) &&
          entry.caption.version === version &&
          entry.caption.speaker === speaker &&
          entry.caption.text === text,
      )?.turn
    },
    merge(from, into) {
      for (const entry of recent) if (entry.turn === from) entry.turn = into
    },
    record(caption, turn, { at, receivedAt }) {
      if (caption.channel !== undefined) recent.push({ caption, turn, at, receivedAt })
    },
  }
}
