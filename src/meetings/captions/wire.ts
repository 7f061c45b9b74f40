import type { Caption } from '../../platforms/platform.ts'
import { createChannels } from './channels.ts'
import type { Floor } from './floor.ts'
import type { Memory } from './memory.ts'
import type { Row, Rows } from './rows.ts'
import type { Turn } from './turn.ts'

/** Captions with versions: they may arrive late, twice, and on two channels. */
export interface Wire {
  /** The turn to bring to this version, or undefined when the version is old. */
  find(caption: Caption, row: Row): Turn | undefined
}

type Options = { memory: Memory; floor: Floor; rows: Rows; channelMs: number }

export function createWire({ memory, floor, rows, channelMs }: Options): Wire {
  const channels = createChannels(channelMs)

  /** Two channels carry one caption: the turn that has said or seen more goes on. */
  function unite(id: string, twin: Turn, known: Turn | undefined): Turn {
    if (!known) {
      memory.assign(id, twin)
      return twin
    }
    const hasMore = known.said.length - twin.said.length || known.version - twin.version
    const [stays, goes] = hasMore > 0 ? [known, twin] : [twin, known]
    memory.merge(goes, stays)
    channels.merge(goes, stays)
    floor.drop(goes)
    goes.isClosed = true
    return stays
  }

  return {
    find(caption, row) {
      const known = memory.find(row.id)
      const twin = channels.findTwin(caption, known, row.at)
      const turn = twin ? unite(row.id, twin, known) : known
      const current = turn ?? rows.begin(row)
      if (!current) return undefined
      channels.remember(caption, current, row.at)
      const version = caption.version ?? current.version
      if (turn && version <= current.version && !caption.isFinal) return undefined
      current.isWire = true
      current.leadId = row.id
      current.version = Math.max(version, current.version)
      return current
    },
  }
}
