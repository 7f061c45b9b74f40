import { OperatorError, ServiceError } from '../errors.ts'

/** Prints an error and its fix, and sets the exit code. Only unexpected errors are printed with their stack trace. */
export function printErrorAndSetExitCode(error: unknown, asJson: boolean): void {
  process.exitCode = 1
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
  return {
    text: error instanceof Error ? (error.stack ?? error.message) : String(error),
    fix: undefined,
  }
}
