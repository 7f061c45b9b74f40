import { failAt } from './found-transcript.ts'

/** A line of a file without its line break. Line numbers start at 1. */
export type TextLine = { line: number; text: string }

/** Nobody says a line longer than this. */
export const MAX_LINE_CHARS = 100_000

export const LINE_BREAK = /[\n\u2028\u2029]/g

/** The longest meeting that can be imported, the same as for a bot. */
const MAX_HOURS = 7 * 24

const CLOCK = /^(?:(\d{1,4}):)?(\d{1,4}):(\d{2})(?:[.,](\d{1,9}))?$/

/** A time since the start of a meeting, or the reason why a text is not one. */
export type ClockTime = { ms: number } | { problem: string }

/** Splits a text with `\n` line breaks into lines, and trims their ends. Fails if a line is too long. */
export function splitLines(text: string): TextLine[] {
  return text.split(LINE_BREAK).map((raw, index) => {
    if (raw.length > MAX_LINE_CHARS) {
      failAt(index + 1, `The line is longer than ${MAX_LINE_CHARS.toLocaleString('en')} characters`)
    }
    return { line: index + 1, text: raw.trimEnd() }
  })
}

/** Groups of lines without an empty line in them. */
export type TextBlocks = ReadonlyArray<readonly TextLine[]>

/** Groups lines that have an empty line between them. */
export function splitBlocks(lines: readonly TextLine[]): TextLine[][] {
  const blocks: TextLine[][] = []
  let isOpen = false
  for (const line of lines) {
    if (line.text.trim() === '') isOpen = false
    else if (isOpen) blocks.at(-1)?.push(line)
    else {
      blocks.push([line])
      isOpen = true
    }
  }
  return blocks
}

export function joinTexts(lines: readonly TextLine[]): string {
  return lines.map(({ text }) => text.trim()).join(' ')
}

/** True if a line contains nothing that can be said: a markdown fence or emphasis, or a rule. */
export function isDecoration(text: string): boolean {
  return !/[\p{L}\p{N}]/u.test(text)
}

/** Parses `H:MM:SS` or `MM:SS`, optionally with a fraction of a second after a point or a comma. */
export function parseClockTime(text: string): ClockTime {
  const parts = CLOCK.exec(text.trim())
  if (parts === null) return { problem: `“${shorten(text)}” is not a time such as 00:01:23` }
  const [, hours, minutes = '', seconds = '', fraction = ''] = parts
  if (hours !== undefined && Number(minutes) >= 60) {
    return { problem: `“${shorten(text)}” has ${minutes} minutes, and an hour has 60` }
  }
  if (Number(seconds) >= 60) {
    return { problem: `“${shorten(text)}” has ${seconds} seconds, and a minute has 60` }
  }
  const ms =
    (Number(hours ?? 0) * 3600 + Number(minutes) * 60 + Number(seconds)) * 1000 +
    Number(fraction.padEnd(3, '0').slice(0, 3))
  if (ms > MAX_HOURS * 3_600_000) {
    return { problem: `“${shorten(text)}” is more than ${MAX_HOURS} hours after the start` }
  }
  return { ms }
}

/** Shortens a text from the file for an error message. */
export function shorten(text: string): string {
  const line = text.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim()
  const characters = Array.from(line.slice(0, 200))
  return characters.length <= 40 ? line : `${characters.slice(0, 40).join('')}…`
}
