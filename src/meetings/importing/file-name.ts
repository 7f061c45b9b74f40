import { cleanText } from '../sanitize/text.ts'
import type { LocalStart } from './formats/found-transcript.ts'

/** What a file name says about a meeting. */
export type FileNameFacts = { title: string | null; startedAt: Date | LocalStart | null }

type NamePattern = {
  pattern: RegExp
  read(groups: Readonly<Record<string, string>>): FileNameFacts
}

/** Zone abbreviations that mean one UTC offset everywhere. Others, such as IST, are read as local times. */
const ZONE_OFFSETS: Readonly<Record<string, string>> = {
  UTC: 'Z',
  GMT: 'Z',
  CET: '+01:00',
  CEST: '+02:00',
  EET: '+02:00',
  EEST: '+03:00',
  EST: '-05:00',
  EDT: '-04:00',
  MDT: '-06:00',
  PST: '-08:00',
  PDT: '-07:00',
}

/** The names that products give to their files. */
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
      /^(?<title>.+?) ?[-–(] ?(?<y>\d{4})[-/_:](?<m>\d{2})[-/_:](?<d>\d{2}) (?<h>\d{1,2})[:_-](?<min>\d{2})(?: (?<zone>[A-Z]{3,5}))?\)?(?: [-–] .*)?$/u,
    read: ({ title = '', zone = '', y, m, d, h = '', min }) => {
      const [date, time] = [`${y}-${m}-${d}`, `${h.padStart(2, '0')}:${min}`]
      const offset = ZONE_OFFSETS[zone]
      return {
        title,
        startedAt: offset === undefined ? { date, time } : readDate(`${date}T${time}:00${offset}`),
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

const EXTENSION = /(?:\.transcript)?\.(?:vtt|srt|txt|text|md|json|sbv)$/i

/** Reads a title, and if possible a start time, from a file name without folders. */
export function readFileName(fileName: string): FileNameFacts {
  const baseName = cleanText(fileName.slice(-300).replace(/^.*[/\\]/su, '')).replace(EXTENSION, '')
  for (const { pattern, read } of PATTERNS) {
    const groups = pattern.exec(baseName)?.groups
    if (groups !== undefined) return read(groups)
  }
  return { title: baseName.replaceAll('_', ' ').trim() || null, startedAt: null }
}

function readDate(text: string): Date | null {
  const at = new Date(text)
  return Number.isNaN(at.getTime()) ? null : at
}
