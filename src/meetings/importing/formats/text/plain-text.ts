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
  readDate,
  readLabelledHead,
  looksLikeName,
  splitSpeakerPrefix,
  findSpeakers,
  type PossibleTurn,
  toPlainTurn,
} from './line-starts.ts'

/** Few recordings begin later than this, so later times are times of day. */
const LATEST_FIRST_TIME_MS = 3 * 3_600_000
/** A heading of markdown. */
const HEADING = /^#{1,6} (?=\S)/
const TIME_RANGE = /^(\d\d:\d\d:\d\d)[:;]\d\d - \d\d:\d\d:\d\d[:;]\d\d$/

const CLOCK = String.raw`(?:\d{1,3}:)?\d{1,3}:\d{2}(?:[.,]\d{1,3})?`
/** `[00:01:23] text`, `(01:23) text`, `00:01:23 - text` or `00:01:23 text`. */
const TIME_FIRST = new RegExp(
  `^(?:\\[(${CLOCK})\\]|\\((${CLOCK})\\)|(${CLOCK})(?=\\s|$))\\s*[-–—:]?\\s*(.*)$`,
  'su',
)
/** `Ada (00:01:23): text` or `Ada [01:23]: text`. */
const TIME_AFTER_NAME = new RegExp(`^(\\S[^:]{0,198}?)\\s*[[(](${CLOCK})[\\])]\\s*:\\s*(.*)$`, 'su')
/** `Ada: 0:15` on the line above the text. */
const TIME_ABOVE_TEXT = new RegExp(`^(\\S[^:]{0,198}):\\s+(${CLOCK})$`, 'su')

type TimeForm = 'after name' | 'above text' | 'in brackets' | 'bare' | 'alone'
type TimedLine = { form: TimeForm; clock: string; name: string | null; rest: string }

/** A line, and what is written in front of its text. */
type TextTurn = { clock: string | null; speaker: string | null; text: string }
type TurnReader = (line: string, isFirstOfBlock: boolean) => TextTurn

/** This many rising times in brackets or after names are not a coincidence, however long the texts between them are. */
const MIN_RISING_TIMES = 3

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
  const segments: FoundSegment[] = []
  let speaker = ''
  /** A time that is alone on its line. */
  let timeMs: number | null = null
  for (const block of blocks) {
    // A name that is alone in a paragraph belongs to the next paragraph.
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
        // The speaker above did not say a heading, and anyone may have said a text with its own time and no name.
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

/** Finds out how the lines of this text give times and speakers. */
function createTurnReader(blocks: ReadonlyArray<readonly TextLine[]>): TurnReader {
  const forms = findTimeForms(blocks)
  const readTime = (line: string): TimedLine | null => {
    const timed = readTimedLine(line)
    return timed !== null && forms.has(timed.form) ? timed : null
  }
  const isSpeaker = createSpeakerCheck(blocks, readTime)
  return (raw, isFirstOfBlock) => {
    const line = joinSpaces(raw)
    const timed = readTime(line)
    const clock = timed?.clock ?? null
    if (timed !== null && timed.name !== null) {
      return isSpeaker(timed.name, true)
        ? { clock, speaker: timed.name, text: timed.rest }
        : { clock: null, speaker: null, text: line }
    }
    const text = timed?.rest ?? line
    const prefix = splitSpeakerPrefix(text)
    const isStart = timed !== null || isFirstOfBlock
    return prefix !== null && isSpeaker(prefix.speaker, isStart)
      ? { clock, ...prefix }
      : { clock, speaker: null, text }
  }
}

/** Long runs of spaces would take long to compare. */
function joinSpaces(text: string): string {
  return text.replaceAll(/\s+/gu, ' ').trim()
}

function readTimedLine(line: string): TimedLine | null {
  const [, name, after, said = ''] = TIME_AFTER_NAME.exec(line) ?? []
  if (name !== undefined && after !== undefined && looksLikeName(name)) {
    return { form: 'after name', clock: after, name, rest: said }
  }
  const [, speaker, above] = TIME_ABOVE_TEXT.exec(line) ?? []
  if (speaker !== undefined && above !== undefined && looksLikeName(speaker)) {
    return { form: 'above text', clock: above, name: speaker, rest: '' }
  }
  const [, inBrackets, inParentheses, bare, rest = ''] = TIME_FIRST.exec(line) ?? []
  const clock = inBrackets ?? inParentheses ?? bare
  if (clock === undefined) return null
  if (rest === '') return { form: 'alone', clock, name: null, rest }
  return { form: bare === undefined ? 'in brackets' : 'bare', clock, name: null, rest }
}

/**
 * A sentence can begin with a time of day. So times are used only if many lines or paragraphs begin with one in the
 * same form; without brackets they must also never go back.
 */
function findTimeForms(blocks: ReadonlyArray<readonly TextLine[]>): Set<TimeForm> {
  const found = new Map<TimeForm, { clocks: string[]; blockStarts: number }>()
  let lineCount = 0
  for (const block of blocks) {
    lineCount += block.length
    for (const [at, { text }] of block.entries()) {
      const timed = readTimedLine(joinSpaces(text))
      if (timed === null) continue
      const form = found.get(timed.form) ?? { clocks: [], blockStarts: 0 }
      form.clocks.push(timed.clock)
      if (at === 0) form.blockStarts += 1
      found.set(timed.form, form)
    }
  }
  const accepted = [...found].filter(([form, { clocks, blockStarts }]) => {
    const isFrequent = blockStarts * 2 >= blocks.length || clocks.length * 4 >= lineCount
    const isRising = areRising(clocks)
    const isNoAccident = isRising && clocks.length >= MIN_RISING_TIMES
    if (form === 'in brackets' || form === 'after name') return isFrequent || isNoAccident
    return isRising && (isFrequent || (form === 'above text' && isNoAccident))
  })
  return new Set(accepted.map(([form]) => form))
}

function areRising(clocks: readonly string[]): boolean {
  const times = clocks.map(parseClockTime)
  let latestMs = 0
  return times.every((time) => {
    // A text that is not a time is reported later, with its line.
    if ('problem' in time) return true
    const isLater = time.ms >= latestMs
    latestMs = time.ms
    return isLater
  })
}

/** Because sentences can contain a colon, a prefix is a speaker only if it behaves like one in the whole text. */
function createSpeakerCheck(
  blocks: ReadonlyArray<readonly TextLine[]>,
  readTime: (line: string) => TimedLine | null,
): (name: string, isStart: boolean) => boolean {
  const turns: PossibleTurn[] = []
  let [lineCount, startCount, namedStarts] = [0, 0, 0]
  for (const [block, lines] of blocks.entries()) {
    for (const [at, { text }] of lines.entries()) {
      const line = joinSpaces(text)
      const timed = readTime(line)
      if (timed?.form === 'alone') continue
      const rest = timed?.rest ?? line
      const turn =
        timed !== null && timed.name !== null
          ? { speaker: timed.name, text: rest }
          : splitSpeakerPrefix(rest)
      const isStart = at === 0 || timed !== null
      lineCount += 1
      if (isStart) startCount += 1
      if (turn === null || !looksLikeName(turn.speaker)) continue
      turns.push({ ...turn, block })
      if (isStart) namedStarts += 1
    }
  }
  const areMostLinesNamed = turns.length * 2 >= lineCount
  const areMostStartsNamed = namedStarts * 2 > startCount
  const speakers = findSpeakers(turns, areMostLinesNamed || areMostStartsNamed)
  const repeated = areMostLinesNamed ? speakers : findSpeakers(turns, false)
  return (name, isStart) => (isStart ? speakers : repeated).has(name)
}
