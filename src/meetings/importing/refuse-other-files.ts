import { failAt } from './formats/found-transcript.ts'

/** How files begin that are not text, or that hold no plain transcript, and what to do instead. */
const OTHER_FILES: ReadonlyArray<{ start: RegExp; reason: string }> = [
  {
    start: /^PK\p{Cc}/u,
    reason: 'This is a Word document or a ZIP file. Export the transcript as text or WebVTT',
  },
  { start: /^%PDF-/, reason: 'This is a PDF. Export the transcript as text or WebVTT' },
  { start: /^\{\\rtf/, reason: 'This is an RTF document. Save it as plain text' },
  {
    start: /^\s*<(?:!doctype html|html[\s>])/i,
    reason: 'This is a web page. Export the transcript as text or WebVTT',
  },
]

/** Fails for a file that is empty or not a text, so that nobody imports its bytes as something that was said. */
export function refuseOtherFiles(text: string): void {
  if (text.trim() === '') failAt(1, 'The file is empty')
  for (const { start, reason } of OTHER_FILES) if (start.test(text)) failAt(1, reason)
  const nul = text.indexOf('\0')
  if (nul === -1) return
  const line = text.slice(0, nul).split('\n').length
  failAt(line, 'The text contains NUL characters. Save the file as UTF-8')
}
