import { hasMoreThanPunctuation } from '../../../language/clean-text.ts'
import { canBeSameSpeaker } from '../../../language/person-names.ts'
import type { OpenTurns } from '../turns/open-turns.ts'
import {
  isTurnContainedIn,
  isEarlierTextOfTurn,
  countShownCharacters,
  hashRowText,
  matchRowText,
  rowOfTurn,
  type RowTextMatch,
  type CaptionTurn,
  type TextMatching,
} from '../turns/turn.ts'
import type { TurnIndex } from './turn-index.ts'

/**
 * A caption with sanitized id and speaker name. `at` is when the source changed the text, and `startedAt` when the text
 * began. Both equal `receivedAt` unless the caption is late.
 */
export type CaptionRow = {
  id: string
  speakerName: string
  text: string
  at: number
  startedAt: number
  receivedAt: number
  /** True if the source knows that the row is new speech and does not show an earlier turn again. */
  isNewSpeech: boolean
}

/** Decides which turn a caption row belongs to, and updates the turn with the row's text. */
export type CaptionRowTracker = ReturnType<typeof createCaptionRowTracker>

export function createCaptionRowTracker(
  turnIndex: TurnIndex,
  openTurns: OpenTurns,
  matching: TextMatching,
) {
  function startTurn(row: CaptionRow): CaptionTurn | undefined {
    if (!hasMoreThanPunctuation(row.text)) return undefined
    openTurns.markFollowed(row.startedAt)
    return createTurn(row, row.speakerName)
  }
  const createTurn = (
    { id, startedAt, isNewSpeech }: CaptionRow,
    speakerName: string,
  ): CaptionTurn => Object.assign(turnIndex.create(id, speakerName, startedAt), { isNewSpeech })

  /** Adds a row to a turn. It becomes the leading row if it shows more text, or if the leading row has vanished. */
  function addRow({ id, text }: CaptionRow, turn: CaptionTurn): CaptionTurn | undefined {
    turnIndex.assign(id, turn)
    rowOfTurn(turn, id).hash = hashRowText(text)
    if (turn.vanishedAt === null && text.length <= countShownCharacters(turn)) return undefined
    turn.leadRowId = id
    return turn
  }

  /** The turn for a row that is not the leading row of its turn. */
  function findTurnOfSecondRow(row: CaptionRow, turn: CaptionTurn): CaptionTurn | undefined {
    const isUnchanged = rowOfTurn(turn, row.id).hash === hashRowText(row.text)
    if (isUnchanged || isEarlierTextOfTurn(turn, row.text, matching)) return undefined
    return matchRow(turn, row).kind === 'different' ? startTurn(row) : addRow(row, turn)
  }

  function findOtherCopy(
    turn: CaptionTurn,
    { speakerName, text, at, isNewSpeech }: CaptionRow,
  ): CaptionTurn | undefined {
    if (turn.isVersioned || isNewSpeech) return undefined
    const copy = turnIndex.findCopy(speakerName || turn.speaker, text, at)
    return copy === turn ? undefined : copy
  }

  function matchRow(turn: CaptionTurn, row: CaptionRow): RowTextMatch {
    const isOther =
      !canBeSameSpeaker(turn.speaker, row.speakerName) &&
      !isTurnContainedIn(turn, row.text, matching)
    // A row that grows by a lot in one step may show an older turn again.
    const isJump = row.text.length > countShownCharacters(turn) + matching.rules.restartChars
    if (isOther || (isJump && findOtherCopy(turn, row))) return { kind: 'different' }
    return matchRowText(turn, row.text, matching)
  }

  /** The row now shows a different text: finishes its turn and continues with an earlier or a new turn. */
  function restart(turn: CaptionTurn, row: CaptionRow): CaptionTurn {
    openTurns.finalizeTurn(turn)
    turn.vanishedAt = row.at
    const next = findOtherCopy(turn, row) ?? createTurn(row, row.speakerName || turn.speaker)
    turnIndex.assign(row.id, next)
    Object.assign(next, {
      leadRowId: row.id,
      vanishedAt: null,
      isVersioned: turn.isVersioned,
      version: turn.version,
    })
    const match = matchRowText(next, row.text, matching)
    if (match.kind === 'matched') openTurns.update(next, match, row)
    return next
  }

  function updateTurn(turn: CaptionTurn, row: CaptionRow): CaptionTurn {
    let match = matchRow(turn, row)
    if (match.kind === 'different' && turn.pending !== '') {
      // If the source dropped only the earlier text, the row matches once the pending text is final.
      openTurns.finalizeTurn(turn)
      match = matchRow(turn, row)
    }
    if (match.kind === 'different') return restart(turn, row)
    if (match.kind === 'matched') openTurns.update(turn, match, row)
    return turn
  }

  return {
    /** The turn that the row belongs to, which may be a new one; undefined if the row shows nothing new. */
    findOrStartTurn(row: CaptionRow): CaptionTurn | undefined {
      const known = turnIndex.find(row.id)
      if (!known) {
        const { speakerName, text, at, isNewSpeech } = row
        const copy = isNewSpeech ? undefined : turnIndex.findCopy(speakerName, text, at)
        return copy ? addRow(row, copy) : startTurn(row)
      }
      return known.leadRowId === row.id ? known : findTurnOfSecondRow(row, known)
    },
    startTurn,
    /** Updates a turn with the row's current text. Returns another turn if the row now shows a different text. */
    updateTurn,
    /** Records that the page removed the row. The text of its turn stays valid. */
    rowVanished(id: string, at: number) {
      const turn = turnIndex.find(id)
      if (!turn || turn.leadRowId !== id) return
      turn.vanishedAt ??= at
      const successor = turnIndex.findSuccessor(turn, at)
      if (!successor) return
      const row = {
        id: successor.leadRowId,
        speakerName: successor.speaker,
        text: successor.pending,
        at,
        startedAt: at,
        receivedAt: at,
        isNewSpeech: false,
      }
      openTurns.drop(successor)
      turnIndex.merge(successor, turn)
      Object.assign(turn, { vanishedAt: null, leadRowId: successor.leadRowId })
      updateTurn(turn, row)
    },
  }
}
