// Runs the parent's commands one after the other, and answers with their output and exit code.
import { runCommandLine } from '../../../src/cli/program.ts'
import type { CommandAnswer, CommandToRun } from './loaded-commands.ts'

// Every command adds its own listeners for errors of its output.
for (const emitter of [process, process.stdout, process.stderr]) emitter.setMaxListeners(0)

const send = (answer: CommandAnswer) => process.send?.(answer)
for (const name of ['stdout', 'stderr'] as const) {
  process[name].write = (chunk: Uint8Array | string) => {
    const text = chunk.toString()
    send(name === 'stdout' ? { stdout: text } : { stderr: text })
    return true
  }
}

process.on('message', (command: CommandToRun) => void run(command))
process.on('disconnect', () => process.exit())

async function run({ args, env }: CommandToRun): Promise<void> {
  for (const name of Object.keys(process.env)) delete process.env[name]
  Object.assign(process.env, env)
  if (env['HOME'] !== undefined) process.chdir(env['HOME'])
  process.exitCode = 0
  await runCommandLine([...args])
  send({ code: process.exitCode })
}
