// Runs the commands that its parent sends, one after the other, and answers with their output and exit code.
import { runCommandLine } from '../../../src/cli/program.ts'
import type { CommandOutput } from './command-process.ts'

// Every command adds its own listeners for the errors of its output.
for (const emitter of [process, process.stdout, process.stderr]) emitter.setMaxListeners(0)

process.on('message', (args: string[]) => void answer(args))

async function answer(args: string[]): Promise<void> {
  const output = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const) {
    process[name].write = (chunk: Uint8Array | string) => {
      output[name] += chunk.toString()
      return true
    }
  }
  process.exitCode = 0
  await runCommandLine(args)
  process.send?.({ code: process.exitCode, ...output } satisfies CommandOutput)
}
