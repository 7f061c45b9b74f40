import { cleanText } from '../../language/clean-text.ts'
import type { LocalStart } from './formats/found-transcript.ts'

/** What a file name says about a meeting. */
export type FileNameFacts = { title: string | null; startedAt: Date | LocalStart | null }

type NamePattern = {
  pattern: RegExp
  read(groups: Readonly<Record<string, string>>): FileNameFacts
}

/** Zone abbreviations that mean the same UTC offset almost everywhere. Others, such as IST, are read as local times. */
const ZONE_OFFSETS: Readonly<Record<string, string>> = {
  UTC: 'Z',
  GMT: 'Z',
  CET: '+01:00',
  CEST: '+02:00',
  EET: '+02:00',
  EEST: '+03:00',
  EST: '-05:00',
  EDT: '-04:00',
  CDT: '-05:00',
  MDT: '-06:00',
  PST: '-08:00',
  PDT: '-07:00',
}

/** The patterns of file names that products use. */
const PATTERNS: readonly NamePattern[] = [
  {
    // Zoom: GMT20261115-083000_Recording.transcript
    pattern: /^GMT(?<y>\d{4})(?<m>\d{2})(?<d>\d{2})-(?<h>\d{2})(?<min>\d{2})(?<s>\d{2})_/,
    read: ({ y, m, d, h, min, s }) => ({
      title: null,
      startedAt: readDate(`${y}-${m}-${d}T${h}:${min}:${s}Z`),
    }),
  },
  {
    // Google Meet: Weekly sync - 2026/11/15 08:30 PST - Transcript. File systems replace the slashes and the colon.
    pattern:
      /^(?<title>.+?) ?[-–(] ?(?<y>\d{4})[-/_:](?<m>\d{2})[-/_:](?<d>\d{2}) (?<h>\d{1,2})[:_-](?<min>\d{2})(?: (?<zone>[A-Z]{3,5}|(?:GMT|UTC)[+-]\d{1,2}(?::?\d{2})?))?\)?(?: [-–] .*)?$/u,
    read: ({ title = '', zone = '', y, m, d, h = '', min }) => {
      const [date, time] = [`${y}-${m}-${d}`, `${h.padStart(2, '0')}:${min}`]
      const offset = ZONE_OFFSETS[zone] ?? readOffset(zone)
      const local = zone === '' ? { date, time } : { date, time, zone }
      return {
        title,
        startedAt: offset === null ? local : readDate(`${date}T${time}:00${offset}`),
      }
    },
  },
  {
    // Hansard: 2026-11-15 0830 - Weekly sync
    pattern: /^(?<y>\d{4})-(?<m>\d{2})-(?<d>\d{2}) (?<h>\d{2})(?<min>\d{2}) - (?<title>.+)$/u,
    read: ({ title = '', y, m, d, h, min }) => ({
      title,
      startedAt: { date: `${y}-${m}-${d}`, time: `${h}:${min}` },
    }),
  },
]

const EXTENSION =
  /(?:\.transcript)?\.(?:vtt|srt|sbv|ttml|xml|tsv|txt|text|md|json|wav|mp3|ogg|opus|oga|webm|weba|mkv|mp4|m4a|m4v|mov|aac)$/i

/** Reads a title and, if possible, a start time from a file name without folders. */
export function readFileName(fileName: string): FileNameFacts {
  const baseName = cleanText(fileName.slice(-300).replace(/^.*[/\\]/su, '')).replace(EXTENSION, '')
  return (
    readDatedTitle(baseName) ?? {
      title: baseName.replaceAll('_', ' ').trim() || null,
      startedAt: null,
    }
  )
}

/** Reads a title that contains a date in a form that file names have; null for other titles. */
export function readDatedTitle(title: string): FileNameFacts | null {
  for (const { pattern, read } of PATTERNS) {
    const groups = pattern.exec(title.slice(0, 300))?.groups
    if (groups !== undefined) return read(groups)
  }
  return null
}

/** Returns the offset in `GMT+1` or `UTC-03:30` in ISO 8601; null for other zones. */
function readOffset(zone: string): string | null {
  const [, sign = '', hours = '', minutes = '00'] =
    /^(?:GMT|UTC)([+-])(\d{1,2})(?::?(\d{2}))?$/.exec(zone) ?? []
  return sign === '' ? null : `${sign}${hours.padStart(2, '0')}:${minutes}`
}

function readDate(text: string): Date | null {
  const at = new Date(text)
  return Number.isNaN(at.getTime()) ? null : at
}
