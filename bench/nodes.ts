import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { INSTALLATION_FOLDER } from '../src/config/load-config.ts'
import { buildConsoleIfStale } from '../src/console/build-console.ts'
import { COSTS_FILE, measureCost } from './measures/nodes/cost.ts'
import { measureFault } from './measures/nodes/fault-run.ts'
import { FAULT_PARTS } from './measures/nodes/faults.ts'
import { measureRetention } from './measures/nodes/retention.ts'
import { measureMessages } from './measures/nodes/messages.ts'
import { measurePartials } from './measures/nodes/partials.ts'
import { runInNamespace } from './measures/nodes/partition.ts'
import { printScaleTable, type UnitCosts } from './measures/nodes/scale-table.ts'
import { HAS_OWN_FOLDERS } from './measures/nodes/sizes.ts'
import { measureThroughput } from './measures/nodes/throughput.ts'

type Part = () => Promise<void>

const PARTS: Readonly<Record<string, Part>> = {
  ...Object.fromEntries(
    Object.entries(FAULT_PARTS).map(([name, run]): [string, Part] => [
      name,
      () => run(measureFault),
    ]),
  ),
  throughput: measureThroughput,
  messages: measureMessages,
  partials: measurePartials,
  cost: measureCost,
  scale: printStoredScaleTable,
  retention: measureRetention,
}

/** Prints the table of docs/scale.md from the most recently measured costs. */
async function printStoredScaleTable(): Promise<void> {
  const file = join(INSTALLATION_FOLDER, COSTS_FILE)
  if (!existsSync(file))
    return console.log(`  scale: skipped, npm run bench -- nodes cost writes ${COSTS_FILE} first`)
  printScaleTable(JSON.parse(readFileSync(file, 'utf8')) as UnitCosts)
}

export const nodes = {
  about: `three nodes on one PostgreSQL behind a proxy, under faults; parts: ${Object.keys(PARTS).join(', ')}`,
  async run(names: readonly string[] = []) {
    const unknown = names.filter((name) => PARTS[name] === undefined)
    if (unknown.length > 0) {
      console.error(
        `There is no part ${unknown.join(', ')}; parts: ${Object.keys(PARTS).join(', ')}`,
      )
      process.exitCode = 2
      return
    }
    const scratch = mkdtempSync(join(tmpdir(), 'hansard-bench-'))
    // The tests' helpers create their folders there.
    process.env['TEST_SCRATCH'] = scratch
    for (const signal of ['SIGINT', 'SIGTERM'] as const)
      process.once(signal, () => process.exit(130))
    process.once('exit', () => rmSync(scratch, { recursive: true, force: true }))
    await buildConsoleIfStale(INSTALLATION_FOLDER)
    console.log(`  data folders: ${HAS_OWN_FOLDERS ? 'one for each node' : 'shared'}`)
    for (const name of names.length === 0 ? Object.keys(PARTS) : names) {
      if (name === 'partition' && runInNamespace(['nodes', name])) continue
      await PARTS[name]?.()
    }
  },
}
