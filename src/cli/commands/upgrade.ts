import type { Command } from 'commander'
import { HANSARD_VERSION, loadConfig } from '../../config/load-config.ts'
import { createLog } from '../../log.ts'
import type { TouchedTable, UpgradeCheck } from '../../operations/upgrade/check-upgrade.ts'
import { printJson, printLine } from '../output.ts'

/** Lets a script distinguish pending migrations from a refused database, which is a failure. */
const PENDING_EXIT_CODE = 3

const HELP = `
Run it with the newer version before you replace the older one: it changes nothing, and the older service may be running.
Exit codes: 0 nothing to migrate, 3 migrations pending, 1 this version cannot use the database.`

export function registerUpgradeCommand(program: Command): void {
  program
    .command('upgrade')
    .description('say what the first start of this version would migrate')
    .requiredOption('--check', 'only check, and change nothing')
    .option('--json', 'print JSON')
    .addHelpText('after', HELP)
    .action(check)
}

async function check({ json }: { json?: true }): Promise<void> {
  const { checkUpgrade } = await import('../../operations/upgrade/check-upgrade.ts')
  const result = await checkUpgrade(loadConfig(), createLog('error'))
  if (result.state === 'pending') process.exitCode = PENDING_EXIT_CODE
  if (json) return printJson({ version: HANSARD_VERSION, ...result })
  printLine(`Version    ${HANSARD_VERSION}`)
  printLine(`Database   ${result.database}`)
  for (const line of describeUpgrade(result)) printLine(line)
}

function* describeUpgrade(check: UpgradeCheck): Generator<string> {
  if (check.state === 'empty')
    return yield 'Nothing to migrate: the first start creates the tables.'
  if (check.state === 'current') return yield 'Nothing to migrate.'
  yield `Migrations ${check.pending.length}, after ${check.newestApplied}`
  for (const { name, tables } of check.pending) {
    yield `  ${name}`
    for (const table of tables) yield `    changes ${describeTable(table)}`
  }
  yield 'Make a backup before you start this version: hansard backup'
}

function describeTable({ name, rows, bytes }: TouchedTable): string {
  const count = rows === null ? '' : `about ${rows.toLocaleString('en')} rows, `
  return `${name}: ${count}${Math.ceil(bytes / 1024 ** 2).toLocaleString('en')} MB`
}
