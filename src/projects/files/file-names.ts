import { strict as assert } from 'node:assert'
import { isAbsolute, relative, resolve, sep } from 'node:path'
import { formatLocalTimeWithoutOffset } from '../../lib/time/zone-offsets.ts'

export const MAX_PROJECT_ID_LENGTH = 64
/** The longest file name that common file systems allow. */
const MAX_ID_BYTES = 255
const MAX_FILE_BYTES = 180
/** Longer titles are cut here first, which limits the work. */
const MAX_TITLE_LENGTH = 1_000
const MAX_ATTEMPT = 99_999

/** A project id: letters with combining marks, and digits, joined by spaces, dots, underscores and hyphens. */
const PROJECT_ID = /^(?:\p{L}\p{M}*|\p{Nd})(?:[ ._-]*(?:\p{L}\p{M}*|\p{Nd}))*$/u
/** Invisible letters. With them, two different folder names could look the same. */
const INVISIBLE_LETTER = /\p{Default_Ignorable_Code_Point}/u
/** Reserved device names of Windows, such as `con` and `con.txt`. */
const WINDOWS_DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d) *(?:\.|$)/i

/** Replacements for characters that some file systems do not allow in file names. */
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
/** Invisible format characters, except the two joiners, which some scripts and emoji need. */
const INVISIBLE = /(?![\u200c\u200d])\p{Cf}/gu
const DATE_LABEL = /^\d{4,6}-\d{2}-\d{2} \d{4}$/

export const PROJECT_ID_RULE_TEXT =
  'Must have 1 to 64 letters, digits, spaces, dots, hyphens or underscores, begin and end with a letter or digit, and must not be a reserved Windows device name'

export function isProjectId(id: string): boolean {
  if (id.length > 2 * MAX_PROJECT_ID_LENGTH || Array.from(id).length > MAX_PROJECT_ID_LENGTH)
    return false
  if (Buffer.byteLength(id) > MAX_ID_BYTES || id !== id.normalize('NFC')) return false
  return PROJECT_ID.test(id) && !INVISIBLE_LETTER.test(id) && !WINDOWS_DEVICE.test(id)
}

/** True if the name is valid on every common file system and has no invisible characters. */
export function isPortableFileName(name: string): boolean {
  if (name === '' || Buffer.byteLength(name) > MAX_FILE_BYTES || name.startsWith('.')) return false
  return safeTitle(name) === name && trimDotsAndSpaces(name) === name && !WINDOWS_DEVICE.test(name)
}

/** Formats a time as `YYYY-MM-DD HHmm` in a time zone. */
export function formatDateLabel(at: Date, timeZone: string): string {
  return formatLocalTimeWithoutOffset(at, timeZone).replace('T', ' ').replace(':', '')
}

/**
 * A file name that is valid on every file system, for any title. Different attempts for one title never get the same
 * name. Two titles can, so the caller must expect that the name is in use.
 */
export function formatDocumentFileName(dateLabel: string, title: string, attempt: number): string {
  assert.match(dateLabel, DATE_LABEL)
  assert.ok(Number.isInteger(attempt) && attempt >= 1 && attempt <= MAX_ATTEMPT)
  const prefix = `${dateLabel} - `
  const suffix = attempt === 1 ? '' : ` (${attempt})`
  // Reserves space for the longest attempt number. If each attempt cut the title differently, names could be equal.
  const maxTitleBytes = MAX_FILE_BYTES - `${prefix} (${MAX_ATTEMPT}).md`.length
  return `${prefix}${trimDotsAndSpaces(truncateToBytes(safeTitle(title), maxTitleBytes)) || 'Untitled'}${suffix}.md`
}

/** The path if it is below the root, else null. Does not resolve symbolic links; the caller must check for them. */
export function resolvePathInside(root: string, ...parts: string[]): string | null {
  if (parts.some((part) => part.includes('\0'))) return null
  const path = resolve(root, ...parts)
  const relativePath = relative(resolve(root), path)
  const isOutside =
    relativePath === '' ||
    relativePath === '..' ||
    relativePath.startsWith(`..${sep}`) ||
    isAbsolute(relativePath)
  return isOutside ? null : path
}

/** The Content-Disposition of a download (RFC 6266): an ASCII name for old clients, and the full name for others. */
export function formatContentDisposition(fileName: string): string {
  const safe = trimDotsAndSpaces(safeTitle(fileName)) || 'document'
  const asciiName = safe
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    // Some clients decode percent signs in the ASCII name.
    .replace(/[^\x20-\x7e]|%/gu, '_')
  const encoded = encodeURIComponent(safe).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `attachment; filename="${asciiName || 'document'}"; filename*=UTF-8''${encoded}`
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
  // The segmenter is created on demand: few names are this long, and at module level it would slow down every start.
  const characters = new Intl.Segmenter('en')
  const whole = takeWhileFits(characters.segment(text), maxBytes)
  // A letter with very many combining marks can exceed the limit. It is then cut between code points.
  return (
    whole ||
    takeWhileFits(
      Array.from(text, (segment) => ({ segment })),
      maxBytes,
    )
  )
}

function takeWhileFits(pieces: Iterable<{ segment: string }>, maxBytes: number): string {
  let fitting = ''
  let bytes = 0
  for (const { segment } of pieces) {
    bytes += Buffer.byteLength(segment)
    if (bytes > maxBytes) break
    fitting += segment
  }
  return fitting
}

function trimDotsAndSpaces(name: string): string {
  return name.replace(/(?<![ .])[ .]+$/, '').replace(/^[ .]+$/, '')
}
