// Plays the named rehearsals of scripts/, or all of them, until the process is stopped.
import { listRehearsals, readRehearsal } from './rehearsals/rehearsal.ts'
import { openStage } from './stage.ts'

const named = process.argv.slice(2)

const stage = await openStage()
const lines = [
  'Start Chromium with:',
  ...stage.browserArguments.map((argument) => `  '${argument}'`),
  '',
]
for (const name of (named.length > 0 ? named : listRehearsals()).toSorted()) {
  const rehearsal = await readRehearsal(name)
  stage.perform(rehearsal)
  lines.push(`${name}: ${rehearsal.about}`, `  ${rehearsal.address}`)
}
process.stdout.write(`${lines.join('\n')}\n`)

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void stage[Symbol.asyncDispose]())
}
