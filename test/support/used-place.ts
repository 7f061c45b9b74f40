import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { errorCode } from '../../src/lib/error-code.ts'
import { required } from './database.ts'
import { eventually } from './eventually.ts'
import { makePlace, startProcess, type Place } from './process.ts'

/** Longer than a start and a stop may take together. */
const WAIT_MS = 220_000

/**
 * A place in which a service was once, before anybody came: for what is not about a first start. To set a
 * database up takes longer than all else that a start does, so that is done once for the whole run.
 */
export async function makeUsedPlace(): Promise<Place> {
  const used = await usedData()
  const place = makePlace()
  // The database belongs to another account where this one is root, and it insists on that.
  execFileSync('cp', ['-a', used, place.data])
  return place
}

/** The data folder to copy, made by the test file that needs it first. */
async function usedData(): Promise<string> {
  const used = join(required('TEST_SCRATCH'), 'used')
  if (!existsSync(used) && isFirst(`${used}.claim`)) {
    await using place = makePlace()
    await (await startProcess(place.env)).stop('SIGTERM')
    renameSync(place.data, used)
  }
  await eventually(() => (existsSync(used) ? true : null), WAIT_MS)
  return used
}

function isFirst(claim: string): boolean {
  try {
    mkdirSync(claim)
    return true
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false
    throw error
  }
}
