import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sharedResources } from '../shared-resources.ts'
import {
  createLimitedWaits,
  type Environment,
  type ExitStatus,
  type ProgramResult,
  type StartedProgram,
} from './run-program.ts'

/** What a process that runs commands receives. */
export type CommandToRun = { args: readonly string[]; env: Environment }
/** What it answers: first the output as it is written, and finally the exit code. */
export type CommandAnswer = { stdout: string } | { stderr: string } | { code: number }

export type RunningCommand = AsyncDisposable &
  Pick<
    StartedProgram,
    'stdout' | 'stderr' | 'kill' | 'exited' | 'waitForExit' | 'waitForEnd' | 'waitForOutput'
  >

/** Processes that have loaded the program and wait for the next command. */
const idle: ChildProcess[] = []

/**
 * Runs a command of `hansard` in a process that has already loaded the program, which takes a tenth of the time of a
 * new process. Use `runCommand` for tests of the launcher, of standard input and of how a process ends. `serve` must
 * fail to start here, because a stopped service ends its process.
 */
export async function runLoadedCommand(
  args: readonly string[],
  env: Environment,
): Promise<ProgramResult> {
  await using command = startLoadedCommand(args, env)
  return await command.waitForEnd()
}

/** Starts a command in a process that has already loaded the program. Disposing stops the command. */
export function startLoadedCommand(args: readonly string[], env: Environment): RunningCommand {
  const child = idle.pop() ?? startProcess()
  const printed = { stdout: '', stderr: '' }
  let isRunning = true
  const exited = new Promise<ExitStatus>((resolve) => {
    const end = (status: ExitStatus) => {
      child.off('message', onMessage).off('exit', onExit)
      isRunning = false
      resolve(status)
    }
    const onExit = (code: number | null, signal: NodeJS.Signals | null) => end({ code, signal })
    const onMessage = (answer: CommandAnswer) => {
      if ('stdout' in answer) printed.stdout += answer.stdout
      else if ('stderr' in answer) printed.stderr += answer.stderr
      else {
        end({ code: answer.code, signal: null })
        idle.push(child)
      }
    }
    child.on('message', onMessage).on('exit', onExit)
  })
  child.send({ args, env } satisfies CommandToRun)
  const kill = (signal: NodeJS.Signals) => void (isRunning && child.kill(signal))
  const name = `hansard ${args.join(' ')}`
  const waits = createLimitedWaits({ name, printed, exited, closed: exited, kill })
  return {
    stdout: () => printed.stdout,
    stderr: () => printed.stderr,
    kill,
    exited,
    ...waits,
    async [Symbol.asyncDispose]() {
      kill('SIGTERM')
      await waits.waitForEnd()
    },
  }
}

function startProcess(): ChildProcess {
  const { PATH = '', NODE_COMPILE_CACHE = '' } = process.env
  const child = fork(join(import.meta.dirname, 'command-loop.ts'), {
    env: { PATH, NODE_COMPILE_CACHE, HOME: tmpdir() },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  sharedResources.defer(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const exited = once(child, 'exit')
    child.kill('SIGKILL')
    await exited
  })
  return child
}
