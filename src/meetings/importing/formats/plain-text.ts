import { parseClockTime } from './clock-times.ts'
import {
  createProblemList,
  NOTHING_FOUND,
  type FoundSegment,
  type FoundTranscript,
} from './found-transcript.ts'
import { looksLikeName, splitSpeakerPrefix } from './speaker-prefix.ts'
import { joinTexts, splitBlocks, splitLines, type TextLine } from './text-lines.ts'

const CLOCK = String.raw`(?:\d{1,3}:)?\d{1,3}:\d{2}(?:[.,]\d{1,3})?`
/** `[00:01:23] text`, `(01:23) text`, `00:01:23 - text` or `00:01:23 text`. */
const TIME_FIRST = new RegExp(
  `^(?:\\[(${CLOCK})\\]|\\((${CLOCK})\\)|(${CLOCK})(?=\\s))\\s*[-–—:]?\\s*(.*)$`,
  'su',
)
/** `Ada (00:01:23): text` or `Ada [01:23]: text`. */
const TIME_AFTER_NAME = new RegExp(`^(\\S[^:]{0,198}?)\\s*[[(](${CLOCK})[\\])]\\s*:\\s*(.*)$`, 'su')

type Turn = { speaker: string; clock: string | null; text: string }

/**
 * Text without a known form. A line with a time or a name in front starts a segment; the lines below go on with it. If
 * no line has either, each paragraph is a segment.
 */
export function parsePlainText(text: string): FoundTranscript {
  const problems = createProblemList()
  const lines = splitLines(text)
  const isSpeaker = createSpeakerCheck(lines)
  const segments: FoundSegment[] = []
  for (const block of splitBlocks(lines)) {
    let paragraph: TextLine[] = []
    const flush = () => {
      const last = segments.at(-1)
      const [first] = paragraph
      if (first === undefined) return
      const rest = joinTexts(paragraph)
      const isInBlock = last !== undefined && last.line >= (block[0]?.line ?? 0)
      if (isInBlock) last.text = `${last.text} ${rest}`.trim()
      else
        segments.push({
          line: first.line,
          speaker: last?.speaker ?? '',
          text: rest,
          startMs: null,
          endMs: null,
        })
      paragraph = []
    }
    for (const line of block) {
      const turn = readTurn(line.text.replaceAll(/\s+/gu, ' ').trim(), isSpeaker)
      if (turn === null) {
        paragraph.push(line)
        continue
      }
      flush()
      const time = turn.clock === null ? { ms: null } : parseClockTime(turn.clock)
      if ('problem' in time) problems.add(line.line, time.problem)
      else
        segments.push({
          line: line.line,
          speaker: turn.speaker,
          text: turn.text,
          startMs: time.ms,
          endMs: null,
        })
    }
    flush()
  }
  problems.throwIfAny()
  return { ...NOTHING_FOUND, segments: segments.filter((segment) => segment.text !== '') }
}

/**
 * A sentence can have a colon. So the part before one is a speaker if it is so in several lines, or if most lines have
 * such a part.
 */
function createSpeakerCheck(lines: readonly TextLine[]): (name: string) => boolean {
  const counts = new Map<string, number>()
  let lineCount = 0
  for (const { text } of lines) {
    const name = splitSpeakerPrefix(text)?.speaker
    if (text !== '') lineCount += 1
    if (name !== undefined && looksLikeName(name)) counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  const named = [...counts.values()].reduce((sum, count) => sum + count, 0)
  const areMostNamed = named * 2 >= lineCount
  return (name) => areMostNamed || (counts.get(name) ?? 0) > 1
}

function readTurn(line: string, isSpeaker: (name: string) => boolean): Turn | null {
  const [, name, clock, said] = TIME_AFTER_NAME.exec(line) ?? []
  if (name !== undefined && clock !== undefined && said !== undefined && looksLikeName(name)) {
    return { speaker: name, clock, text: said }
  }
  const [, inBrackets, inParentheses, bare, rest = ''] = TIME_FIRST.exec(line) ?? []
  const time = inBrackets ?? inParentheses ?? bare ?? null
  const prefix = splitSpeakerPrefix(time === null ? line : rest)
  const isNamed = prefix !== null && looksLikeName(prefix.speaker)
  if (isNamed && (time !== null || isSpeaker(prefix.speaker))) return { ...prefix, clock: time }
  return time === null ? null : { speaker: '', clock: time, text: rest }
}
