import type { Caption } from '../../../bots/platforms/platform.ts'
import type { CaptionTurn } from '../turns/turn.ts'

/** Detects a caption that arrives twice, on two data channels of the meeting and under different ids. */
interface DataChannelDuplicateDetector {
  /** Finds another turn that received the same version of the same caption text at about the same time. */
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

/** How long received captions are kept, so that the copy of a caption is found although it is late. */
const RETENTION_MS = 10_000

export function createChannelDuplicateDetector(withinMs: number): DataChannelDuplicateDetector {
  const recent: RecentCaption[] = []
  const dropOld = (receivedAt: number) => {
    const first = recent.findIndex((entry) => receivedAt - entry.receivedAt <= RETENTION_MS)
    if (first !== 0) recent.splice(0, first === -1 ? recent.length : first)
  }
  return {
    findDuplicate(caption, turn, { at, receivedAt }) {
      dropOld(receivedAt)
      return recent.find(
        (entry) =>
          Math.abs(at - entry.at) <= withinMs &&
          entry.turn !== turn &&
          entry.caption.captionId !== caption.captionId &&
          entry.caption.version === caption.version &&
          entry.caption.speaker === caption.speaker &&
          entry.caption.text === caption.text,
      )?.turn
    },
    merge(from, into) {
      for (const entry of recent) if (entry.turn === from) entry.turn = into
    },
    record: (caption, turn, { at, receivedAt }) =>
      void recent.push({ caption, turn, at, receivedAt }),
  }
}
