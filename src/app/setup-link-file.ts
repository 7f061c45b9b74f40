import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { SETUP_SECONDS } from '../accounts/users/invitations.ts'
import { inheritOwnerSync } from '../lib/files/file-owner.ts'
import type { Log } from '../log.ts'

const CHECK_INTERVAL_MS = 1_000

/** The file with the set-up link, for a service whose output is kept as a log. */
export function setupLinkPath(dataFolder: string): string {
  return join(dataFolder, 'run', 'setup-link')
}

type Parts = {
  dataFolder: string
  link: string
  expiresInMs?: number
  hasUsers(): Promise<boolean>
  log: Log
}

/**
 * Writes the link into a file that only this account can read. The file is removed when the first user exists, no
 * matter who created it, when the link has expired, and on disposal.
 */
export function keepSetupLinkFile({ dataFolder, link, hasUsers, log, ...options }: Parts) {
  const { expiresInMs = SETUP_SECONDS * 1_000 } = options
  const path = setupLinkPath(dataFolder)
  // Renamed, because nodes that share the folder may write at the same time. Each of their links works.
  const fresh = `${path}.${randomUUID()}`
  writeFileSync(fresh, `${link}\n`, { mode: 0o600, flag: 'wx' })
  inheritOwnerSync(fresh)
  renameSync(fresh, path)
  const writtenAt = performance.now()
  const check = async () => {
    try {
      if (performance.now() - writtenAt < expiresInMs && !(await hasUsers())) return
      if (!isClosed) close()
    } catch (error) {
      log.debug({ err: error }, 'failed to check whether the set-up link was used')
    }
  }
  const timer = setInterval(() => void check(), CHECK_INTERVAL_MS)
  timer.unref()
  let isClosed = false
  const close = () => {
    isClosed = true
    clearInterval(timer)
    // Another node that shares the folder may have written its own link since.
    if (existsSync(path) && readFileSync(path, 'utf8') === `${link}\n`)
      removeSetupLinkFile(dataFolder)
  }
  return { path, [Symbol.dispose]: close }
}

export function removeSetupLinkFile(dataFolder: string): void {
  rmSync(setupLinkPath(dataFolder), { force: true })
}
