import { chmodSync, chownSync, lstatSync, mkdirSync, mkdtempSync, readdirSync } from 'node:fs'
import { statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { INSTALLATION_FOLDER } from '../../../src/config/load-config.ts'
import { HOME_FOLDER_NAME, toTestDataFolder, type TestDataFolder } from './service-process.ts'

export type Account = { uid: number; gid: number }

export const IS_ROOT = process.getuid?.() === 0
/** An account with a name on every Linux. */
export const NAMED_ACCOUNT: Account = { uid: 65534, gid: 65534 }
/** A user id that no system gives to an account. */
export const NAMELESS_ACCOUNT: Account = { uid: 1_987_654, gid: 1_987_654 }

/** Why a test cannot run programs as another account; false if it can. */
export function whyNoOtherAccount(): string | false {
  if (!IS_ROOT) return 'only root can run programs as another account'
  const closed = [INSTALLATION_FOLDER, process.execPath, tmpdir()].find((path) => !isOpen(path))
  return closed === undefined ? false : `other accounts cannot read ${closed}`
}

function isOpen(path: string): boolean {
  const isReadable = (statSync(path).mode & 0o005) === 0o005
  return isReadable && (path === dirname(path) || isOpen(dirname(path)))
}

/** A data folder that belongs to the account, in a place that the account can enter. */
export function createDataFolderOf(account: Account): TestDataFolder {
  const place = mkdtempSync(join(tmpdir(), 'hansard-account-'))
  chmodSync(place, 0o755)
  for (const name of ['data', HOME_FOLDER_NAME]) {
    const folder = join(place, name)
    mkdirSync(folder, { mode: 0o700 })
    chownSync(folder, account.uid, account.gid)
  }
  return toTestDataFolder(place, 'data')
}

/** Paths in the folder that do not belong to the account. */
export function listEntriesOfOthers(folder: string, { uid, gid }: Account): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => {
      const found = lstatSync(path, { throwIfNoEntry: false })
      return found !== undefined && (found.uid !== uid || found.gid !== gid)
    })
}
