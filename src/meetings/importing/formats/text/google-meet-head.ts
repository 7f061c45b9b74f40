import type { FoundTranscript, LocalStart } from '../found-transcript.ts'
import { isDecoration, type TextLine } from '../text-lines.ts'
import { readDate, looksLikeName, splitSpeakerPrefix, type PrefixedText } from './line-starts.ts'

const TRANSCRIPT_TITLE = /^(?:#{1,6} )?\**(.+?) [-–—] Transcript\**$/u
const TRANSCRIPT_HEADING = /^(?:#{1,6} )?[^\p{L}\p{N}]*Transcript\**$/iu
const ATTENDEES = /^(?:#{1,6} )?\**Attendees\**$/i
const DATE = /^(?:#{1,6} )?\**([A-Z][a-z]{2,8}\.? \d{1,2}, \d{4})\**$/
/** A line above the transcript is not longer than this, and longer ones would take long to compare. */
const MAX_HEAD_CHARS = 300
/** The longest list of names with one name per line. */
const MAX_ATTENDEE_LINES = 200

type Head = Pick<FoundTranscript, 'title' | 'startedAt' | 'participants' | 'notes'>

/**
 * Splits a document of Google Meet into its head and the transcript. Only text above the transcript's heading, such as
 * Gemini's notes, is left out.
 */
export function readGoogleMeetHead(
  lines: readonly TextLine[],
  isTime: (text: string) => boolean,
  isNote: (text: string) => boolean,
): { head: Head; body: TextLine[] } {
  const title = findTitle(lines)
  const above = lines.slice(0, Math.max(0, title)).map(({ text }) => text)
  const head: Head = {
    title: readTitle(lines[title]?.text ?? ''),
    startedAt: above.flatMap((text) => readDateLine(text) ?? []).at(-1) ?? null,
    participants: [],
    notes: above.some((text) => !isHeadLine(text))
      ? ['The text above the heading of the transcript was left out']
      : [],
  }
  let i = title + 1
  for (; i < lines.length; i += 1) {
    const text = lines[i]?.text ?? ''
    if (isTime(text) || readMeetTurn(text) !== null) break
    if (ATTENDEES.test(text)) {
      const end = findEndOfAttendees(lines, i + 1, isTime)
      const names = lines.slice(i + 1, end).map((line) => line.text)
      head.participants = names.flatMap((line) => line.split(/,\s*/)).filter(Boolean)
      i = end - 1
    } else if (isHeadLine(text)) head.startedAt = readDateLine(text) ?? head.startedAt
    else if (head.title === null && text.length <= MAX_HEAD_CHARS) head.title = plainHeading(text)
    else if (!isNote(text)) break
  }
  return { head, body: lines.slice(i) }
}

export function isTranscriptTitle(text: string): boolean {
  return readTitle(text) !== null
}

/** Reads a text with its speaker. Names are bold in a markdown document. */
export function readMeetTurn(line: string): PrefixedText | null {
  const [, bold, rest] = /^\*\*([^*]{1,200}?):\*\*\s*(.*)$/u.exec(line) ?? []
  if (bold !== undefined && rest !== undefined) return { speaker: bold, text: rest }
  const turn = splitSpeakerPrefix(line)
  return turn !== null && looksLikeName(turn.speaker) ? turn : null
}

/** The index of the transcript's heading, or -1. If turns precede it, it is a text that only ends like the heading. */
function findTitle(lines: readonly TextLine[]): number {
  const title = lines.findIndex(({ text }) => isTranscriptTitle(text))
  if (title === -1) return -1
  const countTurns = (part: readonly TextLine[]) =>
    part.filter(({ text }) => readMeetTurn(text) !== null).length
  return countTurns(lines.slice(0, title)) <= countTurns(lines.slice(title + 1)) ? title : -1
}

/** The names are in one line, or in all lines up to the heading “Transcript”. */
function findEndOfAttendees(
  lines: readonly TextLine[],
  from: number,
  isTime: (text: string) => boolean,
): number {
  const near = lines.slice(from, from + MAX_ATTENDEE_LINES)
  const heading = near.findIndex(({ text }) => TRANSCRIPT_HEADING.test(text))
  const body = near.findIndex(({ text }) => isTime(text) || readMeetTurn(text) !== null)
  if (heading !== -1 && (body === -1 || heading < body)) return from + heading
  const names = near.findIndex(({ text }) => text !== '')
  return names === -1 || names === body ? from : from + names + 1
}

function isHeadLine(text: string): boolean {
  return isDecoration(text) || TRANSCRIPT_HEADING.test(text) || readDateLine(text) !== null
}

function plainHeading(text: string): string {
  return text.replace(/^#{1,6} /, '').replaceAll('**', '')
}

function readTitle(text: string): string | null {
  return text.length > MAX_HEAD_CHARS ? null : (TRANSCRIPT_TITLE.exec(text)?.[1] ?? null)
}

function readDateLine(text: string): LocalStart | null {
  return text.length > MAX_HEAD_CHARS ? null : readDate(DATE.exec(text)?.[1] ?? '')
}
