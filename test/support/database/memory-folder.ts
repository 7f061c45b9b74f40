import { existsSync, mkdtempSync, readdirSync, rmSync, statfsSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const MEMORY = '/dev/shm'
const NAME = 'hansard-test-'
/** Far more than a run needs, because browsers use this memory too. */
const MIN_FREE_BYTES = 6 * 2 ** 30

/** No test run lasts this long. */
const LEFTOVER_AGE_MS = 6 * 3_600_000

/** Creates a folder in memory, where files are fast, or in the temporary folder when memory is scarce. */
export function createMemoryFolder(): string {
  if (!hasEnoughMemory()) return mkdtempSync(join(tmpdir(), NAME))
  removeLeftovers()
  return mkdtempSync(join(MEMORY, NAME))
}

function hasEnoughMemory(): boolean {
  if (!existsSync(MEMORY)) return false
  const { bavail, bsize } = statfsSync(MEMORY)
  return Math.min(bavail * bsize, process.availableMemory()) > MIN_FREE_BYTES
}

/** Removes the folders of killed runs, which would use memory forever. */
function removeLeftovers(): void {
  for (const name of readdirSync(MEMORY)) {
    const folder = join(MEMORY, name)
    const made = name.startsWith(NAME) ? statSync(folder, { throwIfNoEntry: false }) : undefined
    if (made !== undefined && Date.now() - made.mtimeMs > LEFTOVER_AGE_MS) {
      rmSync(folder, { recursive: true, force: true })
    }
  }
}
