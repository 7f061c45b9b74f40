// Puts rehearsals on, by their names in scripts/ or all of them, until it is stopped.
import { globSync } from 'node:fs'
import { basename, join } from 'node:path'
import { readRehearsal } from './rehearsals/rehearsal.ts'
import { openStage } from './stage.ts'

const scripts = join(import.meta.dirname, 'scripts')
const all = globSync('*.json', { cwd: scripts }).map((file) => basename(file, '.json'))
const named = process.argv.slice(2)

const stage = await openStage()
const lines = [
  'Start Chromium with:',
  ...stage.browserArguments.map((argument) => `  '${argument}'`),
  '',
]
for (const name of (named.length > 0 ? named : all).toSorted()) {
  const rehearsal = await readRehearsal(name)
  stage.perform(rehearsal)
  lines.push(`${name}: ${rehearsal.about}`, `  ${rehearsal.address}`)
}
process.stdout.write(`${lines.join('\n')}\n`)

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void stage[Symbol.asyncDispose]())
}
