import type { ImportFormat } from './format-names.ts'
import { type FoundTranscript, failAt } from './formats/found-transcript.ts'
import { parseHansardJson } from './formats/json/hansard-json.ts'
import { isJson } from './formats/json/json-fields.ts'
import { JSON_FORMATS, type JsonFormat } from './formats/json/json-shapes.ts'
import { parseJsonAs, recogniseJson } from './formats/json/read-json.ts'
import {
  isSbv,
  isSrt,
  isTeamsVtt,
  isVtt,
  isZoomVtt,
  parseSbv,
  parseSrt,
  parseVtt,
  isTsv,
  parseTsv,
} from './formats/subtitles/subtitles.ts'
import { isTtml, parseTtml } from './formats/subtitles/ttml.ts'
import { LINE_BREAK } from './formats/text-lines.ts'
import { isGoogleMeetText, parseGoogleMeetText } from './formats/text/google-meet-text.ts'
import {
  isHansardMarkdown,
  isHansardText,
  parseHansardMarkdown,
  parseHansardText,
} from './formats/text/hansard-documents.ts'
import { parsePlainText } from './formats/text/plain-text.ts'
import {
  isFirefliesText,
  isOtterText,
  parseFirefliesText,
  parseOtterText,
} from './formats/text/turn-headers.ts'

type FormatReader = {
  /** True if a text that is not JSON has this format. Only called if no format above it in the table matches. */
  matches?(text: string): boolean
  parse(text: string): FoundTranscript
}

/**
 * How each format is recognized and read. JSON is recognized by its fields. For other files the first format that
 * matches is used, so special formats come before general ones.
 */
export const IMPORT_FORMAT_READERS: Readonly<Record<ImportFormat, FormatReader>> = {
  'hansard-json': { parse: parseHansardJson },
  ...(Object.fromEntries(
    JSON_FORMATS.map((name) => [name, { parse: parseJsonAs(name) }]),
  ) as Record<JsonFormat, FormatReader>),
  'teams-vtt': { matches: isTeamsVtt, parse: parseVtt },
  'zoom-vtt': { matches: isZoomVtt, parse: parseVtt },
  vtt: { matches: isVtt, parse: parseVtt },
  srt: { matches: isSrt, parse: parseSrt },
  sbv: { matches: isSbv, parse: parseSbv },
  ttml: { matches: isTtml, parse: parseTtml },
  tsv: { matches: isTsv, parse: parseTsv },
  'hansard-markdown': { matches: isHansardMarkdown, parse: parseHansardMarkdown },
  'hansard-text': { matches: isHansardText, parse: parseHansardText },
  'otter-text': { matches: isOtterText, parse: parseOtterText },
  'fireflies-text': { matches: isFirefliesText, parse: parseFirefliesText },
  'google-meet-text': { matches: isGoogleMeetText, parse: parseGoogleMeetText },
  text: { matches: () => true, parse: parsePlainText },
}

/** How other files begin (binary files, or text without a plain transcript), and what to do instead. */
const OTHER_FILES: ReadonlyArray<{ start: RegExp; reason: string }> = [
  {
    start: /^PK\p{Cc}/u,
    reason: 'This is a Word document or a ZIP file. Export the transcript as text or WebVTT',
  },
  {
    // WAV, Ogg, MP3 with a header, Matroska and MP4. A byte that is not text became one character or several.
    start:
      /^(?:RIFF[^]{1,12}WAVE|OggS\p{Cc}|ID3(?!\s)\p{Cc}|\p{Cc}E(?:\u07e3|ß£|\ufffd)|\p{Cc}[^]{1,7}ftyp)/u,
    reason:
      'This is a recording. Send it with POST /api/v1/recordings, which recognizes its speech',
  },
  { start: /^%PDF-/, reason: 'This is a PDF. Export the transcript as text or WebVTT' },
  { start: /^\{\\rtf/, reason: 'This is an RTF document. Save it as plain text' },
  {
    start: /^\s*<(?:!doctype html|(?:html|head|body|div|p|table|cite)[\s>])/i,
    reason: 'This is a web page. Export the transcript as text or WebVTT',
  },
  {
    start: /^\s*<sami[\s>]/i,
    reason: 'This is a SAMI file. Convert it to SubRip or WebVTT',
  },
  {
    start: /^\s*\[Script Info\]/i,
    reason: 'This is an Advanced SubStation Alpha file. Convert it to SubRip or WebVTT',
  },
  {
    start: /^\s*<(?:\?xml|transcript|timedtext)[\s>](?![^]{0,5000}<(?:\w{1,20}:)?tt[\s>])/i,
    reason: 'This is an XML file that is not TTML. Export the transcript as text or WebVTT',
  },
]

/** More lines would need too much memory. Products that format JSON write each number on a line of its own. */
const MAX_LINES = { json: 1_000_000, text: 250_000 }
/** Text has hardly any characters that cannot be shown. In a binary file, one in ten cannot. */
const MAX_UNREADABLE_SHARE = 0.05
/** Enough to recognize the kind of file. */
const MAX_CHECKED_CHARS = 100_000
const UNREADABLE = /[^\P{Cc}\t\n\v\f\r]|\ufffd/gu

export function recogniseFormat(text: string): ImportFormat {
  if (isJson(text)) return recogniseJson(text)
  const formats = Object.keys(IMPORT_FORMAT_READERS) as ImportFormat[]
  return formats.find((name) => IMPORT_FORMAT_READERS[name].matches?.(text)) ?? 'text'
}

/** Fails for a file that is empty or not text, so that its bytes are not imported as speech. */
export function refuseOtherFiles(text: string): void {
  if (text.trim() === '') failAt(1, 'The file is empty')
  for (const { start, reason } of OTHER_FILES) if (start.test(text)) failAt(1, reason)
  const nul = text.indexOf('\0')
  if (nul !== -1) {
    const line = text.slice(0, nul).split('\n').length
    failAt(line, 'The text contains NUL characters. Save the file as UTF-8')
  }
  const start = text.slice(0, MAX_CHECKED_CHARS)
  const unreadable = start.match(UNREADABLE)?.length ?? 0
  if (unreadable > start.length * MAX_UNREADABLE_SHARE) {
    failAt(1, 'This is not a text file, or its encoding is unknown. Save it as UTF-8 text')
  }
  refuseTooManyLines(text)
}

/** Called before formats are tried, because splitting millions of lines for each format takes long. */
function refuseTooManyLines(text: string): void {
  const max = isJson(text) ? MAX_LINES.json : MAX_LINES.text
  let count = 1
  for (const _ of text.matchAll(LINE_BREAK)) {
    count += 1
    if (count > max) failAt(max, `The file has more than ${max.toLocaleString('en')} lines`)
  }
}
