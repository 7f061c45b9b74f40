import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { INSTALLATION_FOLDER } from '../../../src/config/load-config.ts'
import { runCommand, type Environment } from './service-process.ts'

const COMPILE_CACHE = join(INSTALLATION_FOLDER, 'node_modules/.cache/compile')

export type CommandOutput = { code: number | null; stdout: string; stderr: string }

export type CommandRunner = AsyncDisposable & {
  run(...args: string[]): Promise<CommandOutput>
}

/**
 * Runs the first command of each name as a real process. Later ones run in a single process that has loaded the program
 * already, which is much faster. A name is the first `nameWords` words: `token list` has two.
 */
export function createCommandRunner(env: Environment, nameWords = 2): CommandRunner {
  const names = new Set<string>()
  let loop: ChildProcess | null = null
  return {
    async run(...args) {
      const name = args.slice(0, nameWords).join(' ')
      if (!names.has(name)) {
        names.add(name)
        return runCommand(args, env)
      }
      loop ??= fork(join(import.meta.dirname, 'command-loop.ts'), {
        env: { ...env, NODE_COMPILE_CACHE: COMPILE_CACHE },
        ...(env['HOME'] !== undefined && { cwd: env['HOME'] }),
        stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      })
      loop.send(args)
      const ended = once(loop, 'exit').then(([code]) => {
        throw new Error(`the process of the commands ended with ${String(code)}`)
      })
      const [output] = (await Promise.race([once(loop, 'message'), ended])) as [CommandOutput]
      return output
    },
    async [Symbol.asyncDispose]() {
      if (loop === null || loop.exitCode !== null || loop.signalCode !== null) return
      const exited = once(loop, 'exit')
      loop.kill('SIGKILL')
      await exited
    },
  }
}
