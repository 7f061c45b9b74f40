import { readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { errorCode } from '../../lib/error-code.ts'

/** Contents of postmaster.pid, the file that a running server writes into its cluster folder. */
export type PostmasterPidFile = { pid: number; isReady: boolean }

export function readPostmasterPidFileIfExists(clusterFolder: string): PostmasterPidFile | null {
  let lines: string[]
  try {
    lines = readFileSync(join(clusterFolder, 'postmaster.pid'), 'utf8').split('\n')
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null
    throw error
  }
  return {
    pid: Number(lines[0]),
    isReady: lines[7]?.trim() === 'ready',
  }
}

/** A server fills its lock file within milliseconds, so a file that stays empty this long is stale. */
const STALE_LOCK_MS = 10_000

/** Removes an empty lock file that a server left when it crashed or the disk was full. */
export function removeStaleEmptyLock(clusterFolder: string): void {
  const file = join(clusterFolder, 'postmaster.pid')
  const found = statSync(file, { throwIfNoEntry: false })
  if (found?.size === 0 && Date.now() - found.mtimeMs > STALE_LOCK_MS) rmSync(file, { force: true })
}

export function isProcessAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // EPERM means that the process is alive and belongs to another account.
    return errorCode(error) === 'EPERM'
  }
}
