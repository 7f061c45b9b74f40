/** A line of CSV (RFC 4180) with its line break. */
export function toCsvLine(cells: readonly string[]): string {
  return `${cells.map(toCsvCell).join(',')}\r\n`
}

/**
 * A spreadsheet treats a cell that begins with one of these characters as a formula, which can read other cells and
 * open addresses. A leading apostrophe makes it text.
 */
const FORMULA_START = /^[=+\-@\t\r]/

function toCsvCell(text: string): string {
  const safe = FORMULA_START.test(text) ? `'${text}` : text
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
