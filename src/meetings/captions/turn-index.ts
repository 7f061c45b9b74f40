import {
  createTurn,
  endsOnWholeWord,
  isContainedIn,
  isEarlierText,
  isPrefixOf,
  lastWordsOf,
  splitJoinedWords,
  type CountCharacters,
  type CaptionTurn,
} from './turn.ts'
import { canBeSameSpeaker } from '../sanitize/person-names.ts'
import { isSimilarWord, wordKeys } from '../../lib/text/split-words.ts'
import type { SegmentRules } from './segment-rules.ts'

/** The turns of a meeting by the ids of their rows, bounded. */
export interface TurnIndex {
  find(id: string): CaptionTurn | undefined
  create(id: string, speaker: string, at: number): CaptionTurn
  /** From now on the row shows this turn. */
  assign(id: string, turn: CaptionTurn): void
  /** The turn that a row not seen before shows once more, if any. */
  findCopy(speaker: string, raw: string, at: number): CaptionTurn | undefined
  /** A turn that began as a copy of `turn` just before the row of `turn` vanished. */
  findSuccessor(turn: CaptionTurn, at: number): CaptionTurn | undefined
  /** Rows of one turn belong to the other. */
  merge(from: CaptionTurn, into: CaptionTurn): void
}

/** No mark of any text. */
const NO_HASH = -1

export function createTurnIndex(rules: SegmentRules, measure: CountCharacters): TurnIndex {
  const byId = new Map<string, CaptionTurn>()
  const turns: CaptionTurn[] = []

  function assign(id: string, turn: CaptionTurn): void {
    byId.set(id, turn)
    if (!turn.rowHashes.has(id)) turn.rowHashes.set(id, NO_HASH)
  }
  function forgetOldest(): void {
    const [oldest] = turns.splice(0, 1)
    for (const id of oldest?.rowHashes.keys() ?? []) if (byId.get(id) === oldest) byId.delete(id)
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
      const [first] = wordKeys(raw.slice(0, 80))
      const alike = turns.filter(
        (turn) =>
          !turn.isVersioned &&
          canBeSameSpeaker(turn.speaker, speaker) &&
          (!turn.isPositionKnown ||
            isSimilarWord(splitJoinedWords(turn.firstWords)[0] ?? '', first ?? '')),
      )
      // A whole line that is back says more than a few first words in common.
      return (
        alike.findLast((turn) => isShownAgain(turn, raw, at, rules, measure)) ??
        alike.findLast((turn) => startedTogether(turn, raw, at, rules, measure))
      )
    },
    findSuccessor(turn, at) {
      return turns.findLast(
        (other) =>
          other !== turn &&
          !other.isVersioned &&
          other.finalWords === '' &&
          other.pending !== '' &&
          at - other.startedAt <= rules.duplicateRowMs &&
          other.startedAt >= turn.startedAt &&
          canBeSameSpeaker(turn.speaker, other.speaker) &&
          lastWordsOf(turn).length >= rules.reappearWords &&
          isContainedIn(turn, other.pending, measure),
      )
    },
    merge(from, into) {
      for (const id of from.rowHashes.keys()) if (byId.get(id) === from) assign(id, into)
      const place = turns.indexOf(from)
      if (place >= 0) turns.splice(place, 1)
    },
  }
}

/** Two rows that begin together are one line: the first is superseded by the other. */
function startedTogether(
  turn: CaptionTurn,
  raw: string,
  at: number,
  rules: SegmentRules,
  measure: CountCharacters,
): boolean {
  if (at - turn.startedAt > rules.duplicateRowMs || !turn.isPositionKnown) return false
  return isPrefixOf(turn, raw) || (isEarlierText(turn, raw, measure) && endsOnWholeWord(turn, raw))
}

/** A row that vanished is back, or a live one has a twin. */
function isShownAgain(
  turn: CaptionTurn,
  raw: string,
  at: number,
  rules: SegmentRules,
  measure: CountCharacters,
): boolean {
  const tail = lastWordsOf(turn)
  const isLong = tail.length >= rules.reappearWords
  // Of a line from before a restart only the words are known, and a few are found in many texts.
  if (!turn.isPositionKnown && !isLong && wordKeys(raw.slice(0, 200)).join(' ') !== tail.join(' '))
    return false
  const isBack = turn.vanishedAt !== null && (isLong || at - turn.vanishedAt <= rules.reappearMs)
  const isTwin = isLong && at - turn.changedAt <= rules.duplicateRowMs
  return (isBack || isTwin) && isContainedIn(turn, raw, measure)
}
