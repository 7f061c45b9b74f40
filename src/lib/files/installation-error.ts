import { OperatorError } from '../../errors.ts'
import { errorCode } from '../error-code.ts'

const NOT_WRITABLE_CODES = new Set(['EACCES', 'EPERM', 'EROFS'])

/**
 * Turns the error of an account that may not write to the installation into one that names the command to run. Other
 * errors are returned unchanged.
 */
export function explainIfInstallationNotWritable(
  error: unknown,
  { missing, command }: { missing: string; command: string },
): unknown {
  if (!NOT_WRITABLE_CODES.has(errorCode(error))) return error
  return new OperatorError(
    `${missing}, and this account cannot write to the installation`,
    `Run with the account that owns the installation: ${command}`,
    error,
  )
}
