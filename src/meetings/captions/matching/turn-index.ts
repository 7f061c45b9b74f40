import { canBeSameSpeaker } from '../../../language/person-names.ts'
import { isSimilarWord, extractWordKeys } from '../../../lib/text/words.ts'
import type { SegmentRules } from '../segment-rules.ts'
import {
  createCaptionTurn,
  isRowLastWordComplete,
  isTurnContainedIn,
  isEarlierTextOfTurn,
  isTurnPrefixOf,
  lastWordsOfTurn,
  rowOfTurn,
  firstWordsOfTurn,
  type CaptionTurn,
  type TextMatching,
} from '../turns/turn.ts'

/** The most recent turns of a meeting, by the ids of the rows that show them. */
export type TurnIndex = ReturnType<typeof createTurnIndex>

export function createTurnIndex(matching: TextMatching) {
  const { rules } = matching
  const byId = new Map<string, CaptionTurn>()
  const turns: CaptionTurn[] = []

  function assign(id: string, turn: CaptionTurn): void {
    byId.set(id, turn)
    rowOfTurn(turn, id)
  }
  function dropOldest(): void {
    const [oldest] = turns.splice(0, 1)
    for (const { id } of oldest?.rows ?? []) if (byId.get(id) === oldest) byId.delete(id)
  }
  return {
    find: (id: string) => byId.get(id),
    create(id: string, speaker: string, at: number): CaptionTurn {
      const turn = createCaptionTurn(id, speaker, at)
      turns.push(turn)
      assign(id, turn)
      if (turns.length > rules.rememberedTurns) dropOldest()
      return turn
    },
    /** Records that the row shows this turn. */
    assign,
    /** The earlier turn, if any, that a new row with the text `raw` shows again. */
    findCopy(speaker: string, raw: string, at: number): CaptionTurn | undefined {
      const [first] = extractWordKeys(raw.slice(0, 80))
      const candidates = turns.filter(
        (turn) =>
          !turn.isVersioned &&
          (turn.vanishedAt !== null || isRecent(turn, at, rules)) &&
          canBeSameSpeaker(turn.speaker, speaker) &&
          (!turn.isPositionKnown || isSimilarWord(firstWordsOfTurn(turn)[0] ?? '', first ?? '')),
      )
      // A match of the whole text is stronger evidence than a match of the first words.
      return (
        candidates.findLast((turn) => isShownAgain(turn, raw, at, matching)) ??
        candidates.findLast((turn) => startedTogether(turn, raw, at, matching))
      )
    },
    /** A turn that started with the text of `turn` shortly before the row of `turn` vanished. */
    findSuccessor(turn: CaptionTurn, at: number): CaptionTurn | undefined {
      return turns.findLast(
        (other) =>
          other !== turn &&
          !other.isVersioned &&
          !other.isNewSpeech &&
          other.finalWords === '' &&
          other.pending !== '' &&
          at - other.startedAt <= rules.duplicateRowMs &&
          other.startedAt >= turn.startedAt &&
          canBeSameSpeaker(turn.speaker, other.speaker) &&
          lastWordsOfTurn(turn).length >= rules.reappearWords &&
          isTurnContainedIn(turn, other.pending, matching),
      )
    },
    /** Assigns all rows of one turn to another and removes the first turn. */
    merge(from: CaptionTurn, into: CaptionTurn) {
      for (const { id } of from.rows) if (byId.get(id) === from) assign(id, into)
      const place = turns.indexOf(from)
      if (place >= 0) turns.splice(place, 1)
    },
  }
}

/** True if the turn started or changed so shortly before `at` that a row may show it a second time. */
function isRecent(
  { startedAt, changedAt }: CaptionTurn,
  at: number,
  { duplicateRowMs }: SegmentRules,
): boolean {
  return at - startedAt <= duplicateRowMs || at - changedAt <= duplicateRowMs
}

/** True if the row started at about the same time as the turn and with the same words. Then it shows the same turn. */
function startedTogether(
  turn: CaptionTurn,
  raw: string,
  at: number,
  matching: TextMatching,
): boolean {
  if (at - turn.startedAt > matching.rules.duplicateRowMs || !turn.isPositionKnown) return false
  return (
    isTurnPrefixOf(turn, raw) ||
    (isEarlierTextOfTurn(turn, raw, matching) && isRowLastWordComplete(turn, raw))
  )
}

/** True if the row shows a vanished turn again, or duplicates a turn that is still visible. */
function isShownAgain(turn: CaptionTurn, raw: string, at: number, matching: TextMatching): boolean {
  const tail = lastWordsOfTurn(turn)
  const isLong = tail.length >= matching.rules.reappearWords
  // Of a resumed turn only the words are known, and a few words match many texts. So a short turn must match exactly.
  if (
    !turn.isPositionKnown &&
    !isLong &&
    extractWordKeys(raw.slice(0, 200)).join(' ') !== tail.join(' ')
  )
    return false
  const hasReappeared =
    turn.vanishedAt !== null && (isLong || at - turn.vanishedAt <= matching.rules.reappearMs)
  const isDuplicate = isLong && at - turn.changedAt <= matching.rules.duplicateRowMs
  return (hasReappeared || isDuplicate) && isTurnContainedIn(turn, raw, matching)
}
