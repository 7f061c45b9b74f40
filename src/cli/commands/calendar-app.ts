import { Argument, Option, type Command } from 'commander'
import type { Client } from 'hansard/client'
import { omitUndefined } from '../../lib/omit-undefined.ts'
import { readFileOrStdin } from '../../storage/data-folder.ts'
import { askHidden } from '../ask-secrets.ts'
import { createServiceCaller, type ServiceOptions } from '../open-client.ts'
import { printJson, printLine, printTable } from '../output.ts'
import { addServiceOptions } from '../service-options.ts'

type Provider = Parameters<Client['calendarApps']['update']>[0]
type SetOptions = ServiceOptions & {
  clientId: string
  secretFile?: string
  tenant?: string
  cloud?: 'global' | 'us-gov-high' | 'us-gov-dod'
}

/** The command's options by request field, for messages about a field. */
const callService = createServiceCaller({
  clientId: '--client-id',
  clientSecret: '--secret-file',
  tenant: '--tenant',
})
const HELP = `
Examples:
  hansard calendar-app list
  hansard calendar-app set google --client-id 123456789012-….apps.googleusercontent.com
  hansard calendar-app set microsoft --client-id 9c1d2e3f-… --tenant organizations

"list" also prints the redirect URI that the provider has to know. "set" asks for the client secret, or reads it from
--secret-file. It is no argument, because other people of the machine see those. It is stored encrypted and never shown
again. The commands need the API key of an admin, which is read from HANSARD_API_KEY or prompted for. docs/calendars.md
has all steps.`

export function registerCalendarAppCommand(program: Command): void {
  const app = program
    .command('calendar-app')
    .description('applications at Google and Microsoft with which people connect their calendars')
    .addHelpText('after', HELP)
  const provider = new Argument('<provider>').choices(['google', 'microsoft'])
  addServiceOptions(app.command('list').description('list the applications')).action(list)
  addServiceOptions(app.command('set').description('set the application of a provider'))
    .addArgument(provider)
    .requiredOption('--client-id <id>', 'application (client) ID')
    .option('--secret-file <file>', 'file with the client secret, or - for standard input')
    .option('--tenant <tenant>', 'Microsoft: tenant ID, organizations or common (default: common)')
    .addOption(
      new Option('--cloud <cloud>', 'Microsoft: cloud of the tenant').choices([
        'global',
        'us-gov-high',
        'us-gov-dod',
      ]),
    )
    .action(set)
  addServiceOptions(app.command('remove').description('remove the application of a provider'))
    .addArgument(provider)
    .action(remove)
}

async function list(options: ServiceOptions): Promise<void> {
  const listed = await callService(options, (client) => client.calendarApps.list())
  if (options.json) return printJson(listed)
  printLine(`Redirect URI: ${listed.redirectUri}`)
  if (listed.apps.length === 0)
    return printLine('No applications. Set one with: hansard calendar-app set')
  const rows = listed.apps.map(({ provider, clientId, tenant, changedAt }) => [
    provider,
    clientId,
    tenant ?? '',
    changedAt,
  ])
  printTable(['PROVIDER', 'CLIENT ID', 'TENANT', 'CHANGED'], rows)
}

async function set(provider: Provider, options: SetOptions): Promise<void> {
  const { clientId, secretFile, tenant, cloud } = options
  const clientSecret = await readSecret(secretFile)
  const changed = await callService(options, (client) =>
    client.calendarApps.update(provider, {
      clientId,
      ...omitUndefined({ clientSecret, tenant, cloud }),
    }),
  )
  if (options.json) return printJson(changed)
  printLine(`Set the application for ${provider}. People connect under Account > Calendars.`)
}

/** Undefined keeps the stored secret, which the service accepts only for the same client ID. */
async function readSecret(file: string | undefined): Promise<string | undefined> {
  if (file !== undefined) return readFileOrStdin('--secret-file', file).trim()
  const typed = process.stdin.isTTY ? (await askHidden('Client secret')).trim() : ''
  return typed === '' ? undefined : typed
}

async function remove(provider: Provider, options: ServiceOptions): Promise<void> {
  const removed = await callService(options, (client) => client.calendarApps.remove(provider))
  if (options.json) return printJson(removed)
  printLine(`Removed the application for ${provider}`)
}
