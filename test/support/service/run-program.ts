import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { preventUnhandledRejection, waitUntilSettled } from '../../../src/lib/async/await-later.ts'

/** A program and its first arguments. */
export type Command = readonly [string, ...string[]]
export type Environment = Record<string, string>
export type ExitStatus = { code: number | null; signal: NodeJS.Signals | null }
export type ProgramResult = ExitStatus & { stdout: string; stderr: string }

export type ProgramOptions = {
  /** Only the PATH by default. */
  env?: Environment
  cwd?: string | undefined
  input?: string
  /** The program runs as this account if the tests run as root. */
  account?: { uid: number; gid: number } | undefined
  /** A file descriptor for its standard output, or a pipe whose reader has gone. */
  output?: number | 'closed'
  /** How long `runProgram` waits for its end. */
  limitMs?: number
}

export type StartedProgram = AsyncDisposable & {
  pid: number
  stdout(): string
  stderr(): string
  kill(signal: NodeJS.Signals): void
  isRunning(): boolean
  exited: Promise<ExitStatus>
  /** Waits until the program itself has ended. */
  waitForExit(limitMs?: number): Promise<ExitStatus>
  /** Waits until the program and every process that shares its output have ended. */
  waitForEnd(limitMs?: number): Promise<ProgramResult>
  /** Waits until its output matches. Fails if the program ends first. */
  waitForOutput(pattern: RegExp, limitMs?: number): Promise<RegExpExecArray>
}

/** Only prevents hanging. Every program here takes much less time. */
export const LIMIT_MS = 120_000
const OUTPUT_PAUSE_MS = 20

/** True if the program exists and succeeds. */
export function canRun([program, ...args]: Command): boolean {
  return spawnSync(program, args, { timeout: LIMIT_MS, killSignal: 'SIGKILL' }).status === 0
}

/** Runs a program until it ends. A program that does not end is killed, and fails the test with its output so far. */
export async function runProgram(
  command: Command,
  options: ProgramOptions = {},
): Promise<ProgramResult> {
  await using program = startProgram(command, options)
  return await program.waitForEnd(options.limitMs)
}

/** Starts a program. Disposing kills it. Every wait for it has a limit, after which it fails with the output so far. */
export function startProgram(command: Command, options: ProgramOptions = {}): StartedProgram {
  const { env = { PATH: process.env['PATH'] ?? '' }, cwd, input, account, output } = options
  const [program, ...args] = command
  const child = spawn(program, args, {
    env,
    cwd,
    ...account,
    stdio: [
      input === undefined ? 'ignore' : 'pipe',
      typeof output === 'number' ? output : 'pipe',
      'pipe',
    ],
  })
  const printed = { stdout: '', stderr: '' }
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (printed.stdout += text))
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (printed.stderr += text))
  if (output === 'closed') child.stdout?.destroy()
  // A program that does not read its input may end before the input is written.
  child.stdin?.on('error', () => child.stdin?.destroy())
  child.stdin?.end(input)

  const toStatus = ([code, signal]: unknown[]): ExitStatus => ({ code, signal }) as ExitStatus
  const exited = preventUnhandledRejection(once(child, 'exit').then(toStatus))
  const closed = preventUnhandledRejection(once(child, 'close').then(toStatus))
  const isRunning = () => child.exitCode === null && child.signalCode === null
  const kill = (signal: NodeJS.Signals) => void child.kill(signal)
  return {
    pid: child.pid ?? 0,
    stdout: () => printed.stdout,
    stderr: () => printed.stderr,
    kill,
    isRunning,
    exited,
    ...createLimitedWaits({ name: command.join(' '), printed, exited, closed, kill }),
    async [Symbol.asyncDispose]() {
      if (isRunning()) kill('SIGKILL')
      await waitUntilSettled(exited)
    },
  }
}

type Waited = {
  name: string
  printed: { stdout: string; stderr: string }
  exited: Promise<ExitStatus>
  /** The program and every process that shares its output have ended. */
  closed: Promise<ExitStatus>
  kill(signal: NodeJS.Signals): void
}

/** Waits for a program. After each wait's limit, the program is killed and the test fails with its output so far. */
export function createLimitedWaits({
  name,
  printed,
  exited,
  closed,
  kill,
}: Waited): Pick<StartedProgram, 'waitForExit' | 'waitForEnd' | 'waitForOutput'> {
  const state = { hasEnded: false }
  void waitUntilSettled(closed).then(() => (state.hasEnded = true))
  const fail = (problem: string): never => {
    kill('SIGKILL')
    const text = `${printed.stdout}${printed.stderr}`.trim() || 'nothing'
    throw new Error(`${name} ${problem}; its output: ${text}`)
  }
  const waitFor = async (end: Promise<ExitStatus>, limitMs = LIMIT_MS): Promise<ExitStatus> =>
    (await Promise.race([end, sleep(limitMs, null, { ref: false })])) ?? fail('did not end')
  return {
    waitForExit: (limitMs) => waitFor(exited, limitMs),
    waitForEnd: async (limitMs) => ({ ...(await waitFor(closed, limitMs)), ...printed }),
    async waitForOutput(pattern, limitMs = LIMIT_MS) {
      const find = () => pattern.exec(printed.stdout) ?? pattern.exec(printed.stderr)
      const startedAt = performance.now()
      while (find() === null && !state.hasEnded && performance.now() - startedAt < limitMs)
        await sleep(OUTPUT_PAUSE_MS)
      return find() ?? fail(`did not print ${String(pattern)}`)
    },
  }
}
