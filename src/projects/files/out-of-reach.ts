import { errorCode } from '../../lib/error-code.ts'

const CODES = new Set(['EACCES', 'EPERM', 'EIO', 'EBUSY', 'ESTALE'])

/** What one file or folder has and the others have not: no right to read it, a bad spot on the disk. */
export function isOutOfReach(error: unknown): boolean {
  return CODES.has(errorCode(error))
}
