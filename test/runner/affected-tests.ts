import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path/posix'

/** A change of one of these can affect every test. */
const AFFECTS_ALL =
  /^(?:package(?:-lock)?\.json|tsconfig\.json|src\/db\/migrations\/.*|test\/(?:run\.ts|runner\/.*|support\/.*))$/

/** Files that use others without naming them. */
const UNNAMED: Readonly<Record<string, readonly string[]>> = {
  // The test run builds the console before the tests.
  'test/support/browser/console-pages.ts': ['web'],
}

const CODE = /\.(?:[cm]?[jt]sx?|css|html)$/
/** Imports of types are erased, so they affect no test. */
const TYPE_IMPORT = /^(?:import|export) type [^'"]*from '[^']+'$/gm
const QUOTED = /'([^'\n]+)'|"([^"\n]+)"|`([^`$\n]+)`/g

/** The files of the repository, and the files that differ from the commit, including new and removed ones. */
export function listRepositoryFiles(
  root: string,
  commit: string,
): { files: string[]; changed: string[] } {
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: root, encoding: 'utf8' }).split('\n').filter(Boolean)
  const added = git('ls-files', '--others', '--exclude-standard')
  return {
    files: [...git('ls-files'), ...added],
    changed: [...git('diff', '--name-only', '--no-renames', commit), ...added],
  }
}

/**
 * The tests that reach a changed file by imports, or because they name its path or folder. A name that only looks like
 * a path adds unaffected tests, which is harmless.
 */
export function findAffectedTests(
  root: string,
  { files, changed }: { files: readonly string[]; changed: readonly string[] },
  tests: readonly string[],
): string[] {
  if (changed.some((file) => AFFECTS_ALL.test(file))) return [...tests]
  const users = findUsers(root, [...new Set([...files, ...changed])])
  const affected = new Set<string>()
  const pending = [...changed]
  for (let file = pending.pop(); file !== undefined; file = pending.pop()) {
    if (affected.has(file)) continue
    affected.add(file)
    pending.push(...[file, ...parentsOf(file)].flatMap((path) => users.get(path) ?? []))
  }
  return tests.filter((test) => affected.has(test))
}

/** For each path, the files that name it. */
function findUsers(root: string, files: readonly string[]): Map<string, string[]> {
  const users = new Map<string, string[]>()
  const known = new Set(files.flatMap((file) => [file, ...parentsOf(file)]))
  for (const file of files.filter((path) => CODE.test(path) && existsSync(join(root, path)))) {
    const used = new Set([...(UNNAMED[file] ?? []), ...listNamedPaths(root, file, known)])
    for (const path of used) users.set(path, [...(users.get(path) ?? []), file])
  }
  return users
}

/** The known files and folders that a file names, relative to itself or to the root. Only tests read folders. */
function listNamedPaths(root: string, file: string, known: ReadonlySet<string>): string[] {
  const text = readFileSync(join(root, file), 'utf8').replaceAll(TYPE_IMPORT, '')
  const names = [...text.matchAll(QUOTED)].map(([, a, b, c]) => a ?? b ?? c ?? '')
  const paths = names.flatMap((name) => [
    join(dirname(file), name.endsWith('-worker') ? `${name}.ts` : name),
    normalize(name),
  ])
  const isTest = file.endsWith('.test.ts')
  return paths.filter((path) => known.has(path) && (isTest || path.includes('.')))
}

/** The folders that contain the file, without the root. */
function parentsOf(file: string): string[] {
  const folder = dirname(file)
  return folder === '.' ? [] : [folder, ...parentsOf(folder)]
}
