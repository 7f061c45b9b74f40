import {
  createTurn,
  hasWholeWords,
  isCoveredBy,
  isEarlier,
  isSeedOf,
  tailOf,
  unpack,
  type Measure,
  type Turn,
} from './turn.ts'
import { mayBeSame } from './names.ts'
import { isSimilar, keysOf } from '../../lib/words.ts'
import type { SegmentRules } from './rules.ts'

/** The turns of a meeting by the ids of their rows, bounded. */
export interface Memory {
  find(id: string): Turn | undefined
  create(id: string, speaker: string, at: number): Turn
  /** From now on the row shows this turn. */
  assign(id: string, turn: Turn): void
  /** The turn that a row not seen before shows once more, if any. */
  findCopy(speaker: string, raw: string, at: number): Turn | undefined
  /** A turn that began as a copy of `turn` just before the row of `turn` vanished. */
  findHeir(turn: Turn, at: number): Turn | undefined
  /** Rows of one turn belong to the other. */
  merge(from: Turn, into: Turn): void
}

/** No mark of any text. */
const NOT_SEEN = -1

export function createMemory(rules: SegmentRules, measure: Measure): Memory {
  const byId = new Map<string, Turn>()
  const turns: Turn[] = []

  function assign(id: string, turn: Turn): void {
    byId.set(id, turn)
    if (!turn.rows.has(id)) turn.rows.set(id, NOT_SEEN)
  }
  function forgetOldest(): void {
    const [oldest] = turns.splice(0, 1)
    for (const id of oldest?.rows.keys() ?? []) if (byId.get(id) === oldest) byId.delete(id)
  }
  return {
    find: (id) => byId.get(id),
    create(id, speaker, at) {
      const turn = createTurn(id, speaker, at)
      turns.push(turn)
      assign(id, turn)
      if (turns.length > rules.rememberedTurns) forgetOldest()
      return turn
    },
    assign,
    findCopy(speaker, raw, at) {
      const [first] = keysOf(raw.slice(0, 80))
      const alike = turns.filter(
        (turn) =>
          !turn.isWire &&
          mayBeSame(turn.speaker, speaker) &&
          (!turn.isPlaced || isSimilar(unpack(turn.head)[0] ?? '', first ?? '')),
      )
      // A whole line that is back says more than a few first words in common.
      return (
        alike.findLast((turn) => isShownAgain(turn, raw, at, rules, measure)) ??
        alike.findLast((turn) => isSeed(turn, raw, at, rules, measure))
      )
    },
    findHeir(turn, at) {
      return turns.findLast(
        (other) =>
          other !== turn &&
          !other.isWire &&
          other.said === '' &&
          other.pending !== '' &&
          at - other.startedAt <= rules.twinMs &&
          other.startedAt >= turn.startedAt &&
          mayBeSame(turn.speaker, other.speaker) &&
          tailOf(turn).length >= rules.comebackWords &&
          isCoveredBy(turn, other.pending, measure),
      )
    },
    merge(from, into) {
      for (const id of from.rows.keys()) if (byId.get(id) === from) assign(id, into)
      const place = turns.indexOf(from)
      if (place >= 0) turns.splice(place, 1)
    },
  }
}

/** Two rows that begin together are one line: the first is superseded by the other. */
function isSeed(
  turn: Turn,
  raw: string,
  at: number,
  rules: SegmentRules,
  measure: Measure,
): boolean {
  if (at - turn.startedAt > rules.twinMs || !turn.isPlaced) return false
  return isSeedOf(turn, raw) || (isEarlier(turn, raw, measure) && hasWholeWords(turn, raw))
}

/** A row that vanished is back, or a live one has a twin. */
function isShownAgain(
  turn: Turn,
  raw: string,
  at: number,
  rules: SegmentRules,
  measure: Measure,
): boolean {
  const tail = tailOf(turn)
  const isLong = tail.length >= rules.comebackWords
  // Of a line from before a restart only the words are known, and a few are found in many texts.
  if (!turn.isPlaced && !isLong && keysOf(raw.slice(0, 200)).join(' ') !== tail.join(' '))
    return false
  const isBack = turn.goneAt !== null && (isLong || at - turn.goneAt <= rules.comebackMs)
  const isTwin = isLong && at - turn.changedAt <= rules.twinMs
  return (isBack || isTwin) && isCoveredBy(turn, raw, measure)
}
