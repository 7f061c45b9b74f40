import { findFrontMatter } from '../../../../projects/front-matter.ts'
import { UNKNOWN_SPEAKER } from '../../../../language/person-names.ts'
import {
  createProblemList,
  NOTHING_FOUND,
  type FoundSegment,
  type FoundTranscript,
} from '../found-transcript.ts'
import { parseClockTime, splitBlocks, splitLines, type TextLine } from '../text-lines.ts'
import {
  isBareLabel,
  looksLikeName,
  readDate,
  readLabelledHead,
  toPlainTurn,
} from './line-starts.ts'
import { createTurnReader, type TextTurn } from './turn-reader.ts'

/** Few recordings begin later than this, so later times are times of day. */
const LATEST_FIRST_TIME_MS = 3 * 3_600_000
/** A heading of markdown. */
const HEADING = /^#{1,6} (?=\S)/
const TIME_RANGE = /^(\d\d:\d\d:\d\d)[:;]\d\d - \d\d:\d\d:\d\d[:;]\d\d$/

/**
 * Reads text in no known form. A line that begins with a time or a name starts a segment, and the lines below continue
 * it. If there is no such line, each paragraph is a segment.
 */
export function parsePlainText(text: string): FoundTranscript {
  const problems = createProblemList()
  const { head, body } = readHead(text)
  const blocks = splitBlocks(
    joinTimeRanges(body).map(({ line, text: raw }) => ({ line, text: toPlainTurn(raw) })),
  )
  const readTurn = createTurnReader(blocks)
  const turns = blocks.map((block) =>
    block.map(({ line, text: raw }, at) => ({ line, ...readTurn(raw, at === 0) })),
  )
  const isNamedAtChanges = areNamesAtChanges(turns.flat())
  const segments: FoundSegment[] = []
  let speaker = ''
  /** A time that is alone on its line. */
  let timeMs: number | null = null
  for (const block of turns) {
    // A name that is alone in a paragraph belongs to the next paragraph.
    let isOpen = segments.at(-1)?.text === ''
    for (const turn of block) {
      const time = turn.clock === null ? { ms: null } : parseClockTime(turn.clock)
      if ('problem' in time) {
        problems.add(turn.line, time.problem)
        continue
      }
      const last = segments.at(-1)
      timeMs = time.ms ?? timeMs
      if (turn.clock !== null && turn.speaker === null && turn.text === '') isOpen = false
      else if (turn.speaker === null && turn.clock === null && isOpen && last !== undefined)
        last.text = last.text === '' ? turn.text : `${last.text} ${turn.text}`
      else {
        // The speaker above did not say a heading.
        const isHeading = turn.speaker === null && isHeadingLine(turn.text)
        const said = turn.speaker ?? (turn.clock === null || isNamedAtChanges ? speaker : '')
        segments.push({
          line: turn.line,
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
  return { ...NOTHING_FOUND, ...head, ...fromFirstTime(keepNamesWithoutText(segments)) }
}

/** Leaves out turns without a text. A name that is never followed by one, such as “Outro”, is a text. */
function keepNamesWithoutText(segments: readonly FoundSegment[]): FoundSegment[] {
  const speakers = new Set(segments.flatMap(({ speaker, text }) => (text === '' ? [] : [speaker])))
  return segments.flatMap((segment) => {
    if (segment.text !== '') return [segment]
    return speakers.has(segment.speaker) ? [] : [{ ...segment, speaker: '', text: segment.speaker }]
  })
}

/**
 * True if a text names a speaker only when another one begins: a name can be without a time, or most times are without a
 * name. Otherwise anyone may have said a text with its own time and no name.
 */
function areNamesAtChanges(turns: readonly TextTurn[]): boolean {
  const named = turns.filter(({ speaker }) => speaker !== null)
  const timed = turns.filter(({ clock }) => clock !== null)
  const timedNames = named.filter(({ clock }) => clock !== null).length
  return timedNames < named.length || timedNames * 2 < timed.length
}

function isHeadingLine(text: string): boolean {
  return HEADING.test(text) || isBareLabel(text)
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

/** Converts times of day to times since the first of them. */
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
