import type { PageCaptionRow } from '../bridge/messages.ts'
import type { Caption } from '../platform.ts'
import { createPageRowTracker, type TrackedRow } from './row-tracker.ts'
import { planRowOutput, unpublishedText, type RowOutput } from './row-output.ts'
import { findCoveringUtterances } from './text-overlap.ts'
import { createWireLog } from './wire-log.ts'

/**
 * One stream of captions out of two. Both sources are always read, and one of them speaks.
 *
 * The wire speaks first. What changes on the page meanwhile is held; two seconds later the wire must have told
 * those words. When it has not, but has told later ones, the page tells what was left out. When it has told
 * nothing since, the page takes over: each row from the word on that the wire told last. An utterance that the
 * wire left open goes on under its id, so that its end can still be rewritten.
 *
 * While the page speaks, utterances of the wire are only counted; they stay the page's for ever. When nothing
 * has changed for a moment and the wire has come into step by then, the wire speaks again, of utterances that begin
 * from then on. What the page shows at that moment counts as told.
 */
export interface CaptionMerger {
  addWireCaption(caption: Caption & { version: number }, at: number): Caption[]
  addPageRow(row: PageCaptionRow, at: number): Caption[]
  tick(at: number): Caption[]
  /** The visit is over: what only the page has is told now. */
  flush(at: number): Caption[]
  activeSource(): CaptionSource
  /** When either source last had something. */
  lastCaptionAt(): number
}
export type CaptionSource = 'wire' | 'page'

/** The two have been seen to differ by less than a second. */
const MAX_SKEW_MS = 1_000
const WIRE_SILENCE_MS = 2_000
const IN_STEP_MS = 1_500
const QUIET_MS = 1_200
/** The same while an utterance is still open on the wire: it may go on. */
const OPEN_UTTERANCE_QUIET_MS = 4_000

export function createCaptionMerger(): CaptionMerger {
  const rows = createPageRowTracker()
  const log = createWireLog(IN_STEP_MS)
  let leader: CaptionSource = 'wire'
  let wireAt = -Infinity
  let rowAt = -Infinity
  let takeovers = 0
  let tookOverAt = -Infinity
  let gaps = 0

  function outputFor(row: TrackedRow, text: string): RowOutput {
    return planRowOutput(row, text, log.of(row), {
      ownId: `${row.id}/${takeovers}`,
      isTaken: (captionId) => rows.all().some(({ output }) => output?.captionId === captionId),
    })
  }
  /** Looks after the texts of a row that have waited long enough: either told, or a gap, or an orphan. */
  function check(row: TrackedRow, at: number): { isOrphan: boolean; gap: Caption[] } {
    const gap: Caption[] = []
    while (row.pendingTexts[0] !== undefined && at - row.pendingTexts[0].at >= WIRE_SILENCE_MS) {
      const [due] = row.pendingTexts.splice(0, 1)
      if (due === undefined) break
      const cover = findCoveringUtterances(due.text, log.about(row.speaker, due.at))
      const isTold =
        cover === null ||
        cover.length > 0 ||
        unpublishedText(outputFor(row, due.text), due.text) === ''
      for (const utterance of cover ?? []) utterance.shownAt ??= due.at
      if (isTold) row.gapCaptionId = null
      // The wire has gone on since: only what it left out is missing.
      else if (hasGoneOn(row, due.at)) gap.push(gapIn(row, due.text))
      else {
        row.pendingTexts.unshift(due)
        return { isOrphan: true, gap }
      }
    }
    return { isOrphan: false, gap }
  }
  /** Later words are told already, perhaps before the page has shown them. */
  function hasGoneOn(row: TrackedRow, since: number): boolean {
    const cover = findCoveringUtterances(row.text, log.since(row.speaker, since))
    return wireAt >= since + MAX_SKEW_MS || cover === null || cover.length > 0
  }
  function gapIn(row: TrackedRow, text: string): Caption {
    row.gapCaptionId ??= `${row.id}/gap${++gaps}`
    return {
      captionId: row.gapCaptionId,
      speaker: row.speaker,
      text: unpublishedText(outputFor(row, text), text),
    }
  }
  function takeOver(at: number): Caption[] {
    leader = 'page'
    takeovers += 1
    tookOverAt = at
    log.skipAll()
    return rows.all().flatMap((row) => {
      const texts = [...rows.dropped(row), row.text]
      row.output = outputFor(row, texts[0] ?? row.text)
      return texts.flatMap((text) => rows.caption(row, text))
    })
  }
  function handBack(): void {
    leader = 'wire'
    log.forget()
    rows.settle()
  }
  /** When the wire may speak again, if nothing changes until then: what it is late with must have come. */
  function handBackAt(): number {
    if (wireAt < Math.max(rowAt - IN_STEP_MS, tookOverAt)) return Infinity
    const openUntil = log.skippedOpenAt() + OPEN_UTTERANCE_QUIET_MS
    return Math.max(rowAt + QUIET_MS, wireAt + QUIET_MS, openUntil)
  }

  return {
    addWireCaption(caption, at) {
      if (leader === 'wire' && log.isSkipped(caption.captionId)) return []
      wireAt = at
      if (leader === 'page') {
        log.skip(caption, at)
        return []
      }
      log.remember(caption, at)
      return [caption]
    },
    addPageRow(change, at) {
      const row = rows.see(change, at, leader)
      if (row === null) return []
      rowAt = at
      return leader === 'page' ? rows.caption(row) : []
    },
    tick(at) {
      if (leader === 'wire') {
        const checked = rows.all().map((row) => check(row, at))
        rows.forget(at)
        const gaps = checked.flatMap(({ gap }) => gap)
        return checked.some(({ isOrphan }) => isOrphan) ? [...gaps, ...takeOver(at)] : gaps
      }
      if (at >= handBackAt()) handBack()
      rows.forget(at)
      return []
    },
    flush(at) {
      if (leader === 'page') return []
      const checked = rows.all().map((row) => check(row, at + WIRE_SILENCE_MS))
      const gaps = checked.flatMap(({ gap }) => gap)
      return checked.some(({ isOrphan }) => isOrphan) ? [...gaps, ...takeOver(at)] : gaps
    },
    activeSource: () => leader,
    lastCaptionAt: () => Math.max(wireAt, rowAt),
  }
}
