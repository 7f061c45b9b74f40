// Runs all checks that a change must pass: format, lint, types, tests. With --fix, formats and fixes lint problems.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'

const root = join(import.meta.dirname, '..')
const bin = (name: string) => join(root, 'node_modules/.bin', name)

type Step = [name: string, command: string, args: string[]]
/** Each type checker uses one core. */
const TYPES: Step[] = [
  ['types', bin('tsc'), ['-p', '.']],
  ['types of the console', bin('tsc'), ['-p', 'web']],
]
/** The steps of a group run concurrently. The next group runs only if all of them have succeeded. */
const GROUPS: Step[][] = process.argv.includes('--fix')
  ? [[['format', bin('oxfmt'), ['.']]], [['lint', bin('oxlint'), ['--fix']]], TYPES]
  : [
      [['format', bin('oxfmt'), ['--check', '.']], ['lint', bin('oxlint'), []], ...TYPES],
      [['tests', process.execPath, ['test/run.ts']]],
    ]

for (const group of GROUPS) {
  const failed = await runConcurrently(group)
  for (const name of failed) console.error(`${name}: failed`)
  if (failed.length > 0) process.exit(1)
}

/** Prints each step's output when the step has ended, or at once if it is the only one. Returns the failed steps. */
async function runConcurrently(steps: Step[]): Promise<string[]> {
  const isAlone = steps.length === 1
  const failed: string[] = []
  await Promise.all(
    steps.map(async ([name, command, args]) => {
      if (isAlone) console.log(`— ${name}`)
      const child = spawn(command, args, {
        cwd: root,
        stdio: isAlone ? 'inherit' : ['ignore', 'pipe', 'pipe'],
      })
      const [[code], ...output] = await Promise.all([
        once(child, 'close') as Promise<[number | null]>,
        ...[child.stdout, child.stderr].map((stream) => (stream === null ? '' : text(stream))),
      ])
      if (!isAlone) process.stdout.write(`— ${name}\n${output.join('')}`)
      if (code !== 0) failed.push(name)
    }),
  )
  return failed
}
