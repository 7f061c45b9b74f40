import type { OpenTurns } from './open-turns.ts'
import type { TurnIndex } from './turn-index.ts'
import { canBeSameSpeaker } from '../sanitize/person-names.ts'
import type { SegmentRules } from './segment-rules.ts'
import { hasSpeech } from '../sanitize/text.ts'
import {
  isContainedIn,
  isEarlierText,
  shownLength,
  hashRowText,
  matchText,
  type CountCharacters,
  type TextMatch,
  type CaptionTurn,
} from './turn.ts'

/** A caption with its name cleaned and its time. */
export type CaptionRow = { id: string; name: string; text: string; at: number }

/** Which turn a row of the source shows, and what its text means for it. */
export interface RowTracker {
  /** The turn that a row of the page shows, or undefined when it shows nothing new. */
  findTurn(row: CaptionRow): CaptionTurn | undefined
  startTurn(row: CaptionRow): CaptionTurn | undefined
  /** Brings a turn to the text shown now. Where the source began anew the answer is another turn. */
  updateTurn(turn: CaptionTurn, row: CaptionRow): CaptionTurn
  /** The row has vanished; its text stands. */
  rowVanished(id: string, at: number): void
}

type Options = {
  memory: TurnIndex
  floor: OpenTurns
  rules: SegmentRules
  measure: CountCharacters
}

export function createRowTracker({ memory, floor, rules, measure }: Options): RowTracker {
  function begin({ id, name, text, at }: CaptionRow): CaptionTurn | undefined {
    if (!hasSpeech(text)) return undefined
    floor.markFollowed(at)
    return memory.create(id, name, at)
  }

  /** A further row shows the same turn; it leads when it shows more, or when the leading one is gone. */
  function lead({ id, text }: CaptionRow, turn: CaptionTurn): CaptionTurn | undefined {
    memory.assign(id, turn)
    turn.rowHashes.set(id, hashRowText(text))
    if (turn.vanishedAt === null && text.length <= shownLength(turn)) return undefined
    turn.leadRowId = id
    return turn
  }

  /** A row that is not the leading one of its turn. */
  function findBeside(row: CaptionRow, turn: CaptionTurn): CaptionTurn | undefined {
    const isUnchanged = turn.rowHashes.get(row.id) === hashRowText(row.text)
    if (isUnchanged || isEarlierText(turn, row.text, measure)) return undefined
    return readRow(turn, row).kind === 'different' ? begin(row) : lead(row, turn)
  }

  function findOther(turn: CaptionTurn, { name, text, at }: CaptionRow): CaptionTurn | undefined {
    const copy = turn.isVersioned ? undefined : memory.findCopy(name || turn.speaker, text, at)
    return copy === turn ? undefined : copy
  }

  function readRow(turn: CaptionTurn, row: CaptionRow): TextMatch {
    const isOther =
      !canBeSameSpeaker(turn.speaker, row.name) && !isContainedIn(turn, row.text, measure)
    // An old text that comes back at once, where a new one had just begun.
    const isJump = row.text.length > shownLength(turn) + rules.restartChars
    if (isOther || (isJump && findOther(turn, row))) return { kind: 'different' }
    return matchText(turn, row.text, rules, measure)
  }

  function restart(turn: CaptionTurn, row: CaptionRow): CaptionTurn {
    floor.finalizeTurn(turn)
    turn.vanishedAt = row.at
    const next = findOther(turn, row) ?? memory.create(row.id, row.name || turn.speaker, row.at)
    memory.assign(row.id, next)
    Object.assign(next, {
      leadRowId: row.id,
      vanishedAt: null,
      isVersioned: turn.isVersioned,
      version: turn.version,
    })
    const reading = matchText(next, row.text, rules, measure)
    if (reading.kind === 'matched') floor.update(next, reading, row.name, row.at)
    return next
  }

  function follow(turn: CaptionTurn, row: CaptionRow): CaptionTurn {
    let reading = readRow(turn, row)
    if (reading.kind === 'different' && turn.pending !== '') {
      // Perhaps only the text before was dropped, and what is shown goes on from the last words.
      floor.finalizeTurn(turn)
      reading = readRow(turn, row)
    }
    if (reading.kind === 'different') return restart(turn, row)
    if (reading.kind === 'matched') floor.update(turn, reading, row.name, row.at)
    return turn
  }

  return {
    findTurn(row) {
      const known = memory.find(row.id)
      if (!known) {
        const copy = memory.findCopy(row.name, row.text, row.at)
        return copy ? lead(row, copy) : begin(row)
      }
      return known.leadRowId === row.id ? known : findBeside(row, known)
    },
    startTurn: begin,
    updateTurn: follow,
    rowVanished(id, at) {
      const turn = memory.find(id)
      if (!turn || turn.leadRowId !== id) return
      turn.vanishedAt ??= at
      const heir = memory.findSuccessor(turn, at)
      if (!heir) return
      const row = { id: heir.leadRowId, name: heir.speaker, text: heir.pending, at }
      floor.drop(heir)
      memory.merge(heir, turn)
      Object.assign(turn, { vanishedAt: null, leadRowId: heir.leadRowId })
      follow(turn, row)
    },
  }
}
