import { failAt } from './found-transcript.ts'

/** A line of a file without its line break. Lines count from 1. */
export type TextLine = { line: number; text: string }

/** A longer line is not something that a person said. */
export const MAX_LINE_CHARS = 100_000

export const LINE_BREAK = /[\n\u2028\u2029]/g

/** Splits a text whose line breaks are `\n` into lines, without spaces at their ends. Fails for a line that is too long. */
export function splitLines(text: string): TextLine[] {
  return text.split(LINE_BREAK).map((raw, index) => {
    if (raw.length > MAX_LINE_CHARS) {
      failAt(index + 1, `The line is longer than ${MAX_LINE_CHARS.toLocaleString('en')} characters`)
    }
    return { line: index + 1, text: raw.trimEnd() }
  })
}

/** Groups of lines with an empty line between them. */
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

/** Whether a line holds nothing that can be said: the fence or the emphasis of markdown, or a rule. */
export function isDecoration(text: string): boolean {
  return !/[\p{L}\p{N}]/u.test(text)
}
