import {
  createProblemList,
  NOTHING_FOUND,
  type FoundSegment,
  type FoundTranscript,
} from '../found-transcript.ts'
import {
  parseClockTime,
  joinTexts,
  splitBlocks,
  splitLines,
  type TextLine,
  type TextBlocks,
} from '../text-lines.ts'
import { looksLikeName, areHeadings, removeHeadingMarks } from './line-starts.ts'

const CLOCK = String.raw`(?:\d{1,3}:)?\d{1,3}:\d{2}`

/** A turn of Otter: `Ada Lovelace  0:15`, with two spaces or a tab. If the speaker has no name, only the time. */
const OTTER_HEADER = new RegExp(`^(?:(\\S.{0,198}?)(?: {2,}|\\t+))?(${CLOCK})$`, 'u')
const OTTER_LAST_LINE = /^Transcribed by https:\/\/otter\.ai/i

/** A turn of Fireflies: `Ada Lovelace - 00:15`, `Ada Lovelace (00:15)`, or the name and the time on two lines. */
const FIREFLIES_HEADER = new RegExp(
  `^(\\S.{0,198}?)\\s*(?:[-–—|,]\\s*(${CLOCK})|\\((${CLOCK})\\)|\\[(${CLOCK})\\]):?$`,
  'u',
)
const ONLY_CLOCK = new RegExp(`^\\[?(${CLOCK})\\]?$`, 'u')

/** A longer line is not a header, and would take long to compare. */
const MAX_HEADER_CHARS = 250
const MAX_TITLE_CHARS = 200
/** The start is enough to recognize a format, and the rest of a long file takes time. */
const MAX_RECOGNISED_CHARS = 20_000

type TurnHeader = { speaker: string; clock: string; lineCount: number }
/** Reads the header that begins at an index of a block. */
type HeaderReader = (block: readonly TextLine[], at: number) => TurnHeader | null

export function isOtterText(text: string): boolean {
  const lines = splitStart(text)
  return (
    lines.some((line) => OTTER_LAST_LINE.test(line.text.trim())) ||
    hasHeaders(lines, readNamedOtterHeader)
  )
}

/** Chapters of a video have the same form, but none of them is repeated. */
export function isFirefliesText(text: string): boolean {
  const lines = splitStart(text)
  const names = listHeaders(splitBlocks(lines), readFirefliesHeader).map(({ speaker }) => speaker)
  return !areHeadings(names) && hasHeaders(lines, readFirefliesHeader)
}

export function parseOtterText(text: string): FoundTranscript {
  const lines = splitLines(text).filter((line) => !OTTER_LAST_LINE.test(line.text.trim()))
  return readTurns(splitBlocks(lines), readOtterHeader)
}

export function parseFirefliesText(text: string): FoundTranscript {
  return readTurns(splitBlocks(splitLines(text)), readFirefliesHeader)
}

function splitStart(text: string): TextLine[] {
  const lines = text.slice(0, MAX_RECOGNISED_CHARS).split('\n')
  return lines.map((line, i) => ({ line: i + 1, text: line.trimEnd() }))
}

const readOtterHeader: HeaderReader = (block, at) => {
  const line = plainHeader(block[at])
  if (line.length > MAX_HEADER_CHARS) return null
  const [, speaker = '', clock] = OTTER_HEADER.exec(line) ?? []
  if (clock === undefined || (speaker !== '' && !isHeaderName(speaker))) return null
  return { speaker, clock, lineCount: 1 }
}

/** Requires a name, because other formats have lines with only a time too. */
const readNamedOtterHeader: HeaderReader = (block, at) => {
  const header = readOtterHeader(block, at)
  return header === null || header.speaker === '' ? null : header
}

