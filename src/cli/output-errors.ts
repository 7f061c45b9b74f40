import { OperatorError } from '../errors.ts'
import { errorCode, errorMessageOf } from '../lib/error-code.ts'
import { printErrorAndSetExitCode } from './print-error.ts'

/**
 * Without this, an error of standard output or standard error ends the process with a stack trace. A reader that wants
 * no more output, as in `hansard config | head -1`, is no error: the command goes on without printing.
 */
export function keepRunningOnOutputErrors(asJson: boolean): void {
  let failure: Error | null = null
  process.stdout.on('error', (error) => {
    if (errorCode(error) !== 'EPIPE') failure ??= error
  })
  // Nothing can be reported when standard error itself cannot be written.
  process.stderr.on('error', () => undefined)
  process.on('exit', () => {
    // A command that has failed has already reported the reason.
    if (failure === null || process.exitCode === 1) return
    const text = `The output could not be written: ${errorMessageOf(failure)}`
    printErrorAndSetExitCode(new OperatorError(text, undefined, failure), asJson)
  })
}
