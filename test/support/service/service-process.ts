import { execFileSync } from 'node:child_process'
import { accessSync, constants, existsSync, mkdirSync, mkdtempSync, readFileSync } from 'node:fs'
import { readdirSync, readlinkSync, rmSync } from 'node:fs'
import { delimiter, join, sep } from 'node:path'
import { errorCode } from '../../../src/lib/error-code.ts'
import { INSTALLATION_FOLDER } from '../../../src/config/load-config.ts'
import { requireEnv } from '../database/test-database.ts'
import { eventually } from '../time/eventually.ts'
import { HttpClient } from '../http/http-client.ts'
import { ADMIN } from './admin-user.ts'
import {
  runProgram,
  startProgram,
  type Command,
  type Environment,
  type ExitStatus,
  type ProgramOptions,
  type ProgramResult,
  type StartedProgram,
} from './run-program.ts'

/** Only prevents hanging. A start or a stop takes much less time. */
const START_MS = 150_000
const STOP_MS = 60_000

export type { Command, Environment, ExitStatus }

/** A new data folder, and an environment with only its settings. */
export type TestDataFolder = AsyncDisposable & { data: string; env: Environment }

export type ServiceProcess = AsyncDisposable &
  Pick<StartedProgram, 'pid' | 'stdout' | 'stderr' | 'kill' | 'exited' | 'waitForExit'> & {
    url: string
    setupLink: string | null
    /** The process that listens. The launcher, whose id is `pid`, may itself be the service. */
    servicePid(): number
    /** Sends the signal and returns how the process ended. */
    stop(signal: NodeJS.Signals): Promise<ExitStatus>
    /** Every running process that uses this data folder. */
    listProcesses(): number[]
  }

export const LAUNCHER = join(INSTALLATION_FOLDER, 'bin/hansard.mjs')
/** This Node, with the option that the launcher adds when it starts Node. */
export const CURRENT_NODE: Command = [process.execPath, '--min-semi-space-size=16']

/** An older Node on the PATH. If there is none, the current Node, which then reports an older version. */
export function findOlderNode(): Command {
  const pretend = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.0.0' } })`
  const found = (process.env['PATH'] ?? '')
    .split(delimiter)
    .map((folder) => join(folder, 'node'))
    .find((path) => !path.includes(`${sep}node_modules${sep}`) && isOldNode(path))
  return found === undefined
    ? [process.execPath, '--import', `data:text/javascript,${encodeURIComponent(pretend)}`]
    : [found]
}

export function createTestDataFolder(name = 'data'): TestDataFolder {
  const place = mkdtempSync(join(requireEnv('TEST_SCRATCH'), 'place-'))
  mkdirSync(join(place, HOME_FOLDER_NAME))
  return toTestDataFolder(place, name)
}

/** Next to the data folder. */
export const HOME_FOLDER_NAME = 'home'

/** The data folder in `place`. Disposing ends all processes that use it and removes `place`. */
export function toTestDataFolder(place: string, name: string): TestDataFolder {
  const [data, home] = [join(place, name), join(place, HOME_FOLDER_NAME)]
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: home,
    HANSARD_DATA: data,
    HANSARD_PORT: '0',
    // Tests reach no website.
    HANSARD_REACHABILITY_CHECK: 'off',
  }
  return {
    data,
    env,
    async [Symbol.asyncDispose]() {
      for (const pid of listProcessesUsing(data)) killIfRunning(pid)
      await waitForNoProcesses(data)
      rmSync(place, { recursive: true, force: true })
    },
  }
}

export type RunOptions = Pick<ProgramOptions, 'input' | 'account' | 'output' | 'limitMs'> & {
  node?: Command
  launcher?: string
}

/** Runs one command until it exits. A command that does not exit is killed and fails the test. */
export function runCommand(
  args: readonly string[],
  env: Environment,
  { node = CURRENT_NODE, launcher = LAUNCHER, ...options }: RunOptions = {},
): Promise<ProgramResult> {
  return runProgram([...node, launcher, ...args], { env, cwd: env['HOME'], input: '', ...options })
}

