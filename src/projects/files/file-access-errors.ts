import { errorCode } from '../../lib/error-code.ts'

const ACCESS_ERROR_CODES = new Set(['EACCES', 'EPERM', 'EIO', 'EBUSY', 'ESTALE'])

/** Whether the error concerns only this file or folder, such as a missing permission or a disk read error. */
export function isFileAccessError(error: unknown): boolean {
  return ACCESS_ERROR_CODES.has(errorCode(error))
}
