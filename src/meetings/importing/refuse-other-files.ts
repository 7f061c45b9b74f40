import { failAt } from './formats/found-transcript.ts'
import { LINE_BREAK } from './formats/text-lines.ts'

/** How files begin that are not text, or that hold no plain transcript, and what to do instead. */
const OTHER_FILES: ReadonlyArray<{ start: RegExp; reason: string }> = [
  {
    start: /^PK\p{Cc}/u,
    reason: 'This is a Word document or a ZIP file. Export the transcript as text or WebVTT',
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

/** More lines would need too much memory. */
const MAX_LINES = 1_000_000
/** A text has nearly no characters that cannot be shown; a binary file has one in ten. */
const MAX_UNREADABLE_SHARE = 0.05
/** Enough to see what kind of file it is. */
const MAX_CHECKED_CHARS = 100_000
const UNREADABLE = /[^\P{Cc}\t\n\v\f\r]|\ufffd/gu

/** Fails for a file that is empty or not a text, so that nobody imports its bytes as something that was said. */
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

/** Before the formats are tried: splitting millions of lines for each of them takes long. */
function refuseTooManyLines(text: string): void {
  let count = 1
  for (const _ of text.matchAll(LINE_BREAK)) {
    count += 1
    if (count > MAX_LINES) {
      failAt(MAX_LINES, `The file has more than ${MAX_LINES.toLocaleString('en')} lines`)
    }
  }
}
