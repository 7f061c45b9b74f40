import {
  NOTHING_FOUND,
  type FoundSegment,
  type FoundTranscript,
  type ProblemList,
  collectProblems,
} from '../found-transcript.ts'
import { parseClockTime, isDecoration, splitLines, type TextLine } from '../text-lines.ts'
import { isTranscriptTitle, readGoogleMeetHead, readMeetTurn } from './google-meet-head.ts'

/** People copy or download the document as text or markdown, so headings and bold names are possible. */
const BLOCK_TIME = /^(?:#{1,6} )?\**(\d{1,2}:\d{2}:\d{2})\**$/
const LAST_LINE =
  /^(?:#{1,6} )?\**(?:Transcription|Meeting|Session) ended after (\d{1,3}:\d{2}:\d{2})[^\p{L}\p{N}]*$/iu
const COMPUTER_NOTE = /^(?:#{1,6} )?\**This editable transcript was computer generated/i
const ATTENDEES = /^(?:#{1,6} )?\**Attendees\**$/i
/** Blocks are five minutes apart. A time long before the previous one begins another transcript. */
const MAX_STEP_BACK_MS = 120_000

export function isGoogleMeetText(text: string): boolean {
  const lines = text.split('\n').flatMap((line) => line.trim() || [])
  if (lines.some((line) => line.includes('-->'))) return false
  if (lines.some((line) => LAST_LINE.test(line))) return true
  if (lines.some(isTranscriptTitle) && lines.some((line) => ATTENDEES.test(line))) return true
  // Other files can also contain a single time, or a single colon in a text.
  const below = lines.flatMap((line, i) => (BLOCK_TIME.test(line) ? [lines[i + 1] ?? ''] : []))
  const followed = below.filter((line) => readMeetTurn(line) !== null).length
  return followed >= 2 && followed * 2 > below.length
}

/** A time is alone on its line, and applies to the texts below it. Gemini's notes before the transcript are skipped. */
export function parseGoogleMeetText(text: string): FoundTranscript {
  const lines = splitLines(text).map(({ line, text: raw }) => ({ line, text: raw.trim() }))
  const isBody = (raw: string) => readMarkedTime(raw) !== null
  const { head, body } = readGoogleMeetHead(lines, isBody, (raw) => COMPUTER_NOTE.test(raw))
  return { ...NOTHING_FOUND, ...head, ...collectProblems((problems) => readBody(body, problems)) }
}

function readBody(
  lines: readonly TextLine[],
  problems: ProblemList,
): { segments: FoundSegment[]; durationMs: number | null } {
  const segments: FoundSegment[] = []
  let durationMs: number | null = null
  let blockMs: number | null = null
  let latestMs = 0
  /** True if a line without a speaker continues the text above it. */
  let isOpen = false
  for (const { line, text } of lines) {
    if (text === '' || COMPUTER_NOTE.test(text)) continue
    const marked = readMarkedTime(text)
    if (marked !== null) {
      const time = parseClockTime(marked.clock)
      isOpen = false
      if ('problem' in time) problems.add(line, time.problem)
      else if (marked.isEnd) durationMs = Math.max(durationMs ?? 0, time.ms)
      else if (time.ms < latestMs - MAX_STEP_BACK_MS) {
        problems.add(line, 'The time is before one above it. Import two transcripts as two files')
      } else blockMs = latestMs = time.ms
      continue
    }
    const turn = readMeetTurn(text)
    const last = segments.at(-1)
    if (turn === null && isDecoration(text)) continue
    if (turn === null && isOpen && last !== undefined) {
      last.text = `${last.text} ${text}`
      continue
    }
    // Text below a time continues the turn above it. Text below the end was not said by that speaker.
    const speaker = durationMs === null ? (last?.speaker ?? '') : ''
    segments.push({ line, ...(turn ?? { speaker, text }), startMs: blockMs, endMs: null })
    blockMs = null
    isOpen = true
  }
  return { segments, durationMs }
}

function readMarkedTime(text: string): { clock: string; isEnd: boolean } | null {
  const end = LAST_LINE.exec(text)?.[1]
  if (end !== undefined) return { clock: end, isEnd: true }
  const clock = BLOCK_TIME.exec(text)?.[1]
  return clock === undefined ? null : { clock, isEnd: false }
}
