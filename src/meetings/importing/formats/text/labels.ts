import type { FoundTranscript, LocalStart } from '../found-transcript.ts'
import type { TextLine } from '../text-lines.ts'

/** What stands in front of facts about a meeting, or above a part of it, and is not the name of a person. */
const LABELS = new Set(
  [
    'title, meeting title, meeting name, meeting, subject, topic, agenda, chapter, break, note, notes, summary, recap',
    'date, meeting date, time, date and time, start, start time, started, end, end time, duration, length, recorded',
    'location, place, room, link, url, source, file, language, meeting id, recording, created, transcript',
    'participants, meeting participants, attendees, present, absent, apologies, invitees, action items, next steps',
    'titel, datum, uhrzeit, ort, dauer, thema, betreff, teilnehmer, teilnehmende, pause, notiz, protokoll',
  ].flatMap((line) => line.split(', ')),
)

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const MAX_HEAD_CHARS = 1_000

export function isLabel(text: string): boolean {
  return LABELS.has(
    text
      .replaceAll(/[*_#:]/g, '')
      .trim()
      .toLowerCase(),
  )
}

type Head = Pick<FoundTranscript, 'title' | 'startedAt' | 'participants'>

/** Reads labelled facts such as `Meeting title: Weekly` from the first lines of a text. What is not read stays text. */
export function readLabelledHead(lines: readonly TextLine[]): { head: Head; body: TextLine[] } {
  const head: Head = { title: null, startedAt: null, participants: [] }
  const end = lines.findIndex(({ text }) => text !== '' && !isLabel(text.split(':', 1)[0] ?? ''))
  if (end === -1) return { head, body: [...lines] }
  const unread = lines.slice(0, end).filter(({ text }) => !readFact(text, head))
  return { head, body: [...unread, ...lines.slice(end)] }
}

/** Adds the fact of a line to the head. Returns false for a line that has none. */
function readFact(line: string, head: Head): boolean {
  const [, label = '', value = ''] =
    line.length > MAX_HEAD_CHARS ? [] : (/^([^:]{1,40}):\**\s*(.*)$/u.exec(line) ?? [])
  const name = label.replaceAll(/[*_#]/g, '').trim().toLowerCase()
  if (/^(?:(?:meeting )?(?:title|name)|titel)$/.test(name)) head.title = value || null
  else if (/^(?:(?:meeting )?participants|attendees|teilnehmer)$/.test(name))
    head.participants = value.split(/[,;]\s*/).filter(Boolean)
  else if (/^(?:(?:meeting )?date|datum)$/.test(name)) return setDate(head, value)
  else return name === 'transcript' && value === ''
  return true
}

function setDate(head: Head, value: string): boolean {
  const startedAt = readDate(value)
  head.startedAt = startedAt ?? head.startedAt
  return startedAt !== null
}

/** Reads a date such as `Nov 15, 2026`, `15 November 2026` or `2026-11-15`. */
export function readDate(text: string): LocalStart | null {
  const [, iso, time = null] = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}))?$/.exec(text) ?? []
  if (iso !== undefined) return { date: iso, time }
  const [, first = '', second = '', year = ''] =
    /^(?:[A-Z][a-z]+day,? )?(\w{1,9})[.,]? (\w{1,9})[.,]? (\d{4})$/.exec(text) ?? []
  const [month, day] = /^\d/.test(first) ? [second, first] : [first, second]
  const index = MONTHS.indexOf(month.slice(0, 3).toLowerCase())
  const number = /^\d{1,2}/.exec(day)?.[0] ?? ''
  if (index === -1 || Number(number) < 1 || Number(number) > 31) return null
  const date = `${year}-${String(index + 1).padStart(2, '0')}-${number.padStart(2, '0')}`
  return { date, time: null }
}
