import type { Caption } from '../../bots/platforms/platform.ts'
import { cleanId } from '../sanitize/platform-ids.ts'
import { createOpenTurns } from './open-turns.ts'
import { createTurnIndex } from './turn-index.ts'
import { cleanName, createSelfCheck } from '../sanitize/person-names.ts'
import { createRowTracker } from './row-tracker.ts'
import { SEGMENT_RULES, type SegmentRules } from './segment-rules.ts'
import type { SegmenterOutput, Segment } from './segments.ts'
import { createMonotonicClock } from '../../lib/time/monotonic-clock.ts'
import { restoreFinalText, type CountCharacters, type CaptionTurn } from './turn.ts'
import { createVersionedCaptions } from './versioned-captions.ts'

/** Captions of any source in, segments out. Says no word twice, loses none, and never changes what is final. */
export interface Segmenter {
  /** A caption as the source shows it now. `at`: milliseconds of the sighting. */
  addCaption(caption: Caption, at: number): SegmenterOutput
  /** Time has passed: makes final what has been quiet long enough. */
  tick(at: number): SegmenterOutput
  /** When the next tick can change anything, or null while there is nothing to wait for. */
  nextTickAt(): number | null
  /** The visit is over: everything that was said becomes final. */
  flush(at: number): SegmenterOutput
  /**
   * For a fresh segmenter of a meeting that has segments already, oldest first: what the page still shows of
   * them is not said again, under its old captionId or another. The last fifty or so are enough.
   */
  resume(segments: readonly Segment[], at: number): void
}

export type { PartialSegment, SegmenterOutput, Segment } from './segments.ts'

export type SegmenterOptions = {
  /** The names under which the bot appears. */
  selfNames: readonly string[]
  rules?: Partial<SegmentRules>
  /** Told how many characters each step looks at. */
  countCharacters?: CountCharacters
}

export function createSegmenter(options: SegmenterOptions): Segmenter {
  const rules = { ...SEGMENT_RULES, ...options.rules }
  const measure = options.countCharacters ?? (() => undefined)
  const isSelf = createSelfCheck(options.selfNames)
  const clock = createMonotonicClock()
  const memory = createTurnIndex(rules, measure)
  const floor = createOpenTurns(rules, measure)
  const rows = createRowTracker({ memory, floor, rules, measure })
  const wire = createVersionedCaptions({ memory, floor, rows, channelMs: rules.duplicateChannelMs })

  function take(caption: Caption, at: number): void {
    const id = cleanId(caption.captionId)
    const name = cleanName(caption.speaker)
    if (isSelf(name)) return forgetOwn(memory.find(id))
    const row = { id, name, text: caption.text, at }
    const isWire = caption.version !== undefined || caption.isFinal === true
    const turn = isWire ? wire.findTurn(caption, row) : row.text && rows.findTurn(row)
    if (turn && !turn.isClosed) {
      if (turn.vanishedAt !== null && !caption.isGone) comeBack(turn, at)
      const current = rows.updateTurn(turn, row)
      if (caption.isFinal) close(current)
    }
    if (caption.isGone) rows.rowVanished(id, at)
  }

  /** A row that was drawn again has its quiet time before it. */
  function comeBack(turn: CaptionTurn, at: number): void {
    turn.vanishedAt = null
    turn.changedAt = at
  }

  function close(turn: CaptionTurn): void {
    floor.finalizeTurn(turn)
    turn.isClosed = true
  }

  /** A row whose speaker was not known turned out to be the bot's. */
  function forgetOwn(turn: CaptionTurn | undefined): void {
    if (!turn || turn.speaker !== '') return
    floor.drop(turn)
    turn.isClosed = true
  }

  function step(outerAt: number, work: (at: number) => void): SegmenterOutput {
    const at = clock.advance(outerAt)
    floor.finalizeDue(at)
    work(at)
    floor.finalizeDue(at)
    const outer = (text: Segment): Segment => ({
      ...text,
      startedAt: clock.toSourceTime(text.startedAt),
    })
    const { segments, partials } = floor.collectOutput()
    return { segments: segments.map(outer), partials: partials.map(outer) }
  }

  return {
    addCaption: (caption, at) => step(at, (now) => take(caption, now)),
    tick: (at) => step(at, () => undefined),
    flush: (at) => step(at, floor.finalizeAll),
    nextTickAt() {
      const dueAt = floor.nextFinalizationAt()
      return dueAt === null ? null : clock.toSourceTime(dueAt)
    },
    resume(segments, outerAt) {
      const at = clock.advance(outerAt)
      for (const { captionId, speaker, text } of segments) {
        restoreFinalText(
          memory.find(captionId) ?? memory.create(captionId, cleanName(speaker), at),
          text,
          at,
        )
      }
    },
  }
}
