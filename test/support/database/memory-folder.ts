import { spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statfsSync,
  statSync,
} from 'node:fs'
import { writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const MEMORY = '/dev/shm'
const NAME = 'hansard-test-'
/** A run needs far less, but browsers use this memory too. */
const MIN_FREE_BYTES = 6 * 2 ** 30

/** No test run lasts this long. */
const LEFTOVER_AGE_MS = 6 * 3_600_000

/** Creates a folder in memory, where files are fast. If memory is scarce, uses the temporary folder. */
export function createMemoryFolder(): string {
  if (!hasEnoughMemory()) return mkdtempSync(join(tmpdir(), NAME))
  removeLeftovers()
  return mkdtempSync(join(MEMORY, NAME))
}

/**
 * Creates the folder for the tests' own files in the memory folder. If memory is mounted without the right to execute
 * files, uses the temporary folder, because some tests write programs and run them.
 */
export function createScratchFolder(memoryFolder: string): string {
  const folder = join(memoryFolder, 'scratch')
  mkdirSync(folder, { mode: 0o700 })
  return canExecuteFiles(folder) ? folder : mkdtempSync(join(tmpdir(), NAME))
}

function canExecuteFiles(folder: string): boolean {
  const program = join(folder, 'probe')
  writeFileSync(program, '#!/bin/sh\n', { mode: 0o700 })
  const { status } = spawnSync(program)
  rmSync(program)
  return status === 0
}

function hasEnoughMemory(): boolean {
  if (!existsSync(MEMORY)) return false
  const { bavail, bsize } = statfsSync(MEMORY)
  return Math.min(bavail * bsize, process.availableMemory()) > MIN_FREE_BYTES
}

/** Removes the folders of killed runs. They would otherwise use memory forever. */
function removeLeftovers(): void {
  for (const name of readdirSync(MEMORY)) {
    const folder = join(MEMORY, name)
    const made = name.startsWith(NAME) ? statSync(folder, { throwIfNoEntry: false }) : undefined
    if (made !== undefined && Date.now() - made.mtimeMs > LEFTOVER_AGE_MS) {
      rmSync(folder, { recursive: true, force: true })
    }
  }
}
