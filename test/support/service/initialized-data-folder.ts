import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { errorCode } from '../../../src/lib/error-code.ts'
import { requireEnv } from '../database/test-database.ts'
import { eventually } from '../time/eventually.ts'
import {
  createTestDataFolder,
  startServiceProcess,
  type TestDataFolder,
} from './service-process.ts'

/** Longer than a start and a stop may take together. */
const WAIT_MS = 220_000

/**
 * A place in which a service was once, before anybody came: for what is not about a first start. To set a
 * database up takes longer than all else that a start does, so that is done once for the whole run.
 */
export async function createInitializedDataFolder(): Promise<TestDataFolder> {
  const used = await findInitializedData()
  const place = createTestDataFolder()
  // The database belongs to another account where this one is root, and it insists on that.
  execFileSync('cp', ['-a', used, place.data])
  return place
}

/** The data folder to copy, made by the test file that needs it first. */
async function findInitializedData(): Promise<string> {
  const used = join(requireEnv('TEST_SCRATCH'), 'used')
  if (!existsSync(used) && isFirst(`${used}.claim`)) {
    await using place = createTestDataFolder()
    await (await startServiceProcess(place.env)).stop('SIGTERM')
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
