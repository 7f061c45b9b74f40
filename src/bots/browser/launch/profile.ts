import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { errorCode } from '../../../lib/error-code.ts'

const PREFIX = 'hansard-browser'

export interface BrowserProfile extends AsyncDisposable {
  /** The profile folder of the browser. */
  readonly folder: string
  /** The browser's temporary folder, removed together with the profile. */
  readonly temporary: string
}

/**
 * Creates a profile folder for one browser, which other users of the machine cannot read. The folder name holds the
 * process id of the service.
 */
export async function createProfile(parent = tmpdir()): Promise<BrowserProfile> {
  const folder = await mkdtemp(join(parent, `${ownerPrefix(process.pid)}-`))
  const temporary = join(folder, 'tmp')
  await mkdir(temporary)
  return { folder, temporary, [Symbol.asyncDispose]: () => remove(folder) }
}

/** Removes the profile folders of service processes on this machine that were killed, and returns how many. */
export async function removeOrphanedProfiles(parent = tmpdir()): Promise<number> {
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
