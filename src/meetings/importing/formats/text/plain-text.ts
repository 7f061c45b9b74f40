import { parseClockTime } from '../clock-times.ts'
import {
  createProblemList,
  NOTHING_FOUND,
  type FoundSegment,
  type FoundTranscript,
} from '../found-transcript.ts'
import { readLabelledHead } from './labels.ts'
import { toPlainTurn } from './markdown-marks.ts'
import { splitBlocks, splitLines } from '../text-lines.ts'
import { createTurnReader } from './text-turns.ts'

/** Recordings that begin later are rare; times of day are not. */
const LATEST_FIRST_TIME_MS = 3 * 3_600_000

/**
 * Text without a known form. A line with a time or a name in front starts a segment; the lines below go on with it. If
 * no line has either, each paragraph is a segment.
 */
export function parsePlainText(text: string): FoundTranscript {
  const problems = createProblemList()
  const { head, body } = readLabelledHead(splitLines(text))
  const blocks = splitBlocks(body.map(({ line, text: raw }) => ({ line, text: toPlainTurn(raw) })))
  const readTurn = createTurnReader(blocks)
  const segments: FoundSegment[] = []
  /** A time that stood alone on a line. */
  let timeMs: number | null = null
  for (const block of blocks) {
    // A name alone in a paragraph belongs to the next paragraph.
    let isOpen = segments.at(-1)?.text === ''
    for (const [at, line] of block.entries()) {
      const turn = readTurn(line.text, at === 0)
      const time = turn.clock === null ? { ms: null } : parseClockTime(turn.clock)
      if ('problem' in time) {
        problems.add(line.line, time.problem)
        continue
      }
      const last = segments.at(-1)
      timeMs = time.ms ?? timeMs
      if (turn.clock !== null && turn.speaker === null && turn.text === '') isOpen = false
      else if (turn.speaker === null && turn.clock === null && isOpen && last !== undefined)
        last.text = last.text === '' ? turn.text : `${last.text} ${turn.text}`
      else {
        // A text with a time of its own and no name can be of anybody.
        const speaker = turn.speaker ?? (turn.clock === null ? (last?.speaker ?? '') : '')
        segments.push({ line: line.line, speaker, text: turn.text, startMs: timeMs, endMs: null })
        timeMs = null
        isOpen = true
      }
    }
  }
  problems.throwIfAny()
  const spoken = segments.filter((segment) => segment.text !== '')
  return { ...NOTHING_FOUND, ...head, ...fromFirstTime(spoken) }
}

/** Times of day become times since the first of them. */
function fromFirstTime(
  segments: readonly FoundSegment[],
): Pick<FoundTranscript, 'segments' | 'notes'> {
  const firstMs = segments.reduce(
    (least, { startMs }) => Math.min(least, startMs ?? Infinity),
    Infinity,
  )
  if (firstMs === Infinity || firstMs < LATEST_FIRST_TIME_MS) {
    return { segments: [...segments], notes: [] }
  }
  return {
    segments: segments.map((segment) => ({
      ...segment,
      startMs: segment.startMs === null ? null : segment.startMs - firstMs,
    })),
    notes: ['The times were read as times of day, because the first is hours after midnight'],
  }
}
