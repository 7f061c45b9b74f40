import { execFileSync } from 'node:child_process'
import { existsSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { requireEnv } from '../database/test-database.ts'
import { takeFirst } from '../take-first.ts'
import { eventually } from '../time/eventually.ts'
import {
  createTestDataFolder,
  startServiceProcess,
  type TestDataFolder,
} from './service-process.ts'

/** One start and one stop together take less time. */
const WAIT_MS = 220_000

/**
 * A data folder with a migrated database and no users, for tests that do not test a first start. Creating the database
 * is the slowest part of a start, so it is done once per test run and then copied.
 */
export async function createInitializedDataFolder(name?: string): Promise<TestDataFolder> {
  const used = await findInitializedData()
  const place = createTestDataFolder(name)
  // Under root, the database belongs to another account, and PostgreSQL checks the owner.
  execFileSync('cp', ['-a', used, place.data])
  return place
}

/** The data folder to copy. The first test file that needs it creates it. */
export async function findInitializedData(): Promise<string> {
  const used = join(requireEnv('TEST_SCRATCH'), 'used')
  if (!existsSync(used) && takeFirst(`${used}.claim`)) {
    await using place = createTestDataFolder()
    await (await startServiceProcess(place.env)).stop('SIGTERM')
    renameSync(place.data, used)
  }
  await eventually(() => (existsSync(used) ? true : null), WAIT_MS)
  return used
}
