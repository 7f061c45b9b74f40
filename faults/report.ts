import { mkdirSync, writeFileSync } from 'node:fs'
import { cpus, loadavg } from 'node:os'
import { dirname } from 'node:path'
import type { RowResult } from './fault-row.ts'

export type FinishedRow = { name: string; about: string; seconds: number; result: RowResult }
export type Verdict = 'pass' | 'FAIL' | 'skip'

const MAX_PROBLEMS = 10

export function verdictOf(result: RowResult): Verdict {
  if ('skipped' in result) return 'skip'
  return result.problems.length === 0 ? 'pass' : 'FAIL'
}

export function formatHeader(count: number, isShort: boolean): string {
  const load = loadavg()[0]?.toFixed(2)
  const mode = isShort ? 'short: fewer repetitions and less load' : 'full'
  return `${count} rows, three nodes, ${mode}; ${cpus().length} cores, load before: ${load}`
}

/** One line for the row, and one for each of its first problems. */
export function formatRow({ name, seconds, result }: FinishedRow): string {
  const verdict = verdictOf(result)
  const figure = 'skipped' in result ? `skipped: ${result.skipped}` : result.figure
  const line = `${verdict}  ${name.padEnd(22)} ${String(Math.round(seconds)).padStart(4)} s  ${figure}`
  if ('skipped' in result) return line
  const { problems } = result
  const shown = problems.slice(0, MAX_PROBLEMS).map((problem) => `      ${problem}`)
  const more = problems.length - shown.length
  return [line, ...shown, ...(more > 0 ? [`      and ${more} more problems`] : [])].join('\n')
}

export function formatSummary(rows: readonly FinishedRow[]): string {
  const count = (verdict: Verdict) =>
    rows.filter(({ result }) => verdictOf(result) === verdict).length
  return `${count('pass')} passed, ${count('FAIL')} failed, ${count('skip')} skipped`
}

export function writeResults(file: string, rows: readonly FinishedRow[], isShort: boolean): void {
  mkdirSync(dirname(file), { recursive: true })
  const results = rows.map(({ result, ...row }) => ({
    ...row,
    verdict: verdictOf(result).toLowerCase(),
    ...result,
  }))
  writeFileSync(
    file,
    `${JSON.stringify({ isShort, cores: cpus().length, rows: results }, null, 2)}\n`,
  )
}
