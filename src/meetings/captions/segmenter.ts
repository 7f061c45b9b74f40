import type { Caption } from '../../bots/platforms/platform.ts'
import { createMonotonicTimeConverter } from '../../lib/time/clock.ts'
import { cleanParticipantName, createOwnBotNameCheck } from '../../language/person-names.ts'
import { makePlatformIdStorable } from '../record/platform-ids.ts'
import { createCaptionRowTracker, type CaptionRow } from './matching/row-tracker.ts'
import { createTurnIndex } from './matching/turn-index.ts'
import { createVersionedCaptionTracker } from './matching/versioned-captions.ts'
import { SEGMENT_RULES, type SegmentRules } from './segment-rules.ts'
import { createOpenTurns } from './turns/open-turns.ts'
import type { SegmenterOutput, CaptionSegment } from './turns/segments.ts'
import { restoreFinalText, type CountComparedCharacters, type CaptionTurn } from './turns/turn.ts'

/** Turns changing captions into segments. Every word ends up in exactly one segment, and segments never change. */
export interface Segmenter {
  /** Takes a caption as the source currently shows it. `at` is when it was received, in milliseconds. */
  addCaption(caption: Caption, at: number, options?: AddCaptionOptions): SegmenterOutput
  /** Makes text final that has not changed for long enough. */
  tick(at: number): SegmenterOutput
  /** The earliest time at which `tick` can produce output; null when no text is pending. */
  nextTickAt(): number | null
  /**
   * From `at` on, unchanged text does not become final for `forMs`, because its corrections may be on their way. A
   * later call replaces the time, but text never waits longer than the rules' `maxHoldMs`.
   */
  hold(at: number, forMs: number): void
  /** Makes all pending text final. For when the bot leaves. */
  flush(at: number): SegmenterOutput
  /**
   * Loads the last segments (about fifty, oldest first) that an earlier bot stored for the meeting. Captions of them
   * that the page still shows then produce no second segment, even under another `captionId`.
   */
  resume(segments: readonly CaptionSegment[], at: number): void
}

export type AddCaptionOptions = {
  /**
   * The bot is behind with `tick`. Unchanged text does not become final now, because the caption may be from an earlier
   * time.
   */
  isOverdue?: boolean
  /** The text must not be recorded. It is treated as final, but appears in no segment and no partial. */
  isDiscarded?: boolean
}

export type { PartialSegment, SegmenterOutput, CaptionSegment } from './turns/segments.ts'

export type SegmenterOptions = {
  /** The names under which the bot appears in captions. */
  selfNames: readonly string[]
  rules?: Partial<SegmentRules>
  /** Called with the number of characters of every text comparison. Tests use it to bound the cost of the segmenter. */
  countCharacters?: CountComparedCharacters
}

export function createSegmenter(options: SegmenterOptions): Segmenter {
  const rules = { ...SEGMENT_RULES, ...options.rules }
  const countCharacters = options.countCharacters ?? (() => undefined)
  const isSelf = createOwnBotNameCheck(options.selfNames)
  const clock = createMonotonicTimeConverter()
  const turnIndex = createTurnIndex(rules, countCharacters)
  const openTurns = createOpenTurns(rules, countCharacters)
  const rows = createCaptionRowTracker({ turnIndex, openTurns, rules, countCharacters })
  const versioned = createVersionedCaptionTracker({
    turnIndex,
    openTurns,
    rows,
    channelMs: rules.duplicateChannelMs,
  })

  function handleCaption(caption: Caption, at: number, isDiscarded: boolean): void {
    const id = makePlatformIdStorable(caption.captionId)
    const name = cleanParticipantName(caption.speaker)
    if (isSelf(name) && !caption.isOtherParticipant) return dropOwnTurn(turnIndex.find(id))
    const row = { id, speakerName: name, text: caption.text, ...timesOf(caption, at) }
    const isVersioned = caption.version !== undefined || caption.isFinal === true
    const turn = isVersioned
      ? versioned.findOrStartTurn(caption, row)
      : row.text && rows.findOrStartTurn(row)
    if (turn && !turn.isClosed) {
      turn.isFromSpeech ||= caption.isFromSpeech ?? false
      turn.isIncomplete ||= caption.isIncomplete ?? false
      if (turn.vanishedAt !== null && !caption.isGone) reappear(turn, at)
      // What the caption showed before another source took over is recorded.
      if (caption.isDiscarded) openTurns.finalizeTurn(turn)
      const current = rows.updateTurn(turn, row)
      if (isDiscarded || caption.isDiscarded) openTurns.discardPending(current)
      if (caption.isFinal) close(current)
    }
    if (caption.isGone) rows.rowVanished(id, at)
  }

  /** The page shows the turn's vanished row again, so the wait for unchanged text starts over. */
  function reappear(turn: CaptionTurn, at: number): void {
    turn.vanishedAt = null
    turn.changedAt = at
  }

  function close(turn: CaptionTurn): void {
    openTurns.finalizeTurn(turn)
    turn.isClosed = true
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
    addCaption: (caption, at, { isOverdue = false, isDiscarded = false } = {}) =>
      step(at, (now) => handleCaption(caption, now, isDiscarded), { isOverdue }),
    tick: (at) => step(at, () => undefined),
    flush: (at) => step(at, openTurns.finalizeAll),
    nextTickAt: () => (dueAt === null ? null : clock.toSourceTime(dueAt)),
    hold(sourceAt, forMs) {
      const at = clock.peek(sourceAt)
      if (heldSince === null || dueAt === null) heldSince = at
      heldUntil = Math.min(at + forMs, heldSince + rules.maxHoldMs)
      dueAt = openTurns.nextFinalizationAt(heldUntil)
    },
    resume(segments, sourceAt) {
      const at = clock.advance(sourceAt)
      for (const { captionId, speaker, text } of segments) {
        restoreFinalText(
          turnIndex.find(captionId) ??
            turnIndex.create(captionId, cleanParticipantName(speaker), at),
          text,
          at,
        )
      }
    },
  }
}

function timesOf(
  { late, isNewSpeech = false }: Caption,
  at: number,
): Pick<CaptionRow, 'at' | 'startedAt' | 'receivedAt' | 'isNewSpeech'> {
  const times = {
    receivedAt: at,
    at: Math.floor(at - (late?.changedMs ?? 0)),
    startedAt: Math.floor(at - (late?.startedMs ?? 0)),
  }
  return { ...times, isNewSpeech }
}
