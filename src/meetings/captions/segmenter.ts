import type { Caption } from '../../bots/platforms/platform.ts'
import { cleanParticipantName, createOwnBotNameCheck } from '../../language/person-names.ts'
import { createMonotonicTimeConverter } from '../../lib/time/clock.ts'
import { makePlatformIdStorable } from '../record/platform-ids.ts'
import { createCaptionRowTracker } from './matching/row-tracker.ts'
import { createTurnIndex } from './matching/turn-index.ts'
import { createVersionedCaptionTracker } from './matching/versioned-captions.ts'
import { SEGMENT_RULES, type SegmentRules } from './segment-rules.ts'
import { createOpenTurns } from './turns/open-turns.ts'
import type { SegmenterOutput, CaptionSegment } from './turns/segments.ts'
import { restoreFinalText, type CaptionTurn, type TextMatching } from './turns/turn.ts'

/** Turns changing captions into segments. Every word ends up in exactly one segment, and segments never change. */
export type Segmenter = ReturnType<typeof createSegmenter>

export type AddCaptionOptions = {
  /**
   * The bot is behind with `tick`. Unchanged text does not become final now, because the caption may be from an earlier
   * time.
   */
  isOverdue?: boolean
  /** The text must not be recorded. It is treated as final, but appears in no segment and no partial. */
  isDiscarded?: boolean
}

export type SegmenterOptions = {
  /** The names under which the bot appears in captions. */
  selfNames: readonly string[]
  rules?: Partial<SegmentRules>
  /** Called with the number of characters of every text comparison. Tests use it to bound the cost of the segmenter. */
  countCharacters?: TextMatching['countCharacters']
}

export function createSegmenter(options: SegmenterOptions) {
  const rules = { ...SEGMENT_RULES, ...options.rules }
  const matching = { rules, countCharacters: options.countCharacters ?? (() => undefined) }
  const isSelf = createOwnBotNameCheck(options.selfNames)
  const clock = createMonotonicTimeConverter()
  const turnIndex = createTurnIndex(matching)
  const openTurns = createOpenTurns(matching)
  const rows = createCaptionRowTracker(turnIndex, openTurns, matching)
  const versioned = createVersionedCaptionTracker(turnIndex, openTurns, rows, rules)

  function handleCaption(caption: Caption, at: number, isDiscarded: boolean): void {
    const id = makePlatformIdStorable(caption.captionId)
    const name = cleanParticipantName(caption.speaker)
    if (isSelf(name) && !caption.isOtherParticipant) return dropOwnTurn(turnIndex.find(id))
    const { text, isNewSpeech = false } = caption
    const row = { id, speakerName: name, text, isNewSpeech, ...timesOf(caption, at) }
    const isVersioned = caption.version !== undefined || caption.isFinal === true
    const turn = isVersioned
      ? versioned.findOrStartTurn(caption, row)
      : row.text && rows.findOrStartTurn(row)
    if (turn && !turn.isClosed) {
      turn.isFromSpeech ||= caption.isFromSpeech ?? false
      turn.isIncomplete ||= caption.isIncomplete ?? false
      // The page shows the turn's vanished row again, so the wait for unchanged text starts over.
      if (turn.vanishedAt !== null && !caption.isGone)
        Object.assign(turn, { vanishedAt: null, changedAt: at })
      // What the caption showed before another source took over is recorded.
      if (caption.isDiscarded) openTurns.finalizeTurn(turn)
      const current = rows.updateTurn(turn, row)
      if (isDiscarded || caption.isDiscarded) openTurns.discardPending(current)
      if (caption.isFinal) {
        openTurns.finalizeTurn(current)
        current.isClosed = true
      }
    }
    if (caption.isGone) rows.rowVanished(id, at)
  }

  /** Discards a turn without a speaker name when its captions turn out to be the bot's own. */
  function dropOwnTurn(turn: CaptionTurn | undefined): void {
    if (!turn || turn.speaker !== '') return
    openTurns.drop(turn)
    turn.isClosed = true
  }

  /** No unchanged text becomes final before this monotonic time. */
  let heldUntil = -Infinity
  /** When a hold first delayed unchanged text; null if none is waiting. */
  let heldSince: number | null = null
  /** When the next text becomes final if no caption arrives before; null if no text is pending. */
  let dueAt: number | null = null
  function finalizeDue(at: number): void {
    if (dueAt === null || dueAt > at) return
    openTurns.finalizeDue(at, heldUntil)
    dueAt = openTurns.nextFinalizationAt(heldUntil)
  }
  /** Runs one step on monotonic time, and returns its output with times of the caller's clock. */
  function step(
    sourceAt: number,
    work: (at: number) => void,
    { isOverdue = false } = {},
  ): SegmenterOutput {
    const at = clock.advance(sourceAt)
    if (!isOverdue) finalizeDue(at)
    work(at)
    dueAt = openTurns.nextFinalizationAt(heldUntil)
    if (!isOverdue) finalizeDue(at)
    if (!isOverdue && at >= heldUntil) heldSince = null
    const toSourceTime = (text: CaptionSegment): CaptionSegment => ({
      ...text,
      startedAt: clock.toSourceTime(text.startedAt),
    })
    const { segments, partials } = openTurns.collectOutput()
    return { segments: segments.map(toSourceTime), partials: partials.map(toSourceTime) }
  }

  return {
    /** Takes a caption as the source currently shows it. `at` is when it was received, in milliseconds. */
    addCaption: (
      caption: Caption,
      at: number,
      { isOverdue = false, isDiscarded = false }: AddCaptionOptions = {},
    ): SegmenterOutput =>
      step(at, (now) => handleCaption(caption, now, isDiscarded), { isOverdue }),
    /** Makes text final that has not changed for long enough. */
    tick: (at: number) => step(at, () => undefined),
    /** Makes all pending text final. For when the bot leaves. */
    flush: (at: number) => step(at, openTurns.finalizeAll),
    /** The earliest time at which `tick` can produce output; null when no text is pending. */
    nextTickAt: () => (dueAt === null ? null : clock.toSourceTime(dueAt)),
    /**
     * From `at` on, unchanged text does not become final for `forMs`, because its corrections may be on their way. A
     * later call replaces the time, but text never waits longer than the rules' `maxHoldMs`.
     */
    hold(sourceAt: number, forMs: number) {
      const at = clock.peek(sourceAt)
      if (heldSince === null || dueAt === null) heldSince = at
      heldUntil = Math.min(at + forMs, heldSince + rules.maxHoldMs)
      dueAt = openTurns.nextFinalizationAt(heldUntil)
    },
    /**
     * Loads the last segments (about fifty, oldest first) that an earlier bot stored for the meeting. Captions of them
     * that the page still shows then produce no second segment, even under another `captionId`.
     */
    resume(segments: readonly CaptionSegment[], sourceAt: number) {
      const at = clock.advance(sourceAt)
      for (const { captionId, speaker, text } of segments) {
        const known = turnIndex.find(captionId)
        const turn = known ?? turnIndex.create(captionId, cleanParticipantName(speaker), at)
        restoreFinalText(turn, text, at)
      }
    },
  }
}

function timesOf({ late }: Caption, at: number) {
  return {
    receivedAt: at,
    at: Math.floor(at - (late?.changedMs ?? 0)),
    startedAt: Math.floor(at - (late?.startedMs ?? 0)),
  }
}
