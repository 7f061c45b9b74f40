import type { Knobs } from '../knobs.ts'
import type { StagedParticipant } from '../page-protocol.ts'

/** One utterance with its whole text so far. */
export type CaptionState = {
  captionId: string
  speaker: StagedParticipant
  text: string
  isFinal: boolean
  isGone: boolean
  /** True if this repeats another caption in a second row. It is not sent on the wire. */
  isTwin: boolean
}

export type CaptionRowChange = {
  rowId: string
  speaker: StagedParticipant
  text: string
  isGone: boolean
}

/** Maps captions to the rows that a platform shows. */
export type CaptionRows = { apply: (speech: CaptionState, nowMs: number) => CaptionRowChange }

type CaptionTurn = {
  rowId: string
  speaker: StagedParticipant
  startedMs: number
  parts: Map<string, string>
  isTwin: boolean
  droppedCharacters: number
}

/**
 * Google Meet: one row per turn. A row grows until another person speaks, despite pauses. After `restartAfterMs`, or
 * with more than `restartAfterCharacters`, the row drops its text and starts empty.
 */
export function createTurnRows({
  restartAfterMs,
  restartAfterCharacters,
}: Pick<Knobs, 'restartAfterMs' | 'restartAfterCharacters'>): CaptionRows {
  const turns = new Map<string, CaptionTurn>()
  let latest: CaptionTurn | undefined

  function turnOf({ captionId, speaker, isTwin }: CaptionState, nowMs: number): CaptionTurn {
    const known = turns.get(captionId)
    if (known) return known
    const isSameSpeaker = !isTwin && latest?.speaker.id === speaker.id
    const turn = isSameSpeaker && latest ? latest : open(captionId, speaker, isTwin, nowMs)
    turns.set(captionId, turn)
    if (!isTwin) latest = turn
    return turn
  }
  function open(
    rowId: string,
    speaker: StagedParticipant,
    isTwin: boolean,
    startedMs: number,
  ): CaptionTurn {
    return { rowId, speaker, startedMs, parts: new Map(), isTwin, droppedCharacters: 0 }
  }

  return {
    apply(speech, nowMs) {
      const turn = turnOf(speech, nowMs)
      const before = textOf(turn).length
      const isOld = restartAfterMs !== null && nowMs - turn.startedMs > restartAfterMs
      const shown = before - turn.droppedCharacters
      const isLong = restartAfterCharacters !== null && shown > restartAfterCharacters
      if (isOld || isLong) {
        turn.droppedCharacters = before
        turn.startedMs = nowMs
      }
      turn.parts.set(speech.captionId, speech.text)
      const text = textOf(turn).slice(turn.droppedCharacters).trimStart()
      return { rowId: turn.rowId, speaker: turn.speaker, text, isGone: speech.isGone }
    },
  }
}

function textOf({ parts }: CaptionTurn): string {
  return [...parts.values()].join(' ')
}

/** Microsoft Teams: one row per utterance, even if the same person keeps speaking. */
export function createUtteranceRows(): CaptionRows {
  return {
    apply: ({ captionId, speaker, text, isGone }) => ({ rowId: captionId, speaker, text, isGone }),
  }
}
