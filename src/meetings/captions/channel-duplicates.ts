import type { Caption } from '../../bots/platforms/platform.ts'
import type { CaptionTurn } from './turn.ts'

/** Notices when two channels carry the same caption under different ids. */
export interface ChannelDuplicates {
  /** The other turn that showed this very version a moment ago, if any. */
  findDuplicate(
    caption: Caption,
    turn: CaptionTurn | undefined,
    at: number,
  ): CaptionTurn | undefined
  /** Whatever one turn showed, the other did. */
  merge(from: CaptionTurn, into: CaptionTurn): void
  record(caption: Caption, turn: CaptionTurn, at: number): void
}

type RecentCaption = { caption: Caption; turn: CaptionTurn; at: number }

export function createChannelDuplicates(withinMs: number): ChannelDuplicates {
  const recent: RecentCaption[] = []
  const dropOld = (at: number) => {
    const first = recent.findIndex((sighted) => at - sighted.at <= withinMs)
    if (first !== 0) recent.splice(0, first === -1 ? recent.length : first)
  }
  return {
    findDuplicate(caption, turn, at) {
      dropOld(at)
      return recent.find(
        (sighted) =>
          at - sighted.at <= withinMs &&
          sighted.turn !== turn &&
          sighted.caption.captionId !== caption.captionId &&
          sighted.caption.version === caption.version &&
          sighted.caption.speaker === caption.speaker &&
          sighted.caption.text === caption.text,
      )?.turn
    },
    merge(from, into) {
      for (const sighted of recent) if (sighted.turn === from) sighted.turn = into
    },
    record: (caption, turn, at) => void recent.push({ caption, turn, at }),
  }
}
