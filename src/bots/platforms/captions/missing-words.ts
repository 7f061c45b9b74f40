import type { Caption } from '../platform.ts'
import { findUtterancesContainingLastRowWord } from './text-overlap.ts'
import type { TrackedPageRow } from './tracked-row.ts'
import type { WireUtteranceHistory } from './wire-log.ts'

/** Largest observed delay between the wire and the page. */
const MAX_SKEW_MS = 1_000

type Parts = {
  wireLog: WireUtteranceHistory
  /** The part of a row's text that the wire has not published. */
  missingTextOf(row: TrackedPageRow, text: string): string
  isPublishedLineDrawnAgain(row: TrackedPageRow, firstText: { text: string; at: number }): boolean
  /** When the wire last delivered a caption. */
  wireAt(): number
}

/** Finds text of the page that the wire has not published. */
export function createMissingWordsCheck(parts: Parts) {
  const { wireLog, missingTextOf, isPublishedLineDrawnAgain, wireAt } = parts
  let gaps = 0

  /** Whether the wire has published later words, which the page may not show yet. */
  function hasContinued(row: TrackedPageRow, since: number): boolean {
    const cover = findUtterancesContainingLastRowWord(row.text, wireLog.since(row.speaker, since))
    return wireAt() >= since + MAX_SKEW_MS || cover === null || cover.length > 0
  }
  function gapIn(row: TrackedPageRow, due: { text: string; at: number }, at: number): Caption {
    row.gapCaptionId ??= `${row.id}/gap${++gaps}`
    const text = missingTextOf(row, due.text)
    const late = { startedMs: at - due.at, changedMs: at - due.at }
    return { captionId: row.gapCaptionId, speaker: row.speaker, text, late }
  }

  return {
    /**
     * Checks the texts of a row that the wire should have published within `waitMs`. The wire can have left words out
     * (`gap`), or have published nothing since (`isMissing`).
     */
    check(row: TrackedPageRow, at: number, waitMs: number): { isMissing: boolean; gap: Caption[] } {
      const gap: Caption[] = []
      while (row.pendingTexts[0] !== undefined && at - row.pendingTexts[0].at >= waitMs) {
        const [due] = row.pendingTexts
        const cover = findUtterancesContainingLastRowWord(
          due.text,
          wireLog.about(row.speaker, due.at),
        )
        const isHeld = cover !== null && cover.length > 0 && cover.every((one) => one.isHeld)
        if (isHeld) return { isMissing: false, gap }
        const isPublished =
          cover === null ||
          cover.length > 0 ||
          isPublishedLineDrawnAgain(row, due) ||
          missingTextOf(row, due.text) === ''
        for (const utterance of cover ?? []) utterance.shownAt ??= due.at
        // A late wire is still delivering an utterance of the speaker, and its next words may be these.
        if (!isPublished && wireLog.isGrowing(row.speaker, at - waitMs))
          return { isMissing: false, gap }
        if (isPublished) row.gapCaptionId = null
        // The wire has published later words, so only the words in between are missing.
        else if (hasContinued(row, due.at)) gap.push(gapIn(row, due, at))
        else return { isMissing: true, gap }
        row.pendingTexts.splice(0, 1)
      }
      return { isMissing: false, gap }
    },
  }
}
