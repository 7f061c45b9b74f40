import { Option, type Command } from 'commander'
import { createServiceCaller, type ServiceOptions } from '../open-client.ts'
import { findMachineTimeZone, formatMinute, printJson, printLine, printTable } from '../output.ts'
import { addServiceOptions, MAX_LIST_LIMIT, parseListLimit } from '../service-options.ts'
import { omitUndefined } from '../../lib/omit-undefined.ts'

type ListOptions = ServiceOptions & {
  project?: string
  meeting?: string
  from?: string
  to?: string
  limit: number
}
type ActionOptions = ListOptions & {
  state?: (typeof STATES)[number]
  owner?: string
  mine?: true
  dueBefore?: string
}

const STATES = ['open', 'done', 'deleted'] as const
/** The command's options by request field, for messages about a field. */
const callService = createServiceCaller({
  meetingId: '--meeting',
  project: '--project',
  owner: '--owner',
  mine: '--mine',
  speaker: '--speaker',
  from: '--from',
  to: '--to',
  dueBefore: '--due-before',
})
const HELP = `
Times are in the time zone of this machine. The API key is read from HANSARD_API_KEY or prompted for.`
const ACTIONS_HELP = `
Examples:
  hansard actions list --mine
  hansard actions list --owner Ada --due-before 2026-11-20
  hansard actions done action_4fJq0Zb1y9nB4Q2wKxT5
${HELP}`

/** Action items of all meetings. */
export function registerActionsCommand(program: Command): void {
  const actions = program
    .command('actions')
    .description('action items of all meetings of a running service')
    .addHelpText('after', ACTIONS_HELP)
  addListOptions(
    actions.command('list', { isDefault: true }).description('list them, soonest due first'),
  )
    .option('--owner <name>', 'only of people with this in their name')
    .option('--mine', 'only your own; needs a personal API key')
    .option('--due-before <date>', 'only items that are due before this date')
    .addOption(new Option('--state <state>', 'only items in this state').choices(STATES))
    .action(listActions)
  for (const [verb, state, description] of [
    ['done', 'done', 'tick an action item'],
    ['reopen', 'open', 'make an action item open again'],
  ] as const) {
    addServiceOptions(actions.command(verb).description(description))
      .argument('<id>', 'id of the action item')
      .action(async (id: string, options: ServiceOptions) => {
        const changed = await callService(options, (client) => client.actions.update(id, { state }))
        if (options.json) return printJson(changed)
        printLine(`${id} is ${state}`)
      })
  }
}

/** Decisions of all meetings. */
export function registerDecisionsCommand(program: Command): void {
  addListOptions(
    program.command('decisions').description('list decisions of all meetings, newest first'),
  )
    .option('--speaker <name>', 'only by people with this in their name')
    .addHelpText('after', HELP)
    .action(listDecisions)
}

function addListOptions(command: Command): Command {
  return addServiceOptions(command)
    .option('--project <id>', 'only of meetings in this project')
    .option('--meeting <id>', 'only of this meeting')
    .option('--from <time>', 'only of meetings since then, such as 2026-11-15T08:30:00Z')
    .option('--to <time>', 'only of meetings before then')
    .option('--limit <number>', `how many, at most ${MAX_LIST_LIMIT}`, parseListLimit, 50)
}

function toFilter({ project, meeting, from, to, limit }: ListOptions) {
  return {
    limit,
    ...omitUndefined({ project, meetingId: meeting, from, to }),
  }
}

async function listActions(options: ActionOptions): Promise<void> {
  const { state, owner, mine, dueBefore, json } = options
  const filter = {
    ...toFilter(options),
    order: 'due' as const,
    ...omitUndefined({ state, owner }),
    ...(mine && { mine: 'true' as const }),
    ...(dueBefore !== undefined && { dueBefore }),
  }
  const page = await callService(options, (client) => client.actions.list(filter))
  if (json) return printJson(page)
  if (page.actions.length === 0) return printLine('No action items.')
  printTable(
    ['ID', 'DUE', 'OWNER', 'ACTION ITEM', 'MEETING'],
    page.actions.map(({ actionId, dueDate, dueText, owner: who, text, meetingTitle }) => [
      actionId,
      dueDate ?? dueText ?? '',
      who ?? '',
      text,
      meetingTitle,
    ]),
  )
  reportMore(page.nextCursor)
}

async function listDecisions(options: ListOptions & { speaker?: string }): Promise<void> {
  const { speaker, json } = options
  const filter = { ...toFilter(options), ...(speaker !== undefined && { speaker }) }
  const page = await callService(options, (client) => client.decisions.list(filter))
  if (json) return printJson(page)
  if (page.decisions.length === 0) return printLine('No decisions.')
  const timeZone = findMachineTimeZone()
  printTable(
    [`MEETING (${timeZone})`, '', 'SPEAKER', 'DECISION'],
    page.decisions.map(({ meetingStartedAt, meetingTitle, speaker: who, text }) => [
      formatMinute(meetingStartedAt, timeZone),
      meetingTitle,
      who ?? '',
      text,
    ]),
  )
  reportMore(page.nextCursor)
}

function reportMore(nextCursor: string | null): void {
  if (nextCursor === null) return
  process.stderr.write('There are more. Raise --limit, or choose fewer with the other options.\n')
}
