import { strict as assert } from 'node:assert'
import { isAbsolute, relative, resolve, sep } from 'node:path'

const MAX_ID_LENGTH = 64
/** What file systems allow for one name. */
const MAX_ID_BYTES = 255
const MAX_FILE_BYTES = 180
/** Longer than any title; what lies beyond is not even looked at. */
const MAX_TITLE_LENGTH = 1_000
const MAX_ATTEMPT = 99_999

/** Letters with their marks, and digits, joined by the four characters that no system minds. */
const PROJECT_ID = /^(?:\p{L}\p{M}*|\p{Nd})(?:[ ._-]*(?:\p{L}\p{M}*|\p{Nd}))*$/u
/** Letters that nobody sees, so that two folders would look the same. */
const INVISIBLE_LETTER = /\p{Default_Ignorable_Code_Point}/u
/** Devices on Windows, whatever follows the first dot. */
const WINDOWS_DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d) *(?:\.|$)/i

/** What stands for a character that some file system does not take. */
const REPLACEMENTS: Readonly<Record<string, string>> = {
  '/': '-',
  '\\': '-',
  '|': '-',
  ':': '-',
  '"': "'",
  '<': '(',
  '>': ')',
  '?': '',
  '*': '',
}
/** Controls of direction and all else that is not seen; the joiners stay, as scripts and emoji need them. */
const INVISIBLE = /(?![\u200c\u200d])\p{Cf}/gu
const DATE_LABEL = /^\d{4,6}-\d{2}-\d{2} \d{4}$/

export const PROJECT_ID_RULE =
  'Must have 1 to 64 letters, digits, spaces, dots, hyphens or underscores, begin and end with a letter or digit, and be no name of a device on Windows'

export function isProjectId(id: string): boolean {
  if (id.length > 2 * MAX_ID_LENGTH || Array.from(id).length > MAX_ID_LENGTH) return false
  if (Buffer.byteLength(id) > MAX_ID_BYTES || id !== id.normalize('NFC')) return false
  return PROJECT_ID.test(id) && !INVISIBLE_LETTER.test(id) && !WINDOWS_DEVICE.test(id)
}

/** Whether every file system takes the name as it is, and a person can read it. */
export function isPortableFileName(name: string): boolean {
  if (name === '' || Buffer.byteLength(name) > MAX_FILE_BYTES || name.startsWith('.')) return false
  return safeTitle(name) === name && trimDotsAndSpaces(name) === name && !WINDOWS_DEVICE.test(name)
}

/** `YYYY-MM-DD HHmm` on the clocks of a time zone. */
export function formatDateLabel(at: Date, timeZone: string): string {
  const parts = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    calendar: 'iso8601',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  }).formatToParts(at)
  const part = (type: Intl.DateTimeFormatPartTypes, length: number) =>
    (parts.find((found) => found.type === type)?.value ?? '').padStart(length, '0')
  return `${part('year', 4)}-${part('month', 2)}-${part('day', 2)} ${part('hour', 2)}${part('minute', 2)}`
}

/**
 * A name that every file system takes, whatever the title. Attempts of one title never collide; two titles
 * may, so a name can be taken all the same.
 */
export function documentFileName(dateLabel: string, title: string, attempt: number): string {
  assert.match(dateLabel, DATE_LABEL)
  assert.ok(Number.isInteger(attempt) && attempt >= 1 && attempt <= MAX_ATTEMPT)
  const start = `${dateLabel} - `
  const taken = attempt === 1 ? '' : ` (${attempt})`
  // The room for the attempt is left free in any case: a cut that depended on it could make two names one.
  const room = MAX_FILE_BYTES - `${start} (${MAX_ATTEMPT}).md`.length
  return `${start}${trimDotsAndSpaces(truncateToBytes(safeTitle(title), room)) || 'Untitled'}${taken}.md`
}

/** The path if it stays below the root, else null. Looks at the words only: the caller sees to links. */
export function resolveInside(root: string, ...parts: string[]): string | null {
  if (parts.some((part) => part.includes('\0'))) return null
  const path = resolve(root, ...parts)
  const way = relative(resolve(root), path)
  const isOutside = way === '' || way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way)
  return isOutside ? null : path
}

/** An attachment per RFC 6266: a plain name for old programs and the true one for all others. */
export function contentDisposition(fileName: string): string {
  const safe = trimDotsAndSpaces(safeTitle(fileName)) || 'document'
  const plain = safe
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    // Some programs decode what looks encoded.
    .replace(/[^\x20-\x7e]|%/gu, '_')
  const encoded = encodeURIComponent(safe).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `attachment; filename="${plain || 'document'}"; filename*=UTF-8''${encoded}`
}

function safeTitle(title: string): string {
  return title
    .slice(0, MAX_TITLE_LENGTH)
    .toWellFormed()
    .replace(INVISIBLE, '')
    .replace(/[\p{Cc}\p{Z}]+/gu, ' ')
    .replace(/[/\\|:"<>?*]/g, (character) => REPLACEMENTS[character] ?? '')
    .normalize('NFC')
    .trim()
}

function truncateToBytes(text: string, maxBytes: number): string {
  if (Buffer.byteLength(text) <= maxBytes) return text
  // Made here: few names are so long, and every start would have to load the tables of characters.
  const characters = new Intl.Segmenter('en')
  const whole = takeWhileFits(characters.segment(text), maxBytes)
  // One letter under a heap of marks can be longer than the whole name.
  return (
    whole ||
    takeWhileFits(
      Array.from(text, (segment) => ({ segment })),
      maxBytes,
    )
  )
}

function takeWhileFits(pieces: Iterable<{ segment: string }>, maxBytes: number): string {
  let taken = ''
  let bytes = 0
  for (const { segment } of pieces) {
    bytes += Buffer.byteLength(segment)
    if (bytes > maxBytes) break
    taken += segment
  }
  return taken
}

function trimDotsAndSpaces(name: string): string {
  return name.replace(/(?<![ .])[ .]+$/, '').replace(/^[ .]+$/, '')
}
