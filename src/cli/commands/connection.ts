import { Option, type Command } from 'commander'
import type { Client } from 'hansard/client'
import { OperatorError } from '../../lib/operator-error.ts'
import { escapeControlCharacters } from '../../lib/text/plain-text.ts'
import { readFileOrStdin } from '../../storage/data-folder.ts'
import { askHidden } from '../ask-secrets.ts'
import { createServiceCaller, type ServiceOptions } from '../open-client.ts'
import { printJson, printLine, printTable } from '../output.ts'
import { addServiceOptions } from '../service-options.ts'
import { omitUndefined } from '../../lib/omit-undefined.ts'

type AddOptions = ServiceOptions & {
  name: string
  kind: 'microsoft' | 'google'
  tenant?: string
  clientId?: string
  keyFile?: string
  calendar: boolean
  secretFile?: string
  certificateFile?: string
  organizer?: string[]
  organizersFile?: string
  project?: string
  excludeTitle?: string[]
  since?: string
  cloud?: 'global' | 'us-gov-high' | 'us-gov-dod'
}

/** The command's options by request field, for messages about a field. */
const callService = createServiceCaller({
  name: '--name',
  tenant: '--tenant',
  clientId: '--client-id',
  clientSecret: '--secret-file',
  certificate: '--certificate-file',
  serviceAccountKey: '--key-file',
  readsCalendar: '--no-calendar',
  organizers: '--organizer',
  project: '--project',
  excludedTitles: '--exclude-title',
  readsFrom: '--since',
})
const TRANSCRIPTS_SHOWN = 100
const HELP = `
Examples:
  hansard connection add --name Example --tenant 3f2b8a1c-… --client-id 9c1d2e3f-… --organizer ada@example.com
  hansard connection add --kind google --name Example --key-file key.json --organizer ada@example.com
  hansard connection check con_4fJq0Zb1y9nB4Q2wKxT5
  hansard connection transcripts con_4fJq0Zb1y9nB4Q2wKxT5

The first one asks for the client secret, or reads it from --secret-file, or a certificate from --certificate-file. It is
no argument, because other people of the machine see those. It is stored encrypted and never shown again. The commands
need the API key of an admin, which is read from HANSARD_API_KEY or prompted for. docs/connections.md has all steps.`

export function registerConnectionCommand(program: Command): void {
  const connection = program
    .command('connection')
    .description(
      'connections to Microsoft 365 and Google Workspace, whose official transcripts are read',
    )
    .addHelpText('after', HELP)
  registerAdd(connection)
  addServiceOptions(connection.command('list').description('list the connections')).action(list)
  addServiceOptions(connection.command('check').description('check what a connection needs'))
    .argument('<id>', 'id of the connection')
    .action(check)
  addServiceOptions(
    connection.command('transcripts').description('list the newest transcripts with their state'),
  )
    .argument('<id>', 'id of the connection')
    .action(listTranscripts)
  for (const [verb, done, description, send] of CHANGES) {
    addServiceOptions(connection.command(verb).description(description))
      .argument('<id>', 'id of the connection')
      .action(async (id: string, options: ServiceOptions) => {
        const changed = await callService(options, (client) => send(client, id))
        if (options.json) return printJson(changed)
        printLine(`${done} ${id}`)
      })
  }
}

type Change = (client: Client, id: string) => Promise<unknown>
const CHANGES: ReadonlyArray<[verb: string, done: string, description: string, send: Change]> = [
  ['read', 'reading', 'read a connection now', (client, id) => client.connections.read(id)],
  [
    'pause',
    'paused',
    'pause reading a connection',
    (client, id) => client.connections.update(id, { isPaused: true }),
  ],
  [
    'resume',
    'resumed',
    'resume reading a connection',
    (client, id) => client.connections.update(id, { isPaused: false }),
  ],
  [
    'remove',
    'removed',
    'remove a connection; its meetings stay',
    (client, id) => client.connections.remove(id),
  ],
]

function registerAdd(connection: Command): void {
  addServiceOptions(
    connection
      .command('add')
      .description('read the official transcripts of an organization from now on'),
  )
    .requiredOption('--name <name>', 'name of the connection')
    .addOption(
      new Option('--kind <kind>', 'provider').choices(['microsoft', 'google']).default('microsoft'),
    )
    .option('--tenant <id>', 'Microsoft: directory (tenant) ID')
    .option('--client-id <id>', 'Microsoft: application (client) ID')
    .option(
      '--secret-file <file>',
      'Microsoft: file with the client secret, or - for standard input',
    )
    .option(
      '--certificate-file <file>',
      'Microsoft: PEM file with a private key and its certificate',
    )
    .option('--key-file <file>', 'Google: JSON key of the service account, or - for standard input')
    .option('--no-calendar', 'Google: do not read titles and private events from calendars')
    .option('--organizer <address...>', 'people whose meetings are read')
    .option('--organizers-file <file>', 'file with one address per line')
    .option('--project <id>', 'project of the meetings (default: a private one per organizer)')
    .option('--exclude-title <text...>', 'no meeting whose title has one of these texts')
    .option('--since <time>', 'read transcripts from this time on (default: now)')
    .addOption(
      new Option('--cloud <cloud>', 'Microsoft: cloud of the tenant').choices([
        'global',
        'us-gov-high',
        'us-gov-dod',
      ]),
    )
    .action(add)
}

