import { parseClockTime } from './clock-times.ts'
import {
  createProblemList,
  failAt,
  NOTHING_FOUND,
  type FoundSegment,
  type FoundTranscript,
  type LocalStart,
} from './found-transcript.ts'
import { looksLikeName, splitSpeakerPrefix } from './speaker-prefix.ts'
import { splitLines, type TextLine } from './text-lines.ts'

/** The document is copied or downloaded as text or as markdown, so headings and bold names are possible. */
const BLOCK_TIME = /^(?:#{1,6} )?\**(\d{1,2}:\d{2}:\d{2})\**$/
const LAST_LINE = /^(?:#{1,6} )?\**Transcription ended after (\d{1,3}:\d{2}:\d{2})\**/i
const TRANSCRIPT_TITLE = /^(?:#{1,6} )?\**(.+?) [-–—] Transcript\**$/u
const ATTENDEES = /^(?:#{1,6} )?\**Attendees\**$/i
const DATE = /^(?:#{1,6} )?\**([A-Z][a-z]{2,8})\.? (\d{1,2}), (\d{4})\**$/
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
/** A longer line is not one of those above the transcript, and would take long to compare. */
const MAX_HEAD_CHARS = 300
const COMPUTER_NOTE = /^\**This editable transcript was computer generated/i

export function isGoogleMeetText(text: string): boolean {
  const lines = text.split(/\r?\n/).map((line) => line.trim())
  if (lines.some((line) => LAST_LINE.test(line))) return true
  const first = lines.findIndex((line) => BLOCK_TIME.test(line))
  if (first === -1 || lines.some((line) => line.includes('-->'))) return false
  const next = lines.slice(first + 1).find((line) => line !== '')
  return next !== undefined && readTurn(next) !== null
}

/** Times stand alone on a line, and hold for the texts below them. Notes of Gemini before the transcript are left out. */
export function parseGoogleMeetText(text: string): FoundTranscript {
  const lines = splitLines(text).map(({ line, text: raw }) => ({ line, text: raw.trim() }))
  const start = findStart(lines)
  const found = { ...NOTHING_FOUND, ...readHead(lines.slice(0, start)) }
  const problems = createProblemList()
  const segments: FoundSegment[] = []
  let blockMs: number | null = null
  for (const { line, text: raw } of lines.slice(start)) {
    const clock = LAST_LINE.exec(raw)?.[1] ?? BLOCK_TIME.exec(raw)?.[1]
    if (clock !== undefined) {
      const time = parseClockTime(clock)
      if ('problem' in time) problems.add(line, time.problem)
      else if (LAST_LINE.test(raw)) {
        found.durationMs = time.ms
        break
      } else blockMs = time.ms
      continue
    }
    if (raw === '' || COMPUTER_NOTE.test(raw)) continue
    const turn = readTurn(raw)
    const last = segments.at(-1)
    if (turn !== null) {
      segments.push({ line, ...turn, startMs: blockMs, endMs: null })
      blockMs = null
    } else if (last !== undefined) last.text = `${last.text} ${raw}`
  }
  problems.throwIfAny()
  return { ...found, segments }
}

/** The transcript begins with its first time, or without times with the first text that has a speaker. */
function findStart(lines: readonly TextLine[]): number {
  const first = lines.findIndex(({ text }) => BLOCK_TIME.test(text))
  if (first !== -1) return first
  const title = lines.findIndex(({ text }) => readTitle(text) !== null)
  const turn = lines.findIndex(({ text }, i) => i > title && readTurn(text) !== null)
  return turn === -1
    ? failAt(1, 'No text with a speaker was found: expected lines such as Name: text')
    : turn
}

function readHead(lines: readonly TextLine[]): Partial<FoundTranscript> {
  const texts = lines.map(({ text }) => text).filter(Boolean)
  const titles = texts.flatMap((text) => readTitle(text) ?? [])
  const dates = texts.flatMap((text) => readDate(text) ?? [])
  const attendees = texts[texts.findIndex((text) => ATTENDEES.test(text)) + 1] ?? ''
  const hasAttendees = texts.some((text) => ATTENDEES.test(text))
  return {
    title: titles.at(-1) ?? null,
    startedAt: dates.at(-1) ?? null,
    participants: hasAttendees ? attendees.split(/,\s*/).filter(Boolean) : [],
  }
}

function readTitle(text: string): string | null {
  return text.length > MAX_HEAD_CHARS ? null : (TRANSCRIPT_TITLE.exec(text)?.[1] ?? null)
}

function readDate(text: string): LocalStart | null {
  const [, month = '', day = '', year = ''] = DATE.exec(text) ?? []
  const index = MONTHS.indexOf(month.slice(0, 3).toLowerCase())
  if (index === -1 || Number(day) < 1 || Number(day) > 31) return null
  const date = `${year}-${String(index + 1).padStart(2, '0')}-${day.padStart(2, '0')}`
  return { date, time: null }
}

function readTurn(line: string): { speaker: string; text: string } | null {
  const [, bold, rest] = /^\*\*([^*]{1,200}?):\*\*\s*(.*)$/u.exec(line) ?? []
  if (bold !== undefined && rest !== undefined) return { speaker: bold, text: rest }
  const turn = splitSpeakerPrefix(line)
  return turn !== null && looksLikeName(turn.speaker) ? turn : null
}
