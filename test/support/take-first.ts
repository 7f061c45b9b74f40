import { mkdirSync } from 'node:fs'
import { errorCode } from '../../src/lib/error-code.ts'

/** Creates this folder. Returns true in only one process, which may then do what only one process should do. */
export function takeFirst(path: string): boolean {
  try {
    mkdirSync(path)
    return true
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false
    throw error
  }
}
