import { escapeControlCharacters } from '../lib/text/control-characters.ts'

/** Prints a value as JSON on standard output, for programs. */
export function printJson(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value, null, 2)}\n`)
}

export function printLine(text: string): void {
  process.stdout.write(`${text}\n`)
}

/** Prints the result of one check. Escapes control characters as in a table. */
export function printCheckLine(check: { name: string; ok: boolean; detail: string }): void {
  const [name, detail] = [check.name, check.detail].map(escapeControlCharacters)
  printLine(`${check.ok ? 'ok  ' : 'FAIL'}  ${(name ?? '').padEnd(16)} ${detail}`.trimEnd())
}

/** Prints a table on standard output. Escapes control characters, so that a name cannot control the terminal or fake a row. */
export function printTable(headings: string[], given: string[][]): void {
  const rows = given.map((row) => row.map(escapeControlCharacters))
  const widths = headings.map((heading, i) =>
    Math.max(heading.length, ...rows.map((row) => row[i]?.length ?? 0)),
  )
  for (const row of [headings, ...rows]) {
    printLine(
      row
        .map((cell, i) => cell.padEnd(widths[i] ?? 0))
        .join('  ')
        .trimEnd(),
    )
  }
}

/** Prints lines in a frame. */
export function printBox(lines: string[]): void {
  const width = Math.max(...lines.map((line) => line.length))
  printLine(`╭${'─'.repeat(width + 2)}╮`)
  for (const line of lines) printLine(`│ ${line.padEnd(width)} │`)
  printLine(`╰${'─'.repeat(width + 2)}╯`)
}
