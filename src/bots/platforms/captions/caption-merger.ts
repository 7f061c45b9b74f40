import type { PageCaptionRow } from '../bridge/messages.ts'
import type { Caption } from '../platform.ts'
import { createPageCaptionRowTracker } from './row-tracker.ts'
import { findUtterancesContainingLastRowWord, type WireUtterance } from './text-overlap.ts'
import {
  planRowPublication,
  selectUnpublishedText,
  type CaptionRowPublicationPlan,
  listReplacedTexts,
  type CaptionRowContent,
  type TrackedPageRow,
} from './tracked-row.ts'
import {
  createMissingWordsCheck,
  createWireUtteranceHistory,
  type WireUtteranceHistory,
} from './wire-log.ts'

/**
 * Merges captions from the wire (the platform's network messages) and from the page (the caption rows it shows) into
 * one stream. Both sources are always read, but only one is active. The wire is active first. A text that changes on
 * the page waits two seconds for the wire to publish it. If the wire has published only later words, the page
 * publishes the missing ones. If the wire has published nothing since, the page becomes active and continues each row
 * after the last word that the wire published. An utterance that the wire left unfinished keeps its caption id, so
 * that its end can still be corrected. While the page is active, new utterances of the wire are recorded but never
 * published. When nothing has changed for a while and the wire has caught up, the wire becomes active again for
 * utterances that start after that. Text that the page shows at that moment is treated as published. While the wire
 * holds words back because their speaker's name is unknown, the page does not publish them. Text that is published
 * late says since when it was shown.
 */
export type CaptionMerger = ReturnType<typeof createCaptionMerger>
export type CaptionSource = 'wire' | 'page'

const WIRE_SILENCE_MS = 2_000
const IN_STEP_MS = 1_500
const QUIET_MS = 1_200
/**
 * How long an unfinished utterance of the wire must stay unchanged before the wire becomes active again. It is longer
 * than QUIET_MS, because the utterance may continue.
 */
const OPEN_UTTERANCE_QUIET_MS = 4_000
/** How long the page waits for the wire to deliver the last word that the page shows. */
const LATE_WIRE_MS = 10_000