/** Starts `hansard serve`, or a command that runs it, and waits for the startup box with its address. */
export async function startServiceProcess(
  env: Environment,
  {
    node = CURRENT_NODE,
    launcher = LAUNCHER,
    command,
    account,
  }: Pick<RunOptions, 'node' | 'launcher' | 'account'> & { command?: Command } = {},
): Promise<ServiceProcess> {
  const cwd = command === undefined ? env['HOME'] : INSTALLATION_FOLDER
  const program = startProgram(command ?? [...node, launcher, 'serve'], { env, cwd, account })
  const data = env['HANSARD_DATA'] ?? ''
  const stop = async (signal: NodeJS.Signals) => {
    program.kill(signal)
    return await program.waitForExit(STOP_MS)
  }
  await program.waitForOutput(/╰.*\n/, START_MS)
  const shown = program.stdout()
  const [, url] = /Hansard +(\S+)/.exec(shown) ?? []
  if (url === undefined) throw new Error(`no address in ${shown}`)
  const [, linkFile] = /Set up +by the link in (.*\S) +│/.exec(shown) ?? []
  return {
    ...program,
    url,
    setupLink: linkFile === undefined ? null : readFileSync(linkFile, 'utf8').trim(),
    servicePid() {
      const occupant = readFileSync(join(data, 'run/service.json'), 'utf8')
      return (JSON.parse(occupant) as { pid: number }).pid
    },
    stop,
    listProcesses: () => listProcessesUsing(data),
    async [Symbol.asyncDispose]() {
      if (program.isRunning()) await stop('SIGTERM')
    },
  }
}

/** Creates the first user with the set-up link. If the user exists, signs in. */
export async function signInAsAdmin(service: ServiceProcess): Promise<HttpClient> {
  const person = new HttpClient(service.url)
  const { email, password } = ADMIN
  const code = service.setupLink?.split('#')[1]
  const { status } =
    code === undefined
      ? await person.post('/web/sign-in', { email, password })
      : await person.post('/web/setup', { ...ADMIN, code })
  if (status !== 200 && status !== 201) throw new Error(`failed to sign in: status ${status}`)
  return person
}

/** Resolves when no process uses this data folder any longer. */
export async function waitForNoProcesses(data: string): Promise<void> {
  await eventually(() => (listProcessesUsing(data).length === 0 ? true : null))
}

/** Running processes that have this data folder as working directory, in their arguments or in their environment. */
export function listProcessesUsing(data: string): number[] {
  if (existsSync('/proc/self/environ')) {
    const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
    return pids.filter((pid) => usesDataFolder(`/proc/${pid}`, data)).map(Number)
  }
  return execFileSync('ps', ['-axww', '-o', 'pid=,command='], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line.includes(data))
    .map((line) => Number.parseInt(line, 10))
}

export function killIfRunning(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    if (errorCode(error) !== 'ESRCH') throw error
  }
}

function usesDataFolder(process: string, data: string): boolean {
  try {
    if (readlinkSync(join(process, 'cwd')).startsWith(data)) return true
    if (readFileSync(join(process, 'cmdline'), 'utf8').includes(data)) return true
    return readFileSync(join(process, 'environ'), 'utf8').includes(`HANSARD_DATA=${data}\0`)
  } catch (error) {
    // The process has ended, or belongs to another user.
    if (['ENOENT', 'ESRCH', 'EACCES', 'EPERM'].includes(errorCode(error))) return false
    throw error
  }
}

function isOldNode(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
  } catch (error) {
    if (['ENOENT', 'EACCES', 'ENOTDIR'].includes(errorCode(error))) return false
    throw error
  }
  const version = execFileSync(path, ['--version'], { encoding: 'utf8' })
  const [major = 0] = version.replace('v', '').split('.').map(Number)
  return major >= 20 && major < 24
}
