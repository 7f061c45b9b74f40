import { chmod, chown, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { errorCode } from '../../../lib/error-code.ts'
import { isRunByRoot } from '../../../lib/files/file-owner.ts'
import { isOpenToAllAccounts } from '../../../lib/files/installed-files.ts'
import type { BrowserAccount } from './isolation.ts'

const PREFIX = 'hansard-browser'

export interface BrowserProfile extends AsyncDisposable {
  /** The folder that holds the others. Under root the browser's account can enter it, but cannot change it. */
  readonly root: string
  /** The profile folder of the browser. */
  readonly folder: string
  /** The browser's temporary folder, removed together with the profile. */
  readonly temporary: string
  /** The folder in which Playwright, and not the browser, writes. */
  readonly artifacts: string
}

/**
 * Creates the folders of one browser, which no other account of the machine can read. Under root the browser's account
 * owns those that the browser writes to. The name of the parent folder holds the process id of the service.
 */
export async function createProfile(
  account: BrowserAccount | null,
  parent = profileParent(),
): Promise<BrowserProfile> {
  const root = await mkdtemp(join(parent, `${ownerPrefix(process.pid)}-`))
  const [folder, temporary, artifacts] = [
    join(root, 'profile'),
    join(root, 'tmp'),
    join(root, 'artifacts'),
  ]
  for (const path of [folder, temporary, artifacts]) await mkdir(path, { mode: 0o700 })
  if (account !== null) {
    for (const path of [folder, temporary]) await chown(path, account.uid, account.gid)
    // The account may pass through the parent folder, but cannot change it.
    await chown(root, 0, account.gid)
    await chmod(root, 0o710)
  }
  return { root, folder, temporary, artifacts, [Symbol.asyncDispose]: () => remove(root) }
}

/** The temporary folder; under root one that the browser's account can enter. */
function profileParent(): string {
  return isRunByRoot() && !isOpenToAllAccounts(tmpdir()) ? '/tmp' : tmpdir()
}

/** Removes the profile folders of service processes on this machine that were killed, and returns how many. */
export async function removeOrphanedProfiles(parent = profileParent()): Promise<number> {
  const names = await readdir(parent)
  const left = names.filter((name) => {
    const pid = ownerOf(name)
    return pid !== null && !isPidAlive(pid)
  })
  for (const name of left) await remove(join(parent, name))
  return left.length
}

/**
 * The start of the folder names of one process. It includes the host name, because containers that share the parent
 * folder may have equal process ids.
 */
function ownerPrefix(pid: number | string): string {
  return `${PREFIX}-${hostname().replace(/[^A-Za-z0-9]/g, '_')}-${pid}`
}

function ownerOf(name: string): number | null {
  const [, pid] = new RegExp(`^${ownerPrefix('(\\d+)')}-\\w{6}$`).exec(name) ?? []
  return pid === undefined ? null : Number(pid)
}

export function isPidAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    if (errorCode(error) === 'EPERM') return true
    if (errorCode(error) === 'ESRCH') return false
    throw error
  }
}

/**
 * Removes a profile folder. It retries, because the last process of the browser may still write after the first has
 * ended.
 */
async function remove(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
}
