import type { Caption } from '../../../bots/platforms/platform.ts'
import { createChannelDuplicateDetector } from './channel-duplicates.ts'
import type { OpenTurns } from '../turns/open-turns.ts'
import type { TurnIndex } from './turn-index.ts'
import type { CaptionRow, CaptionRowTracker } from './row-tracker.ts'
import type { CaptionTurn } from '../turns/turn.ts'

/** Assigns captions that carry a version number to turns. Such captions may arrive late, twice, or on two data channels. */
export interface VersionedCaptionTracker {
  /** The turn to update with this version, or undefined when the turn already has this version or a newer one. */
  findOrStartTurn(caption: Caption, row: CaptionRow): CaptionTurn | undefined
}

type Options = {
  turnIndex: TurnIndex
  openTurns: OpenTurns
  rows: CaptionRowTracker
  channelMs: number
}

export function createVersionedCaptionTracker({
  turnIndex,
  openTurns,
  rows,
  channelMs,
}: Options): VersionedCaptionTracker {
  const channels = createChannelDuplicateDetector(channelMs)

  /** The turn of a caption that another turn has from another data channel. */
  function joinDuplicate(
    id: string,
    channel: string,
    duplicate: CaptionTurn,
    known: CaptionTurn | undefined,
  ): CaptionTurn {
    if (known && !known.channels.some((one) => duplicate.channels.includes(one)))
      return mergeTurns(duplicate, known)
    // The speaker began two captions with the same words, and this one was taken for the first of them.
    if (known) known.channels = known.channels.filter((one) => one !== channel)
    turnIndex.assign(id, duplicate)
    return duplicate
  }

  /** Keeps the turn with more final text or, if equal, the newer version, and drops the other. */
  function mergeTurns(duplicate: CaptionTurn, known: CaptionTurn): CaptionTurn {
    const difference =
      known.finalWords.length - duplicate.finalWords.length || known.version - duplicate.version
    const [kept, dropped] = difference > 0 ? [known, duplicate] : [duplicate, known]
    kept.channels = kept.channels.concat(dropped.channels)
    turnIndex.merge(dropped, kept)
    channels.merge(dropped, kept)
    openTurns.drop(dropped)
    dropped.isClosed = true
    return kept
  }

  return {
    findOrStartTurn(caption, row) {
      const known = turnIndex.find(row.id)
      const duplicate = channels.findDuplicate(caption, known, row)
      const { channel = '' } = caption
      const turn = duplicate ? joinDuplicate(row.id, channel, duplicate, known) : known
      const current = turn ?? rows.startTurn(row)
      if (!current) return undefined
      if (channel !== '' && !current.channels.includes(channel))
        current.channels = current.channels.concat(channel)
      channels.record(caption, current, row)
      const version = caption.version ?? current.version
      if (turn && version <= current.version && !caption.isFinal) return undefined
      current.isVersioned = true
      current.leadRowId = row.id
      current.version = Math.max(version, current.version)
      return current
    },
  }
}
