import type { Caption } from '../../platforms/platform.ts'
import { cleanId } from '../ids.ts'
import { createFloor } from './floor.ts'
import { createMemory } from './memory.ts'
import { cleanName, createSelfCheck } from './names.ts'
import { createRows } from './rows.ts'
import { SEGMENT_RULES, type SegmentRules } from './rules.ts'
import type { Said, Segment } from './speech.ts'
import { createSteadyClock } from '../../lib/steady-clock.ts'
import { remind, type Measure, type Turn } from './turn.ts'
import { createWire } from './wire.ts'

/** Captions of any source in, segments out. Says no word twice, loses none, and never changes what is final. */
export interface Segmenter {
  /** A caption as the source shows it now. `at`: milliseconds of the sighting. */
  see(caption: Caption, at: number): Said
  /** Time has passed: makes final what has been quiet long enough. */
  tick(at: number): Said
  /** When the next tick can change anything, or null while there is nothing to wait for. */
  nextTickAt(): number | null
  /** The visit is over: everything that was said becomes final. */
  flush(at: number): Said
  /**
   * For a fresh segmenter of a meeting that has segments already, oldest first: what the page still shows of
   * them is not said again, under its old captionId or another. The last fifty or so are enough.
   */
  resume(segments: readonly Segment[], at: number): void
}

export type { PartialSegment, Said, Segment } from './speech.ts'

export type SegmenterOptions = {
  /** The names under which the bot appears. */
  selfNames: readonly string[]
  rules?: Partial<SegmentRules>
  /** Told how many characters each step looks at. */
  measure?: Measure
}

export function createSegmenter(options: SegmenterOptions): Segmenter {
  const rules = { ...SEGMENT_RULES, ...options.rules }
  const measure = options.measure ?? (() => undefined)
  const isSelf = createSelfCheck(options.selfNames)
  const clock = createSteadyClock()
  const memory = createMemory(rules, measure)
  const floor = createFloor(rules, measure)
  const rows = createRows({ memory, floor, rules, measure })
  const wire = createWire({ memory, floor, rows, channelMs: rules.channelMs })

  function take(caption: Caption, at: number): void {
    const id = cleanId(caption.captionId)
    const name = cleanName(caption.speaker)
    if (isSelf(name)) return forgetOwn(memory.find(id))
    const row = { id, name, text: caption.text, at }
    const isWire = caption.version !== undefined || caption.isFinal === true
    const turn = isWire ? wire.find(caption, row) : row.text && rows.find(row)
    if (turn && !turn.isClosed) {
      if (turn.goneAt !== null && !caption.isGone) comeBack(turn, at)
      const current = rows.follow(turn, row)
      if (caption.isFinal) close(current)
    }
    if (caption.isGone) rows.leave(id, at)
  }

  /** A row that was drawn again has its quiet time before it. */
  function comeBack(turn: Turn, at: number): void {
    turn.goneAt = null
    turn.changedAt = at
  }

  function close(turn: Turn): void {
    floor.finish(turn)
    turn.isClosed = true
  }

  /** A row whose speaker was not known turned out to be the bot's. */
  function forgetOwn(turn: Turn | undefined): void {
    if (!turn || turn.speaker !== '') return
    floor.drop(turn)
    turn.isClosed = true
  }

  function step(outerAt: number, work: (at: number) => void): Said {
    const at = clock.read(outerAt)
    floor.settle(at)
    work(at)
    floor.settle(at)
    const outer = (text: Segment): Segment => ({ ...text, startedAt: clock.outer(text.startedAt) })
    const { segments, partials } = floor.collect()
    return { segments: segments.map(outer), partials: partials.map(outer) }
  }

  return {
    see: (caption, at) => step(at, (now) => take(caption, now)),
    tick: (at) => step(at, () => undefined),
    flush: (at) => step(at, floor.finishAll),
    nextTickAt() {
      const dueAt = floor.nextDueAt()
      return dueAt === null ? null : clock.outer(dueAt)
    },
    resume(segments, outerAt) {
      const at = clock.read(outerAt)
      for (const { captionId, speaker, text } of segments) {
        remind(memory.find(captionId) ?? memory.create(captionId, cleanName(speaker), at), text, at)
      }
    },
  }
}
