import { OperatorError, ServiceError } from '../errors.ts'
import { errorCode } from '../lib/error-code.ts'

/**
 * Prints an error and its fix, and sets the exit code, unless the command has set another one. Only unexpected errors are
 * printed with their stack trace.
 */
export function printErrorAndSetExitCode(error: unknown, asJson: boolean): void {
  process.exitCode ||= 1
  const { text, fix } = describeError(error)
  if (asJson) process.stderr.write(`${JSON.stringify({ error: text, ...(fix && { fix }) })}\n`)
  else process.stderr.write(`hansard: ${text}\n${fix ? `  ${fix}\n` : ''}`)
}

/** Errors of the file system that are no fault of the program. Their messages name the path. */
const FILE_ERROR_FIXES: Readonly<Record<string, string>> = {
  EACCES: 'Give this account permission, or use the account that owns the file',
  EPERM: 'Give this account permission, or use the account that owns the file',
  EROFS: 'Choose a path on a file system that can be written',
  ENOSPC: 'Free some disk space, then try again',
  EDQUOT: 'Free some disk space, then try again',
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
