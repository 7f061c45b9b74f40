import { ServiceError } from '../errors.ts'
import { OperatorError } from '../lib/operator-error.ts'
import { errorCode, errorMessageOf } from '../lib/error-code.ts'
import { escapeControlCharacters } from '../lib/text/plain-text.ts'

/** File system errors that are not the program's fault. Their messages name the path. */
const FILE_ERROR_FIXES: Readonly<Record<string, string>> = {
  EACCES: 'Give this account permission, or use the account that owns the file',
  EPERM: 'Give this account permission, or use the account that owns the file',
  EROFS: 'Choose a path on a file system that can be written',
  ENOSPC: 'Free some disk space, then try again',
  EDQUOT: 'Free some disk space, then try again',
}

export type ListedMeeting = {
  startsAt: string
  title: string
  willJoin: boolean
  reasonText: string
}

export function printJson(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value, null, 2)}\n`)
}

export function printLine(text: string): void {
  process.stdout.write(`${text}\n`)
}

/** Prints the result of one check. Escapes control characters, as a table does. */
export function printCheckLine(check: { name: string; ok: boolean; detail: string }): void {
  const [name, detail] = [check.name, check.detail].map(escapeControlCharacters)
  printLine(`${check.ok ? 'ok  ' : 'FAIL'}  ${(name ?? '').padEnd(16)} ${detail}`.trimEnd())
}

/** Prints a table. Escapes control characters, so that a name can't control the terminal or fake a row. */
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

export function printBox(lines: string[]): void {
  const width = Math.max(...lines.map((line) => line.length))
  printLine(`╭${'─'.repeat(width + 2)}╮`)
  for (const line of lines) printLine(`│ ${line.padEnd(width)} │`)
  printLine(`╰${'─'.repeat(width + 2)}╯`)
}

/** Prints an error and its fix, with a stack trace if it is unexpected. Sets the exit code unless it is already set. */
export function printErrorAndSetExitCode(error: unknown, asJson: boolean): void {
  process.exitCode ||= 1
  const { text, fix } = describeError(error)
  if (asJson) process.stderr.write(`${JSON.stringify({ error: text, ...(fix && { fix }) })}\n`)
  else process.stderr.write(`hansard: ${text}\n${fix ? `  ${fix}\n` : ''}`)
}

function describeError(error: unknown): { text: string; fix: string | undefined } {
  if (error instanceof OperatorError) return { text: error.message, fix: error.fix }
  if (error instanceof ServiceError) {
    const details = error.extras.details?.map(({ message }) => message).join('; ')
    return { text: details ?? error.message, fix: error.hint }
  }
  if (!(error instanceof Error)) return { text: String(error), fix: undefined }
  const fileErrorFix = 'syscall' in error ? FILE_ERROR_FIXES[errorCode(error)] : undefined
  if (fileErrorFix !== undefined) return { text: error.message, fix: fileErrorFix }
  return { text: error.stack ?? error.message, fix: undefined }
}

/**
 * Without this, an error of standard output or standard error would end the process with a stack trace. It is not an
 * error if a reader wants no more output, as in `hansard config | head -1`. The command continues without printing.
 */
export function keepRunningOnOutputErrors(asJson: boolean): void {
  let failure: Error | null = null
  process.stdout.on('error', (error) => {
    if (errorCode(error) !== 'EPIPE') failure ??= error
  })
  // Nothing can be reported if standard error itself can't be written.
  process.stderr.on('error', () => undefined)
  process.on('exit', () => {
    // A failed command has already reported the reason.
    if (failure === null || process.exitCode === 1) return
    const text = `The output could not be written: ${errorMessageOf(failure)}`
    printErrorAndSetExitCode(new OperatorError(text, undefined, failure), asJson)
  })
}

/** The time zone of this machine, or the one that TZ names. */
export function findMachineTimeZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone
}

/** A time of the API, such as 2026-11-15 09:30, in a time zone. */
export function formatMinute(time: string, timeZone: string): string {
  // Swedish dates have the ISO 8601 format.
  const format = new Intl.DateTimeFormat('sv-SE', {
    timeZone,
    dateStyle: 'short',
    timeStyle: 'short',
  })
  return format.format(new Date(time))
}

/** A table of meetings, with their times in a time zone. */
export function listMeetingRows(
  meetings: readonly ListedMeeting[],
  timeZone: string,
): { headings: string[]; rows: string[][] } {
  return {
    headings: [`START (${timeZone})`, '', 'TITLE', 'REASON'],
    rows: meetings.map(({ startsAt, title, willJoin, reasonText }) => [
      formatMinute(startsAt, timeZone),
      willJoin ? 'join' : 'skip',
      title,
      reasonText,
    ]),
  }
}
