import { mkdirSync } from 'node:fs'
import { errorCode } from '../../src/lib/error-code.ts'

/** Creates this folder. True for the first of all processes, which may do what only one of them should do. */
export function takeFirst(path: string): boolean {
  try {
    mkdirSync(path)
    return true
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false
    throw error
  }
}
