import { parseClockTime } from './clock-times.ts'
import {
  createProblemList,
  NOTHING_FOUND,
  type FoundSegment,
  type FoundTranscript,
} from './found-transcript.ts'
import { looksLikeName } from './speaker-prefix.ts'
import { joinTexts, splitBlocks, splitLines, type TextLine } from './text-lines.ts'

const CLOCK = String.raw`(?:\d{1,3}:)?\d{1,3}:\d{2}`

/** A turn of Otter: `Ada Lovelace  0:15`, with two spaces or a tab, or only the time if the speaker has no name. */
const OTTER_HEADER = new RegExp(`^(?:(\\S.{0,198}?)(?: {2,}|\\t+))?(${CLOCK})$`, 'u')
const OTTER_LAST_LINE = /^Transcribed by https:\/\/otter\.ai/i

/** A turn of Fireflies: `Ada Lovelace - 00:15`, `Ada Lovelace (00:15)` or the name and the time on two lines. */
const FIREFLIES_HEADER = new RegExp(
  `^(\\S.{0,198}?)\\s*(?:[-–—|,]\\s*(${CLOCK})|\\((${CLOCK})\\)|\\[(${CLOCK})\\]):?$`,
  'u',
)
const ONLY_CLOCK = new RegExp(`^\\[?(${CLOCK})\\]?$`, 'u')

/** A longer line is not a header, and would take long to compare. */
const MAX_HEADER_CHARS = 250

type TurnHeader = { speaker: string; clock: string; lineCount: number }
type HeaderReader = (line: string, next: string | undefined) => TurnHeader | null

export function isOtterText(text: string): boolean {
  const lines = text
    .slice(0, 20_000)
    .split(/\r?\n/)
    .map((line) => line.trimEnd())
  return (
    lines.some((line) => OTTER_LAST_LINE.test(line)) ||
    hasSeveralHeaders(lines, readNamedOtterHeader)
  )
}

export function isFirefliesText(text: string): boolean {
  const lines = text
    .slice(0, 20_000)
    .split(/\r?\n/)
    .map((line) => line.trimEnd())
  return hasSeveralHeaders(lines, readFirefliesHeader)
}

export function parseOtterText(text: string): FoundTranscript {
  const lines = splitLines(text).filter((line) => !OTTER_LAST_LINE.test(line.text.trim()))
  return readTurns(lines, readOtterHeader)
}

export function parseFirefliesText(text: string): FoundTranscript {
  return readTurns(splitLines(text), readFirefliesHeader)
}

function readOtterHeader(line: string): TurnHeader | null {
  if (line.length > MAX_HEADER_CHARS) return null
  const [, speaker = '', clock] = OTTER_HEADER.exec(line) ?? []
  return clock === undefined ? null : { speaker, clock, lineCount: 1 }
}

/** A time alone is also in other formats. */
function readNamedOtterHeader(line: string): TurnHeader | null {
  const header = readOtterHeader(line)
  return header !== null && looksLikeName(header.speaker) ? header : null
}

function readFirefliesHeader(line: string, next: string | undefined): TurnHeader | null {
  if (line.length > MAX_HEADER_CHARS) return null
  const [, name, afterDash, inParentheses, inBrackets] = FIREFLIES_HEADER.exec(line) ?? []
  const clock = afterDash ?? inParentheses ?? inBrackets
  if (name !== undefined && clock !== undefined && looksLikeName(name)) {
    return { speaker: name, clock, lineCount: 1 }
  }
  const [, below] = ONLY_CLOCK.exec(next?.trim() ?? '') ?? []
  if (below === undefined || !looksLikeName(line) || ONLY_CLOCK.test(line)) return null
  return { speaker: line, clock: below, lineCount: 2 }
}

/** One such line can be part of a sentence, unless it is the only turn of a short file. */
function hasSeveralHeaders(lines: readonly string[], read: HeaderReader): boolean {
  const filled = lines.filter((line) => line !== '')
  const count = filled.filter((line, i) => read(line, filled[i + 1]) !== null).length
  return count >= 2 || (count === 1 && filled.length <= 4)
}

/** Each paragraph under a header is a segment. Texts before the first header are the title. */
function readTurns(lines: readonly TextLine[], read: HeaderReader): FoundTranscript {
  const problems = createProblemList()
  const segments: FoundSegment[] = []
  let title: string | null = null
  let turn: { speaker: string; startMs: number } | null = null
  let isNewTurn = false
  const addParagraph = (paragraph: readonly TextLine[]) => {
    const [first] = paragraph
    if (first === undefined) return
    const text = joinTexts(paragraph)
    if (turn === null) {
      title ??= text
      return
    }
    const startMs: number | null = isNewTurn ? turn.startMs : null
    segments.push({ line: first.line, speaker: turn.speaker, text, startMs, endMs: null })
    isNewTurn = false
  }
  for (const block of splitBlocks(lines)) {
    let paragraph: TextLine[] = []
    for (let i = 0; i < block.length; i += 1) {
      const line = block[i]
      if (line === undefined) continue
      const header = read(line.text.trim(), block[i + 1]?.text)
      if (header === null) {
        paragraph.push(line)
        continue
      }
      addParagraph(paragraph)
      paragraph = []
      i += header.lineCount - 1
      const time = parseClockTime(header.clock)
      if ('problem' in time) problems.add(line.line, time.problem)
      else turn = { speaker: header.speaker, startMs: time.ms }
      isNewTurn = true
    }
    addParagraph(paragraph)
  }
  problems.throwIfAny()
  return { ...NOTHING_FOUND, title, segments }
}
