import { readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { errorCode } from '../../lib/error-code.ts'

/** What a running server writes about itself into its cluster folder. */
export type Postmaster = { pid: number; isReady: boolean }

export function readPostmaster(cluster: string): Postmaster | null {
  let lines: string[]
  try {
    lines = readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n')
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null
    throw error
  }
  return {
    pid: Number(lines[0]),
    isReady: lines[7]?.trim() === 'ready',
  }
}

/** A server writes its lock file in a moment. */
const STALE_LOCK_MS = 10_000

/** Removes a lock file that is empty for so long that whoever made it must have crashed, or found a full disk. */
export function removeStaleEmptyLock(cluster: string): void {
  const file = join(cluster, 'postmaster.pid')
  const found = statSync(file, { throwIfNoEntry: false })
  if (found?.size === 0 && Date.now() - found.mtimeMs > STALE_LOCK_MS) rmSync(file, { force: true })
}

export function isProcessAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // EPERM: it lives, under another account.
    return errorCode(error) === 'EPERM'
  }
}
