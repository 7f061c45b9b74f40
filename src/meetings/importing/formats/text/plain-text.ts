import { findFrontMatter } from '../../../../projects/front-matter.ts'
import { UNKNOWN_SPEAKER } from '../../../sanitize/person-names.ts'
import { parseClockTime } from '../clock-times.ts'
import {
  createProblemList,
  NOTHING_FOUND,
  type FoundSegment,
  type FoundTranscript,
} from '../found-transcript.ts'
import { readDate, readLabelledHead } from './labels.ts'
import { toPlainTurn } from './markdown-marks.ts'
import { splitBlocks, splitLines, type TextLine } from '../text-lines.ts'
import { looksLikeName } from './speaker-prefix.ts'
import { createTurnReader } from './text-turns.ts'

/** Recordings that begin later are rare; times of day are not. */
const LATEST_FIRST_TIME_MS = 3 * 3_600_000
/** A heading of markdown. */
const HEADING = /^#{1,6} (?=\S)/
const TIME_RANGE = /^(\d\d:\d\d:\d\d)[:;]\d\d - \d\d:\d\d:\d\d[:;]\d\d$/

/**
 * Text without a known form. A line with a time or a name in front starts a segment; the lines below go on with it. If
 * no line has either, each paragraph is a segment.
 */
export function parsePlainText(text: string): FoundTranscript {
  const problems = createProblemList()
  const { head, body } = readHead(text)
  const blocks = splitBlocks(
    joinTimeRanges(body).map(({ line, text: raw }) => ({ line, text: toPlainTurn(raw) })),
  )
  const readTurn = createTurnReader(blocks)
  const segments: FoundSegment[] = []
  let speaker = ''
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
        // A heading was not said by the speaker above it, and a text with a time of its own and no name can be of anybody.
        const isHeading = turn.speaker === null && HEADING.test(turn.text)
        const said = turn.speaker ?? (turn.clock === null ? speaker : '')
        segments.push({
          line: line.line,
          speaker: isHeading ? '' : said,
          text: turn.text.replace(HEADING, ''),
          startMs: timeMs,
          endMs: null,
        })
        if (!isHeading) speaker = said
        timeMs = null
        isOpen = true
      }
    }
  }
  problems.throwIfAny()
  const spoken = segments.filter((segment) => segment.text !== '')
  return { ...NOTHING_FOUND, ...head, ...fromFirstTime(spoken) }
}

function readHead(text: string): ReturnType<typeof readLabelledHead> {
  const front = findFrontMatter(text)
  if (front === null) return readLabelledHead(splitLines(text))
  const lineCount = text.slice(0, front.bodyStart).split('\n').length - 1
  const { head, body } = readLabelledHead(splitLines(text).slice(lineCount))
  const { title, date, speakers, participants = speakers, attendees = participants } = front.fields
  const day = date instanceof Date ? date.toISOString().slice(0, 10) : String(date)
  return {
    head: {
      title: head.title ?? (typeof title === 'string' ? title : null),
      startedAt: head.startedAt ?? readDate(day),
      participants:
        head.participants.length > 0 || !Array.isArray(attendees)
          ? head.participants
          : attendees.filter((name) => typeof name === 'string'),
    },
    body,
  }
}

/** Adobe Premiere writes `00:00:54:00 - 00:01:24:23`, with frames, above the name and the text. */
function joinTimeRanges(lines: readonly TextLine[]): TextLine[] {
  return lines.flatMap((line, i) => {
    const isName = (text = '') => text !== '' && looksLikeName(text)
    if (TIME_RANGE.test(line.text) && isName(lines[i + 1]?.text)) return []
    const [, clock] = TIME_RANGE.exec(lines[i - 1]?.text ?? '') ?? []
    if (clock === undefined || !isName(line.text)) return [line]
    const name = line.text === 'Unknown' ? UNKNOWN_SPEAKER : line.text
    return [{ ...line, text: `${name} (${clock}):` }]
  })
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