export function createCaptionMerger(rowContent: CaptionRowContent = 'utterance') {
  const rows = createPageCaptionRowTracker(rowContent)
  const wireLog = createWireUtteranceHistory(IN_STEP_MS)
  let active: CaptionSource = 'wire'
  let wireAt = -Infinity
  let rowAt = -Infinity
  let switches = 0
  let switchedAt = -Infinity

  function outputFor(row: TrackedPageRow, text: string): CaptionRowPublicationPlan {
    const { gapCaptionId } = row
    return planRowPublication(row, text, wireLog.utterancesFor(row), {
      // Words that the page filled in are at the end of the published text, so their caption continues.
      ownId: gapCaptionId ?? `${row.id}/${switches}`,
      isTaken: (captionId) =>
        gapCaptionId !== null ||
        rows.all().some(({ line }) => line.output?.captionId === captionId),
    })
  }
  const missingWords = createMissingWordsCheck({
    wireLog,
    missingTextOf: (row, text) => missingTextOf(row, text, wireLog.utterancesFor(row)),
    isPublishedLineDrawnAgain: rows.isPublishedLineDrawnAgain,
    wireAt: () => wireAt,
  })
  function settleTwins(at: number, isEnd = false): Caption[] {
    return rows.settleTwins(at, { isEnd, planOutput: (row) => outputFor(row, row.text) })
  }
  function switchToPage(at: number): Caption[] {
    active = 'page'
    switches += 1
    switchedAt = at
    wireLog.skipAll()
    const late = rows
      .leadRows()
      .flatMap((row) => publishLate(row, at, { planOutput: outputFor, toCaptions: rows.caption }))
    // The words that were spoken first come first.
    return late.toSorted((a, b) => b.startedMs - a.startedMs).map(({ caption }) => caption)
  }
  /** Publishes what the wire did not publish in time: words that it left out, or everything from now on. */
  function publishMissing(at: number, waitMs: number): Caption[] {
    rows.settleTwins(at, { isEnd: waitMs === 0 })
    const checked = rows.leadRows().map((row) => missingWords.check(row, at, waitMs))
    rows.dropDueTextsOfOtherRows(at, waitMs)
    rows.markUnchangedPublished(at)
    rows.removeExpired(at)
    const gaps = checked.flatMap(({ gap }) => gap)
    for (const gap of gaps) wireLog.recordGap(gap, at)
    return checked.some(({ isMissing }) => isMissing) ? [...gaps, ...switchToPage(at)] : gaps
  }
  function switchToWire(): void {
    active = 'wire'
    wireLog.clear()
    rows.markPublished()
  }
  /** When the wire may become active again if nothing changes. Its delayed captions must have arrived by then. */
  function switchBackAt(): number {
    if (wireAt < Math.max(rowAt - IN_STEP_MS, switchedAt)) return Infinity
    const openUntil = wireLog.skippedOpenAt() + OPEN_UTTERANCE_QUIET_MS
    const lateUntil = isLastWordDelivered(rows.lastChanged(), wireLog)
      ? -Infinity
      : rowAt + LATE_WIRE_MS
    return Math.max(rowAt + QUIET_MS, wireAt + QUIET_MS, openUntil, lateUntil)
  }

  return {
    addWireCaption(caption: Caption & { version: number }, at: number): Caption[] {
      if (active === 'wire' && wireLog.isPublishedByPage(caption, at)) return []
      wireAt = at
      if (active === 'page') {
        wireLog.skip(caption, at)
        return []
      }
      wireLog.record(caption, at)
      return [caption]
    },
    /** Records a caption that the wire publishes only when the name of its speaker is known. */
    holdWireCaption(caption: Caption & { version: number }, at: number) {
      if (active === 'wire' && wireLog.isPublishedByPage(caption, at)) return
      wireAt = at
      if (active === 'page') wireLog.skip(caption, at)
      else wireLog.record(caption, at, true)
    },
    addPageRow(change: PageCaptionRow, at: number): Caption[] {
      const row = rows.update(change, at, active)
      if (row === null) return []
      rowAt = at
      return active === 'page' ? [...rows.caption(row), ...settleTwins(at)] : []
    },
    tick(at: number): Caption[] {
      if (active === 'wire') return publishMissing(at, WIRE_SILENCE_MS)
      const isSwitchDue = at >= switchBackAt()
      const settled = settleTwins(at, isSwitchDue)
      if (isSwitchDue) switchToWire()
      rows.removeExpired(at)
      return settled
    },
    /** Publishes text that only the page has, at the end of the visit. */
    flush(at: number): Caption[] {
      return active === 'page' ? settleTwins(at, true) : publishMissing(at, 0)
    },
    /** The only name next to which the page shows a text. At least `minWords` of its words must be equal. */
    findSpeaker: rows.findSpeaker,
    activeSource: () => active,
    /** When either source last delivered a caption. */
    lastCaptionAt: () => Math.max(wireAt, rowAt),
  }
}

/** The part of a row's text that no utterance of the wire contains, not even an unfinished one. */
function missingTextOf(
  row: TrackedPageRow,
  text: string,
  utterances: readonly WireUtterance[],
): string {
  const plan = planRowPublication(row, text, utterances, { ownId: row.id, isTaken: () => true })
  return selectUnpublishedText(plan, text)
}

/** True if the wire has delivered the last word of the row. A late wire delivers earlier words before it. */
function isLastWordDelivered(
  row: TrackedPageRow | undefined,
  wireLog: WireUtteranceHistory,
): boolean {
  if (row === undefined) return true
  const delivered = wireLog.skippedSince(row.speaker, row.changedAt - IN_STEP_MS)
  return findUtterancesContainingLastRowWord(row.text, delivered)?.length !== 0
}

/** What a row shows and the wire has not published when the page becomes active. */
function publishLate(
  row: TrackedPageRow,
  at: number,
  parts: {
    planOutput(row: TrackedPageRow, text: string): CaptionRowPublicationPlan
    toCaptions(row: TrackedPageRow, text: string): Caption[]
  },
): Array<{ startedMs: number; caption: Caption }> {
  const texts = [...listReplacedTexts(row), { text: row.text, at: row.changedAt }]
  const startedMs = at - (row.pendingTexts[0]?.at ?? row.changedAt)
  row.line.output = parts.planOutput(row, texts[0]?.text ?? row.text)
  return texts.flatMap(({ text, at: changedAt }) => {
    const late = { startedMs, changedMs: at - changedAt }
    return parts
      .toCaptions(row, text)
      .map((caption) => ({ startedMs, caption: { ...caption, late } }))
  })
}
