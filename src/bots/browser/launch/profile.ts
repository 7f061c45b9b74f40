import { chmod, chown, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { errorCode } from '../../../lib/error-code.ts'
import { isRunByRoot } from '../../../lib/files/file-owner.ts'
import { isOpenToAllAccounts } from '../../../lib/files/installed-files.ts'
import type { BrowserAccount } from './isolation.ts'

const PREFIX = 'hansard-browser'

export interface BrowserProfile extends AsyncDisposable {
  /** The parent of the other folders. Under root, the browser's account can enter it but not change it. */
  readonly root: string
  /** The profile folder. */
  readonly folder: string
  /** The browser's temporary folder, which is removed together with the profile. */
  readonly temporary: string
  /** Only Playwright writes to this folder, not the browser. */
  readonly artifacts: string
}

/**
 * Creates the folders of one browser. No other account of the machine can read them. Under root, the browser's account
 * owns the folders that the browser writes to. The parent folder's name holds the service's process id.
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
    // The account may pass through the parent folder, but not change it.
    await chown(root, 0, account.gid)
    await chmod(root, 0o710)
  }
  return { root, folder, temporary, artifacts, [Symbol.asyncDispose]: () => remove(root) }
}

/** The temporary folder. Under root, it must be one that the browser's account can enter. */
function profileParent(): string {
  return isRunByRoot() && !isOpenToAllAccounts(tmpdir()) ? '/tmp' : tmpdir()
}

/** Removes the profile folders that killed service processes left on this machine, and returns how many. */
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
 * The start of one process's folder names. It includes the host name, because containers that share the parent folder
 * may have equal process ids.
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

/** Removes a profile folder. It retries, because the browser's last process may write after the first has ended. */
async function remove(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
}
