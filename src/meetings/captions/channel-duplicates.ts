import type { Caption } from '../../bots/platforms/platform.ts'
import type { CaptionTurn } from './turn.ts'

/** Detects a caption that arrives twice, on two data channels of the meeting and under different ids. */
export interface DataChannelDuplicateDetector {
  /** Finds another turn that received the same version of the same caption text shortly before. */
  findDuplicate(
    caption: Caption,
    turn: CaptionTurn | undefined,
    at: number,
  ): CaptionTurn | undefined
  /** Assigns the recorded captions of one turn to another. */
  merge(from: CaptionTurn, into: CaptionTurn): void
  record(caption: Caption, turn: CaptionTurn, at: number): void
}

type RecentCaption = { caption: Caption; turn: CaptionTurn; at: number }

export function createChannelDuplicateDetector(withinMs: number): DataChannelDuplicateDetector {
  const recent: RecentCaption[] = []
  const dropOld = (at: number) => {
    const first = recent.findIndex((entry) => at - entry.at <= withinMs)
    if (first !== 0) recent.splice(0, first === -1 ? recent.length : first)
  }
  return {
    findDuplicate(caption, turn, at) {
      dropOld(at)
      return recent.find(
        (entry) =>
          at - entry.at <= withinMs &&
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
    record: (caption, turn, at) => void recent.push({ caption, turn, at }),
  }
}
