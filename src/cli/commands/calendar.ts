import type { Command } from 'commander'
import type { Client } from 'hansard/client'
import { OperatorError } from '../../lib/operator-error.ts'
import { escapeControlCharacters } from '../../lib/text/plain-text.ts'
import { readFileOrStdin } from '../../storage/data-folder.ts'
import { askHidden } from '../ask-secrets.ts'
import { createServiceCaller, type ServiceOptions } from '../open-client.ts'
import {
  findMachineTimeZone,
  listMeetingRows,
  type ListedMeeting,
  printJson,
  printLine,
  printTable,
} from '../output.ts'
import { addServiceOptions, createSpeechOption, type SpeechModeOption } from '../service-options.ts'
import { omitUndefined } from '../../lib/omit-undefined.ts'

type RuleOptions = {
  urlFile?: string
  address?: string
  onlyOrganised?: true
  onlyAccepted?: true
  onlyInvited?: string
  onlyTitle?: string[]
  neverTitle?: string[]
}
type AddOptions = ServiceOptions &
  RuleOptions & {
    name: string
    project?: string
    account?: string
    task?: string
    speech?: SpeechModeOption
  }

const PAGE_SIZE = 100
/** The command's options by request field, for messages about a field. */
const callService = createServiceCaller({
  name: '--name',
  url: '--url-file',
  project: '--project',
  account: '--account',
  speech: '--speech',
  task: '--task',
  address: '--address',
  'rules.onlyInvited': '--only-invited',
  'rules.onlyTitles': '--only-title',
  'rules.neverTitles': '--never-title',
})
const HELP = `
Examples:
  hansard calendar preview --only-accepted --address ada@example.com
  hansard calendar add --name Work --project sales
  hansard calendar list
  hansard calendar pause cal_4fJq0Zb1y9nB4Q2wKxT5

Both ask for the secret address of the calendar in iCal format, or read it from --url-file. It is no argument, because
other people of the machine see those. It is stored encrypted and never shown again. The calendars are those of the
person whose API key is used; a service token uses those of the instance, and needs --address for --only-accepted and
--only-organised. Times are in the time zone of this machine. The API key is read from HANSARD_API_KEY or prompted for.`

export function registerCalendarCommand(program: Command): void {
  const calendar = program
    .command('calendar')
    .description('calendars of a running service whose meetings bots join')
    .addHelpText('after', HELP)
  addRuleOptions(calendar.command('add').description('join the meetings of a calendar from now on'))
    .requiredOption('--name <name>', 'name of the calendar')
    .option(
      '--project <id>',
      'project of its meetings (default: a private project of yours; with a service token api)',
    )
    .option('--account <name>', 'bot account to join with (default: as a guest)')
    .option('--task <name>', 'task that runs after each meeting')
    .addOption(createSpeechOption())
    .action(addCalendar)
  addRuleOptions(
    calendar.command('preview').description('show what bots would join, without adding anything'),
  )
    .argument('[id]', 'id of a calendar that was added (default: asks for an address)')
    .action(previewCalendar)
  addServiceOptions(calendar.command('list').description('list the calendars')).action(
    listCalendars,
  )
  for (const [verb, isPaused] of [
    ['pause', true],
    ['resume', false],
  ] as const) {
    addServiceOptions(
      calendar.command(verb).description(`${verb} joining the meetings of a calendar`),
    )
      .argument('<id>', 'id of the calendar')
      .action(async (id: string, options: ServiceOptions) => {
        const changed = await callService(options, (client) =>
          client.calendars.update(id, { isPaused }),
        )
        if (options.json) return printJson(changed)
        printLine(`${verb}d ${id}`)
      })
  }
  addServiceOptions(calendar.command('remove').description('remove a calendar'))
    .argument('<id>', 'id of the calendar')
    .action(async (id: string, options: ServiceOptions) => {
      const removed = await callService(options, (client) => client.calendars.remove(id))
      if (options.json) return printJson(removed)
      printLine(`removed ${id}`)
    })
}

export function registerUpcomingCommand(program: Command): void {
  addServiceOptions(
    program
      .command('upcoming')
      .description('list the meetings of the next two weeks, and why a bot joins or does not'),
  ).action(async (options: ServiceOptions) => {
    const upcoming = await callService(options, listAllUpcoming)
    if (options.json) return printJson({ upcoming })
    printMeetings(
      upcoming,
      'No meetings in the next two weeks. Add a calendar with: hansard calendar add --name NAME',
    )
  })
}

