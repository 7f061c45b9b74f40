import type { Caption } from '../../platforms/platform.ts'
import type { Turn } from './turn.ts'

/** Notices when two channels carry the same caption under different ids. */
export interface Channels {
  /** The other turn that showed this very version a moment ago, if any. */
  findTwin(caption: Caption, turn: Turn | undefined, at: number): Turn | undefined
  /** Whatever one turn showed, the other did. */
  merge(from: Turn, into: Turn): void
  remember(caption: Caption, turn: Turn, at: number): void
}

type Sighted = { caption: Caption; turn: Turn; at: number }

export function createChannels(withinMs: number): Channels {
  const recent: Sighted[] = []
  const dropOld = (at: number) => {
    const first = recent.findIndex((sighted) => at - sighted.at <= withinMs)
    if (first !== 0) recent.splice(0, first === -1 ? recent.length : first)
  }
  return {
    findTwin(caption, turn, at) {
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
    remember: (caption, turn, at) => void recent.push({ caption, turn, at }),
  }
}
