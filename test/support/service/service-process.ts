import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { accessSync, constants, existsSync, mkdirSync, mkdtempSync, readFileSync } from 'node:fs'
import { readdirSync, readlinkSync, rmSync } from 'node:fs'
import { delimiter, join, sep } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { errorCode } from '../../../src/lib/error-code.ts'
import { INSTALLATION_FOLDER } from '../../../src/config/load-config.ts'
import { requireEnv } from '../database/test-database.ts'
import { eventually } from '../time/eventually.ts'
import { HttpClient } from '../http/http-client.ts'
import { ADMIN } from './admin-user.ts'

const START_MS = 150_000
const RUN_MS = 120_000
const STOP_MS = 60_000

/** A program and its first arguments. */
export type Command = readonly [string, ...string[]]
export type Environment = Record<string, string>

/** A new data folder, and an environment with nothing but its settings. */
export type TestDataFolder = AsyncDisposable & { data: string; env: Environment }

export type ExitStatus = { code: number | null; signal: NodeJS.Signals | null }
export type CommandResult = ExitStatus & { stdout: string; stderr: string }

export type ServiceProcess = AsyncDisposable & {
  url: string
  setupLink: string | null
  /** The process that was started. The launcher may be the service itself. */
  pid: number
  /** The process that listens. */
  servicePid(): number
  stdout(): string
  stderr(): string
  kill(signal: NodeJS.Signals): void
  exited: Promise<ExitStatus>
  /** Sends the signal and returns how the process ended. */
  stop(signal: NodeJS.Signals): Promise<ExitStatus>
  /** Every running process that uses this data folder. */
  listProcesses(): number[]
}

const LAUNCHER = join(INSTALLATION_FOLDER, 'bin/hansard.mjs')
/** This Node, with the option that the launcher gives to a Node it starts. */
export const CURRENT_NODE: Command = [process.execPath, '--min-semi-space-size=16']

/** An older Node on the PATH. Without one, the current Node that reports an older version. */
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

/** The name of the home folder, next to the data folder. */
export const HOME_FOLDER_NAME = 'home'

/** The data folder inside `place`. Disposing of it ends all processes that use it and removes `place`. */
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

export type RunOptions = {
  input?: string
  node?: Command
  launcher?: string
  /** The account to run it as, if the tests run as root. */
  account?: { uid: number; gid: number }
  limitMs?: number
}

/** Runs one command until it exits. A command that does not exit is killed and fails the test. */
export async function runCommand(
  args: readonly string[],
  env: Environment,
  {
    input = '',
    node = CURRENT_NODE,
    launcher = LAUNCHER,
    account,
    limitMs = RUN_MS,
  }: RunOptions = {},
): Promise<CommandResult> {
  const [program, ...first] = node
  const child = spawn(program, [...first, launcher, ...args], {
    env,
    cwd: env['HOME'],
    ...account,
  })
  const output = collect(child)
  // A command that does not read its input may exit before the input is written.
  child.stdin.on('error', () => child.stdin.destroy())
  child.stdin.end(input)
  const closed = once(child, 'close')
  const answer = await Promise.race([closed, sleep(limitMs, null, { ref: false })])
  if (answer === null) {
    child.kill('SIGKILL')
    await closed
    throw new Error(`hansard ${args.join(' ')} did not exit; its output: ${describe(output)}`)
  }
  const [code, signal] = answer as [number | null, NodeJS.Signals | null]
  return { code, signal, ...output }
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
  const [program, ...args] = command ?? [...node, launcher, 'serve']
  const cwd = command === undefined ? env['HOME'] : INSTALLATION_FOLDER
  const child = spawn(program, args, { env, cwd, stdio: ['ignore', 'pipe', 'pipe'], ...account })
  const output = collect(child)
  const exited = once(child, 'exit').then(([code, signal]): ExitStatus => ({ code, signal }))
  const data = env['HANSARD_DATA'] ?? ''
  const running = {
    ...createProcessHandle(child, output, exited, data),
    listProcesses: () => listProcessesUsing(data),
  }
  const late = sleep(START_MS, null, { ref: false })
  const shown = await Promise.race([waitForStartupBox(child, output), exited, late])
  if (typeof shown !== 'string') {
    await running[Symbol.asyncDispose]()
    throw new Error(`the service did not start; its output: ${describe(output)}`)
  }
  const [, url] = /Hansard +(\S+)/.exec(shown) ?? []
  if (url === undefined) throw new Error(`no address in ${shown}`)
  return { ...running, url, setupLink: /Set up +(\S+)/.exec(shown)?.[1] ?? null }
}

/** Creates the first user with the set-up link, or signs in when the user exists. */
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

/** Resolves when no process uses this data folder any more. */
export async function waitForNoProcesses(data: string): Promise<void> {
  await eventually(() => (listProcessesUsing(data).length === 0 ? true : null))
}

/** Running processes with this data folder as working directory, in their arguments or in their environment. */
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

function createProcessHandle(
  child: ChildProcess,
  output: { stdout: string; stderr: string },
  exited: Promise<ExitStatus>,
  data: string,
) {
  const stop = async (signal: NodeJS.Signals) => {
    child.kill(signal)
    const late = sleep(STOP_MS, null, { ref: false })
    const ended = await Promise.race([exited, late])
    if (ended !== null) return ended
    child.kill('SIGKILL')
    throw new Error(`the service did not stop on ${signal}; its output: ${describe(output)}`)
  }
  return {
    pid: child.pid ?? 0,
    exited,
    stop,
    stdout: () => output.stdout,
    stderr: () => output.stderr,
    kill: (signal: NodeJS.Signals) => void child.kill(signal),
    servicePid() {
      const occupant = readFileSync(join(data, 'run/service.json'), 'utf8')
      return (JSON.parse(occupant) as { pid: number }).pid
    },
    async [Symbol.asyncDispose]() {
      if (child.exitCode === null && child.signalCode === null) await stop('SIGTERM')
    },
  }
}

function collect(child: ChildProcess): { stdout: string; stderr: string } {
  const output = { stdout: '', stderr: '' }
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (output.stdout += text))
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (output.stderr += text))
  return output
}

function waitForStartupBox(child: ChildProcess, output: { stdout: string }): Promise<string> {
  return new Promise((resolve) => {
    child.stdout?.on('data', () => {
      if (/╰.*\n/.test(output.stdout)) resolve(output.stdout)
    })
  })
}

function describe({ stdout, stderr }: { stdout: string; stderr: string }): string {
  return `${stdout}${stderr}`.trim() || 'nothing'
}

function usesDataFolder(process: string, data: string): boolean {
  try {
    if (readlinkSync(join(process, 'cwd')).startsWith(data)) return true
    if (readFileSync(join(process, 'cmdline'), 'utf8').includes(data)) return true
    return readFileSync(join(process, 'environ'), 'utf8').includes(`HANSARD_DATA=${data}\0`)
  } catch (error) {
    // The process has ended or belongs to another user.
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