async function listAllUpcoming(client: Client) {
  const first = await client.upcoming.list({ limit: PAGE_SIZE })
  const meetings = [...first.upcoming]
  for (let cursor = first.nextCursor; cursor !== null;) {
    const page = await client.upcoming.list({ limit: PAGE_SIZE, cursor })
    meetings.push(...page.upcoming)
    cursor = page.nextCursor
  }
  return meetings
}

function addRuleOptions(command: Command): Command {
  return addServiceOptions(command)
    .option(
      '--url-file <file>',
      'file with the secret address, or - for standard input (default: asks for it)',
    )
    .option(
      '--address <email>',
      'your email address in the invitations; a service token has none of its own',
    )
    .option('--only-organised', 'only meetings that you organise')
    .option('--only-accepted', 'only meetings that you accepted or organise')
    .option('--only-invited <email>', 'only meetings to which this address is invited')
    .option('--only-title <text...>', 'only meetings whose title has one of these texts')
    .option('--never-title <text...>', 'no meeting whose title has one of these texts')
}

function toRules(options: RuleOptions) {
  const { onlyOrganised, onlyAccepted, onlyInvited, onlyTitle, neverTitle, address } = options
  return {
    ...(address !== undefined && { address }),
    rules: {
      ...(onlyOrganised && { onlyOrganised }),
      ...(onlyAccepted && { onlyAccepted }),
      ...omitUndefined({ onlyInvited, onlyTitles: onlyTitle, neverTitles: neverTitle }),
    },
  }
}

async function readSecretAddress(file: string | undefined): Promise<string> {
  if (file !== undefined) return readFileOrStdin('--url-file', file)
  if (process.stdin.isTTY) return (await askHidden('Secret address of the calendar')).trim()
  throw new OperatorError(
    'The address of the calendar is needed',
    'Use --url-file FILE, or --url-file - for standard input',
  )
}

async function addCalendar(options: AddOptions): Promise<void> {
  const { name, project, account, task, speech } = options
  const url = await readSecretAddress(options.urlFile)
  const created = await callService(options, (client) =>
    client.calendars.create({
      name,
      url,
      ...withTimeZone(toRules(options)),
      ...omitUndefined({ project, account, task, speech }),
    }),
  )
  if (options.json) return printJson(created)
  printLine(`Added ${created.calendar.id}`)
}

async function previewCalendar(
  id: string | undefined,
  options: ServiceOptions & RuleOptions,
): Promise<void> {
  if (id !== undefined && !id.startsWith('cal_')) {
    throw new OperatorError(
      'The argument is the id of a calendar, which begins with cal_',
      'Leave it out to be asked for an address, or use --url-file FILE',
    )
  }
  const rules = toRules(options)
  const url = id === undefined ? await readSecretAddress(options.urlFile) : ''
  const preview = await callService(options, (client) =>
    id === undefined
      ? client.calendars.previewAddress({ url, ...withTimeZone(rules) })
      : client.calendars.previewWithRules(id, rules),
  )
  if (options.json) return printJson(preview)
  printMeetings(preview.meetings, 'The calendar has nothing in the next two weeks.')
  for (const problem of preview.problems)
    process.stderr.write(`${escapeControlCharacters(problem)}\n`)
}

async function listCalendars(options: ServiceOptions): Promise<void> {
  const listed = await callService(options, (client) => client.calendars.list())
  if (options.json) return printJson(listed)
  if (listed.calendars.length === 0) {
    return printLine('No calendars. Add one with: hansard calendar add --name NAME')
  }
  const rows = listed.calendars.map(({ id, name, host, project, isPaused, problem }) => [
    id,
    name,
    host,
    project,
    isPaused ? 'paused' : (problem ?? 'ok'),
  ])
  printTable(['ID', 'NAME', 'HOST', 'PROJECT', 'STATE'], rows)
}

/** The zone of whole days and of times without a zone, as in the console. UTC says nothing about the machine's user. */
function withTimeZone<Fields extends object>(fields: Fields): Fields & { timeZone?: string } {
  const timeZone = findMachineTimeZone()
  return timeZone === 'UTC' ? fields : { ...fields, timeZone }
}

function printMeetings(meetings: readonly ListedMeeting[], textForNone: string): void {
  if (meetings.length === 0) return printLine(textForNone)
  const { headings, rows } = listMeetingRows(meetings, findMachineTimeZone())
  printTable(headings, rows)
}
