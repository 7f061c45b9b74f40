// Runs all checks that a change must pass: format, lint, types, tests. With --fix it formats and fixes lint problems instead.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const isFixing = process.argv.includes('--fix')
const bin = (name: string) => join(root, 'node_modules/.bin', name)

const STEPS: Array<[name: string, command: string, args: string[]]> = [
  ['format', bin('oxfmt'), isFixing ? ['.'] : ['--check', '.']],
  ['lint', bin('oxlint'), isFixing ? ['--fix'] : []],
  ['types', bin('tsc'), ['-p', '.']],
  ['types of the console', bin('tsc'), ['-p', 'web']],
  ...(isFixing
    ? []
    : [['tests', process.execPath, ['test/run.ts']] satisfies [string, string, string[]]]),
]

for (const [name, command, args] of STEPS) {
  console.log(`— ${name}`)
  const { status, error } = spawnSync(command, args, { cwd: root, stdio: 'inherit' })
  if (error !== undefined) console.error(error.message)
  if (status !== 0) {
    console.error(`${name}: failed`)
    process.exit(1)
  }
}
