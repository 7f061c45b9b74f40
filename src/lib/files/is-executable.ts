import { accessSync, constants } from 'node:fs'
import { errorCode } from '../error-code.ts'

/** Whether there is a program at this path that the process may start. */
export function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch (error) {
    if (['ENOENT', 'EACCES', 'ENOTDIR'].includes(errorCode(error))) return false
    throw error
  }
}