async function add(options: AddOptions): Promise<void> {
  const { name, kind, tenant, clientId, project, excludeTitle, since, cloud } = options
  const readsCalendar = kind === 'google' ? options.calendar : undefined
  const organizers = readOrganizers(options)
  const credential = await readCredential(options)
  const created = await callService(options, (client) =>
    client.connections.create({
      name,
      kind,
      organizers,
      ...credential,
      ...omitUndefined({ tenant, clientId, cloud, readsCalendar, project }),
      ...omitUndefined({ excludedTitles: excludeTitle, readsFrom: since }),
    }),
  )
  if (options.json) return printJson(created)
  printLine(
    `Added ${created.connection.id}. Check it with: hansard connection check ${created.connection.id}`,
  )
}

function readOrganizers({ organizer = [], organizersFile }: AddOptions): string[] {
  const lines =
    organizersFile === undefined
      ? []
      : readFileOrStdin('--organizers-file', organizersFile).split(/\r?\n/)
  const all = [...organizer, ...lines].flatMap((line) => line.trim() || [])
  if (all.length > 0) return all
  throw new OperatorError(
    'The people whose meetings are read are needed',
    'Use --organizer ADDRESS, or --organizers-file FILE with one address per line',
  )
}

async function readCredential({ kind, keyFile, secretFile, certificateFile }: AddOptions) {
  if (keyFile !== undefined) return { serviceAccountKey: readFileOrStdin('--key-file', keyFile) }
  if (kind === 'google')
    throw new OperatorError(
      'The key of the service account is needed',
      'Use --key-file FILE with the JSON file from the Google Cloud console',
    )
  if (certificateFile !== undefined)
    return { certificate: readFileOrStdin('--certificate-file', certificateFile) }
  if (secretFile !== undefined)
    return { clientSecret: readFileOrStdin('--secret-file', secretFile).trim() }
  if (process.stdin.isTTY) return { clientSecret: (await askHidden('Client secret')).trim() }
  throw new OperatorError(
    'The client secret is needed',
    'Use --secret-file FILE, --secret-file - for standard input, or --certificate-file FILE',
  )
}

async function list(options: ServiceOptions): Promise<void> {
  const listed = await callService(options, (client) => client.connections.list())
  if (options.json) return printJson(listed)
  if (listed.connections.length === 0)
    return printLine('No connections. Add one with: hansard connection add')
  const rows = listed.connections.map((row) => [
    row.id,
    row.name,
    row.kind,
    row.project ?? 'private',
    String(row.organizers.length),
    String(row.transcripts.imported),
    row.readAt ?? 'never',
    describeState(row),
  ])
  printTable(['ID', 'NAME', 'KIND', 'PROJECT', 'PEOPLE', 'MEETINGS', 'LAST READ', 'STATE'], rows)
}

type ListedConnection = Awaited<ReturnType<Client['connections']['list']>>['connections'][number]

function describeState({ isPaused, problem, organizers }: ListedConnection): string {
  if (isPaused) return 'paused'
  if (problem !== null) return problem.text
  const broken = organizers.filter((one) => one.problem !== null)
  const [first] = broken
  if (first === undefined) return 'ok'
  const others = broken.length === 1 ? '' : ` (and ${broken.length - 1} more)`
  return `${first.address}: ${first.problem?.text ?? ''}${others}`
}

async function check(id: string, options: ServiceOptions): Promise<void> {
  const result = await callService(options, (client) => client.connections.check(id))
  if (options.json) printJson(result)
  else
    for (const { ok, name, text } of result.checks)
      printLine(escapeControlCharacters(`${ok ? 'ok  ' : 'FAIL'}  ${name}: ${text}`))
  if (!result.ok) process.exitCode = 1
}

async function listTranscripts(id: string, options: ServiceOptions): Promise<void> {
  const page = await callService(options, (client) =>
    client.connections.transcripts(id, { limit: TRANSCRIPTS_SHOWN }),
  )
  if (options.json) return printJson(page)
  if (page.transcripts.length === 0) return printLine('No transcripts were found yet.')
  const rows = page.transcripts.map((row) => [
    row.beganAt,
    row.organizer,
    row.state,
    row.meetingId ?? '',
    row.problem?.text ??
      (row.changedAt === null ? '' : 'Changed by the provider after it was stored'),
  ])
  printTable(['BEGAN', 'ORGANIZER', 'STATE', 'MEETING', 'REASON'], rows)
}
