import type { Floor } from './floor.ts'
import type { Memory } from './memory.ts'
import { mayBeSame } from './names.ts'
import type { SegmentRules } from './rules.ts'
import { hasSpeech } from './text.ts'
import {
  isCoveredBy,
  isEarlier,
  lengthOf,
  markOf,
  read,
  type Measure,
  type Reading,
  type Turn,
} from './turn.ts'

/** A caption with its name cleaned and its time. */
export type Row = { id: string; name: string; text: string; at: number }

/** Which turn a row of the source shows, and what its text means for it. */
export interface Rows {
  /** The turn that a row of the page shows, or undefined when it shows nothing new. */
  find(row: Row): Turn | undefined
  begin(row: Row): Turn | undefined
  /** Brings a turn to the text shown now. Where the source began anew the answer is another turn. */
  follow(turn: Turn, row: Row): Turn
  /** The row has vanished; its text stands. */
  leave(id: string, at: number): void
}

type Options = { memory: Memory; floor: Floor; rules: SegmentRules; measure: Measure }

export function createRows({ memory, floor, rules, measure }: Options): Rows {
  function begin({ id, name, text, at }: Row): Turn | undefined {
    if (!hasSpeech(text)) return undefined
    floor.handOver(at)
    return memory.create(id, name, at)
  }

  /** A further row shows the same turn; it leads when it shows more, or when the leading one is gone. */
  function lead({ id, text }: Row, turn: Turn): Turn | undefined {
    memory.assign(id, turn)
    turn.rows.set(id, markOf(text))
    if (turn.goneAt === null && text.length <= lengthOf(turn)) return undefined
    turn.leadId = id
    return turn
  }

  /** A row that is not the leading one of its turn. */
  function findBeside(row: Row, turn: Turn): Turn | undefined {
    const isUnchanged = turn.rows.get(row.id) === markOf(row.text)
    if (isUnchanged || isEarlier(turn, row.text, measure)) return undefined
    return readRow(turn, row).is === 'other' ? begin(row) : lead(row, turn)
  }

  function findOther(turn: Turn, { name, text, at }: Row): Turn | undefined {
    const copy = turn.isWire ? undefined : memory.findCopy(name || turn.speaker, text, at)
    return copy === turn ? undefined : copy
  }

  function readRow(turn: Turn, row: Row): Reading {
    const isOther = !mayBeSame(turn.speaker, row.name) && !isCoveredBy(turn, row.text, measure)
    // An old text that comes back at once, where a new one had just begun.
    const isJump = row.text.length > lengthOf(turn) + rules.restartChars
    if (isOther || (isJump && findOther(turn, row))) return { is: 'other' }
    return read(turn, row.text, rules, measure)
  }

  function restart(turn: Turn, row: Row): Turn {
    floor.finish(turn)
    turn.goneAt = row.at
    const next = findOther(turn, row) ?? memory.create(row.id, row.name || turn.speaker, row.at)
    memory.assign(row.id, next)
    Object.assign(next, {
      leadId: row.id,
      goneAt: null,
      isWire: turn.isWire,
      version: turn.version,
    })
    const reading = read(next, row.text, rules, measure)
    if (reading.is === 'read') floor.change(next, reading, row.name, row.at)
    return next
  }

  function follow(turn: Turn, row: Row): Turn {
    let reading = readRow(turn, row)
    if (reading.is === 'other' && turn.pending !== '') {
      // Perhaps only the text before was dropped, and what is shown goes on from the last words.
      floor.finish(turn)
      reading = readRow(turn, row)
    }
    if (reading.is === 'other') return restart(turn, row)
    if (reading.is === 'read') floor.change(turn, reading, row.name, row.at)
    return turn
  }

  return {
    find(row) {
      const known = memory.find(row.id)
      if (!known) {
        const copy = memory.findCopy(row.name, row.text, row.at)
        return copy ? lead(row, copy) : begin(row)
      }
      return known.leadId === row.id ? known : findBeside(row, known)
    },
    begin,
    follow,
    leave(id, at) {
      const turn = memory.find(id)
      if (!turn || turn.leadId !== id) return
      turn.goneAt ??= at
      const heir = memory.findHeir(turn, at)
      if (!heir) return
      const row = { id: heir.leadId, name: heir.speaker, text: heir.pending, at }
      floor.drop(heir)
      memory.merge(heir, turn)
      Object.assign(turn, { goneAt: null, leadId: heir.leadId })
      follow(turn, row)
    },
  }
}
