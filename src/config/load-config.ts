import { readFileSync, existsSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { join, isAbsolute, resolve } from 'node:path'
import { parseEnv } from 'node:util'
import { OperatorError, PermanentError } from '../lib/operator-error.ts'
import { errorCode, errorMessageOf } from '../lib/error-code.ts'
import { parseConfig, type Config } from './config.ts'

/** Written by `npm pack`, because a package has no Git folder. */
export const COMMIT_FILE = 'dist/js/commit'

/**
 * True for the installed npm package, whose code is compiled to `dist/js`, and false for a clone. Nothing is written
 * into a package's folder.
 */
export const IS_PACKAGE = import.meta.filename.endsWith('.js')

/** The installation folder, which contains package.json. */
export const INSTALLATION_FOLDER = join(import.meta.dirname, IS_PACKAGE ? '../../../..' : '../..')

export const HANSARD_VERSION = (
  JSON.parse(readFileSync(join(INSTALLATION_FOLDER, 'package.json'), 'utf8')) as { version: string }
).version

const commit = readCommit(INSTALLATION_FOLDER)
/** The version, with its commit if that is known, for people who report or examine a problem. */
export const HANSARD_BUILD = commit === null ? HANSARD_VERSION : `${HANSARD_VERSION} (${commit})`

/** Environment and home folder for programs that Hansard starts. */
export const PROCESS_ENV_AND_HOME = { env: process.env, home: findHomeFolder() }

/** If HOME is not set, the system does not know the home folder of a user id without a name. */
function findHomeFolder(): string {
  try {
    return homedir()
  } catch (error) {
    if (errorCode(error) === 'ERR_SYSTEM_ERROR') return '/'
    throw error
  }
}

/** Null in a clone, which has everything in its own folder. */
const USER_PATHS = IS_PACKAGE ? findUserPaths(PROCESS_ENV_AND_HOME) : null

export const SETTINGS_FILE = USER_PATHS?.settingsFile ?? join(INSTALLATION_FOLDER, '.env')

/** Folder for data that can be recreated: the unpacked browser and compiled code. */
export function findCacheFolder({ data }: Pick<Config, 'data'>): string {
  return IS_PACKAGE ? join(data, 'cache') : join(INSTALLATION_FOLDER, 'node_modules/.cache')
}

const ENV_LINE = /^\s*(#.*)?$|^\s*(export\s+)?[A-Za-z_]\w*\s*=/

/** Loads the settings from the environment and the optional file. The environment has priority. */
export function loadConfig(): Config {
  return parseConfig({
    env: process.env,
    file: readEnvFile(SETTINGS_FILE),
    root: IS_PACKAGE ? process.cwd() : INSTALLATION_FOLDER,
    defaultData: USER_PATHS?.data,
  })
}

/**
 * Folder for a copy of the packaged PostgreSQL with the links that it needs, because nothing is written into an
 * installed package's folder. Null in a clone.
 */
export function findPostgresCopiesFolder(config: Pick<Config, 'data'>): string | null {
  return IS_PACKAGE ? findCacheFolder(config) : null
}

/** Settings for commands that call a running service, possibly on another machine. */
export type ClientSettings = { url: string; apiKey: string | undefined }

/** Loads the settings of client commands without `loadConfig`, because a client machine has no service to configure. */
export function loadClientSettings(): ClientSettings {
  const file = readEnvFile(SETTINGS_FILE)
  const pick = (name: string) => process.env[name] || file[name] || undefined
  return { url: pick('HANSARD_URL') ?? 'http://127.0.0.1:8080', apiKey: pick('HANSARD_API_KEY') }
}

export function readEnvFile(path: string): Record<string, string> {
  let content: string
  try {
    content = readFileSync(path, 'utf8')
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return {}
    throw new OperatorError(`${path} cannot be read: ${errorMessageOf(error)}`, undefined, error)
  }
  const broken = content.split(/\r?\n/).findIndex((line) => !ENV_LINE.test(line))
  if (broken >= 0) {
    throw new PermanentError(
      `${path}, line ${broken + 1}: expected NAME=value`,
      'Start the line with # to make it a comment',
    )
  }
  return parseEnv(content) as Record<string, string>
}

/**
 * Where the installed package finds its data and settings, by the XDG base directory specification. It says that a
 * relative path in one of its variables is to be ignored.
 */
export function findUserPaths({
  env,
  home,
}: {
  env: Readonly<Record<string, string | undefined>>
  home: string
}): { data: string; settingsFile: string } {
  const folder = (name: string, standard: string) => {
    const given = env[name] ?? ''
    return join(isAbsolute(given) ? given : join(home, standard), 'hansard')
  }
  return {
    data: folder('XDG_DATA_HOME', '.local/share'),
    settingsFile: join(folder('XDG_CONFIG_HOME', '.config'), '.env'),
  }
}

/** The commit of the code in an installation, shortened. Null if it is not known. */
export function readCommit(root: string): string | null {
  const commit = readGitCommit(root) ?? readIfExists(join(root, COMMIT_FILE))
  return commit === null || !/^[0-9a-f]{12}/.test(commit) ? null : commit.slice(0, 12)
}

/** Reads Git's files directly, because the program may be missing and starts slowly. */
function readGitCommit(root: string): string | null {
  const folder = findGitFolder(root)
  const head = readIfExists(join(folder, 'HEAD'))?.trim() ?? null
  if (head === null || !head.startsWith('ref: ')) return head
  const name = head.slice('ref: '.length)
  if (isAbsolute(name) || name.includes('..')) return null
  // A worktree shares the branches of its repository.
  const shared = resolve(folder, readIfExists(join(folder, 'commondir'))?.trim() ?? '')
  const packed = readIfExists(join(shared, 'packed-refs')) ?? ''
  const line = packed.split('\n').find((one) => one.endsWith(` ${name}`))
  return readIfExists(join(shared, name)) ?? line ?? null
}

/** In a worktree, `.git` is a file that names the folder. */
function findGitFolder(root: string): string {
  const path = join(root, '.git')
  if (!statSync(path, { throwIfNoEntry: false })?.isFile()) return path
  return resolve(root, readFileSync(path, 'utf8').replace('gitdir: ', '').trim())
}

function readIfExists(path: string): string | null {
  return existsSync(path) ? readFileSync(path, 'utf8') : null
}
