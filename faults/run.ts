// `npm run faults` runs every row of the table, `npm run faults -- kill link-30` only these rows. `--short` is quicker.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inspect, parseArgs } from 'node:util'
import { INSTALLATION_FOLDER } from '../src/config/load-config.ts'
import { buildConsoleIfStale } from '../src/console/build-console.ts'
import { formatHeader, formatRow, formatSummary, verdictOf, writeResults } from './report.ts'
import type { FinishedRow } from './report.ts'
import type { FaultRow, RowResult } from './fault-row.ts'
import { FAULT_ROWS } from './fault-table.ts'

const OUTPUT = join(INSTALLATION_FOLDER, 'dist/faults')
/** No row takes this long. The nodes and the database end with this process. */
const ROW_LIMIT_MS = 20 * 60_000

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    short: { type: 'boolean', default: false },
    list: { type: 'boolean', default: false },
  },
})
const unknown = positionals.filter((name) => FAULT_ROWS[name] === undefined)
if (values.list) {
  for (const [name, { about }] of Object.entries(FAULT_ROWS))
    console.log(`${name.padEnd(22)} ${about}`)
} else if (unknown.length > 0) {
  console.error(`There is no row ${unknown.join(', ')}; npm run faults -- --list lists them.`)
  process.exitCode = 2
} else await runRows(positionals, values.short)

async function runRows(names: readonly string[], isShort: boolean): Promise<void> {
  const rows = Object.entries(FAULT_ROWS).filter(
    ([name]) => names.length === 0 || names.includes(name),
  )
  const scratch = mkdtempSync(join(tmpdir(), 'hansard-faults-'))
  // The tests' helpers create their folders there.
  process.env['TEST_SCRATCH'] = scratch
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))
  process.once('exit', () => rmSync(scratch, { recursive: true, force: true }))
  await buildConsoleIfStale(INSTALLATION_FOLDER)
  console.log(formatHeader(rows.length, isShort))
  const finished: FinishedRow[] = []
  for (const [name, row] of rows) {
    const began = performance.now()
    const result = await runRow(name, row, isShort)
    finished.push({ name, about: row.about, seconds: (performance.now() - began) / 1000, result })
    console.log(formatRow(finished.at(-1) as FinishedRow))
    writeResults(join(OUTPUT, 'results.json'), finished, isShort)
  }
  console.log(`${formatSummary(finished)}; figures and logs: ${OUTPUT}`)
  process.exitCode = finished.some(({ result }) => verdictOf(result) === 'FAIL') ? 1 : 0
}

async function runRow(name: string, row: FaultRow, isShort: boolean): Promise<RowResult> {
  const folder = join(OUTPUT, name)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const watchdog = setTimeout(() => {
    console.error(`${name} did not end within ${ROW_LIMIT_MS / 60_000} minutes`)
    process.exit(1)
  }, ROW_LIMIT_MS)
  try {
    return await row.run({
      isShort,
      saveLog: (part, text) => writeFileSync(join(folder, `${part}.log`), text),
    })
  } catch (error) {
    writeFileSync(join(folder, 'error.log'), inspect(error))
    return { figure: 'broke off', values: {}, problems: [inspect(error)] }
  } finally {
    clearTimeout(watchdog)
  }
}
