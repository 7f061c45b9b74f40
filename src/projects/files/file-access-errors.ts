import { errorCode } from '../../lib/error-code.ts'

const ACCESS_ERROR_CODES = new Set(['EACCES', 'EPERM', 'EIO', 'EBUSY', 'ESTALE'])

/** What one file or folder has and the others have not: no right to read it, a bad spot on the disk. */
export function isFileAccessError(error: unknown): boolean {
  return ACCESS_ERROR_CODES.has(errorCode(error))
}
