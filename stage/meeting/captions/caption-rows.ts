import type { StagedParticipant } from '../page-protocol.ts'

/** What is being said: the whole of one utterance so far. */
export type CaptionState = {
  captionId: string
  speaker: StagedParticipant
  text: string
  isFinal: boolean
  isGone: boolean
  /** Shows a second time what another caption shows: a row of its own, and nothing on the wire. */
  isTwin: boolean
}

export type CaptionRowChange = {
  rowId: string
  speaker: StagedParticipant
  text: string
  isGone: boolean
}

/** How a platform lays captions out as rows of its page. */
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
 * Google Meet: one row a turn. Whatever the same person says goes on growing it, however long the silence;
 * only another speaker opens a new one. After `restartAfterMs` the row lets go of its text and begins anew.
 */
export function createTurnRows(restartAfterMs: number | null): CaptionRows {
  const turns = new Map<string, CaptionTurn>()
  let latest: CaptionTurn | undefined

  function turnOf({ captionId, speaker, isTwin }: CaptionState, nowMs: number): CaptionTurn {
    const known = turns.get(captionId)
    if (known) return known
    const goesOn = !isTwin && latest?.speaker.id === speaker.id
    const turn = goesOn && latest ? latest : open(captionId, speaker, isTwin, nowMs)
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
      if (restartAfterMs !== null && nowMs - turn.startedMs > restartAfterMs) {
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

/** Microsoft Teams: one row an utterance, also when the same person goes on. */
export function createUtteranceRows(): CaptionRows {
  return {
    apply: ({ captionId, speaker, text, isGone }) => ({ rowId: captionId, speaker, text, isGone }),
  }
}
