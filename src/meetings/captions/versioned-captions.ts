import type { Caption } from '../../bots/platforms/platform.ts'
import { createChannelDuplicates } from './channel-duplicates.ts'
import type { OpenTurns } from './open-turns.ts'
import type { TurnIndex } from './turn-index.ts'
import type { CaptionRow, RowTracker } from './row-tracker.ts'
import type { CaptionTurn } from './turn.ts'

/** Captions with versions: they may arrive late, twice, and on two channels. */
export interface VersionedCaptions {
  /** The turn to bring to this version, or undefined when the version is old. */
  findTurn(caption: Caption, row: CaptionRow): CaptionTurn | undefined
}

type Options = { memory: TurnIndex; floor: OpenTurns; rows: RowTracker; channelMs: number }

export function createVersionedCaptions({
  memory,
  floor,
  rows,
  channelMs,
}: Options): VersionedCaptions {
  const channels = createChannelDuplicates(channelMs)

  /** Two channels carry one caption: the turn that has said or seen more goes on. */
  function unite(id: string, twin: CaptionTurn, known: CaptionTurn | undefined): CaptionTurn {
    if (!known) {
      memory.assign(id, twin)
      return twin
    }
    const hasMore = known.finalWords.length - twin.finalWords.length || known.version - twin.version
    const [stays, goes] = hasMore > 0 ? [known, twin] : [twin, known]
    memory.merge(goes, stays)
    channels.merge(goes, stays)
    floor.drop(goes)
    goes.isClosed = true
    return stays
  }

  return {
    findTurn(caption, row) {
      const known = memory.find(row.id)
      const twin = channels.findDuplicate(caption, known, row.at)
      const turn = twin ? unite(row.id, twin, known) : known
      const current = turn ?? rows.startTurn(row)
      if (!current) return undefined
      channels.record(caption, current, row.at)
      const version = caption.version ?? current.version
      if (turn && version <= current.version && !caption.isFinal) return undefined
      current.isVersioned = true
      current.leadRowId = row.id
      current.version = Math.max(version, current.version)
      return current
    },
  }
}