const readFirefliesHeader: HeaderReader = (block, at) => {
  const line = plainHeader(block[at])
  if (line.length > MAX_HEADER_CHARS) return null
  const [, name, afterDash, inParentheses, inBrackets] = FIREFLIES_HEADER.exec(line) ?? []
  const clock = afterDash ?? inParentheses ?? inBrackets
  if (name !== undefined && clock !== undefined && isHeaderName(name)) {
    return { speaker: name, clock, lineCount: 1 }
  }
  // Elsewhere, such a line can be a text that is followed by the next text's time.
  const [, below] = at === 0 ? (ONLY_CLOCK.exec(plainHeader(block[1])) ?? []) : []
  if (below === undefined || block.length < 3 || !isHeaderName(line)) return null
  return { speaker: line, clock: below, lineCount: 2 }
}

/** In a markdown file, a header can be a heading or bold. */
function plainHeader(line: TextLine | undefined): string {
  return removeHeadingMarks(line?.text ?? '')
}

/** A line with a colon between a name and a text is more than a header. */
function isHeaderName(name: string): boolean {
  return looksLikeName(name) && !/:(?:\s|$)/u.test(name)
}

/**
 * True if headers divide the file. Single lines of other texts end with a time too. In a file without empty lines,
 * headers are between the texts; otherwise they begin paragraphs, except for paragraphs that continue a turn.
 */
function hasHeaders(lines: readonly TextLine[], read: HeaderReader): boolean {
  const blocks = splitBlocks(lines)
  const count = listHeaders(blocks, read).length
  if (count === 0) return false
  // A single header can be any heading, unless there is nothing else in the file.
  const isFirstLine = isHeaderPlace(blocks, read)(blocks[0] ?? [], 0)
  if (count === 1 && (blocks.length > 1 || !isFirstLine)) return false
  const lineCount = blocks.reduce((sum, block) => sum + block.length, 0)
  return isDividedByBlocks(blocks, read) ? count * 3 >= blocks.length : count * 4 >= lineCount
}

function listHeaders(blocks: TextBlocks, read: HeaderReader): TurnHeader[] {
  const isHeader = isHeaderPlace(blocks, read)
  return blocks.flatMap((block) =>
    block.flatMap((_, at) => (isHeader(block, at) ? (read(block, at) ?? []) : [])),
  )
}

function isDividedByBlocks(blocks: TextBlocks, read: HeaderReader) {
  return blocks.filter((block) => read(block, 0) !== null).length >= 2
}

/** Recognizing and reading a file must agree on where headers can be. */
function isHeaderPlace(
  blocks: TextBlocks,
  read: HeaderReader,
): (block: readonly TextLine[], at: number) => boolean {
  const isDivided = isDividedByBlocks(blocks, read)
  return (block, at) => (at === 0 || !isDivided) && read(block, at) !== null
}

/** Each paragraph under a header is a segment. A short paragraph above the first header is the title. */
function readTurns(blocks: TextBlocks, read: HeaderReader): FoundTranscript {
  const problems = createProblemList()
  const isHeader = isHeaderPlace(blocks, read)
  const segments: FoundSegment[] = []
  let title: string | null = null
  let turn: { speaker: string; startMs: number | null } = { speaker: '', startMs: null }
  let isBeforeHeaders = true
  const addParagraph = (paragraph: readonly TextLine[]) => {
    const [first] = paragraph
    if (first === undefined) return
    const text = joinTexts(paragraph)
    const isTitle = isBeforeHeaders && title === null && segments.length === 0
    if (isTitle && text.length <= MAX_TITLE_CHARS) title = text
    else segments.push({ line: first.line, ...turn, text, endMs: null })
    turn = { ...turn, startMs: null }
  }
  for (const block of blocks) {
    let paragraph: TextLine[] = []
    for (let at = 0; at < block.length; at += 1) {
      const line = block[at]
      const header = isHeader(block, at) ? read(block, at) : null
      if (line === undefined) continue
      if (header === null) {
        paragraph.push(line)
        continue
      }
      addParagraph(paragraph)
      paragraph = []
      isBeforeHeaders = false
      at += header.lineCount - 1
      const time = parseClockTime(header.clock)
      if ('problem' in time) problems.add(line.line, time.problem)
      else turn = { speaker: header.speaker, startMs: time.ms }
    }
    addParagraph(paragraph)
  }
  problems.throwIfAny()
  return { ...NOTHING_FOUND, title, segments }
}
