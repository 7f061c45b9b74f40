import { InvalidArgumentError, Option, type Command } from 'commander'
import { escapeControlCharacters } from '../../lib/text/plain-text.ts'
import { createServiceCaller, type ServiceOptions } from '../open-client.ts'
import { printJson, printLine } from '../output.ts'
import { addServiceOptions } from '../service-options.ts'
import { registerRecapTrialCommands } from './recap-trial.ts'
import { omitUndefined } from '../../lib/omit-undefined.ts'

type ItemOptions = ServiceOptions & {
  text?: string
  line?: number[]
  speaker?: string
  owner?: string
  due?: string
}
type AddOptions = ItemOptions & { kind: (typeof KINDS)[number] }

const KINDS = ['summary', 'decision', 'action', 'question'] as const
/** Removes a speaker, an owner or a due date. */
const NONE = 'none'
/** The command's options by request field, for messages about a field. */
const callService = createServiceCaller({
  kind: '--kind',
  segmentNumbers: '--line',
  speaker: '--speaker',
  owner: '--owner',
  dueDate: '--due',
  text: 'text',
  body: 'options',
})
const HELP = `
Examples:
  hansard recap show meeting_1763195400000_k3v9x0q2m4za
  hansard recap add meeting_1763195400000_k3v9x0q2m4za "Send the offer" --kind action --line 12 --owner Ada
  hansard recap edit meeting_1763195400000_k3v9x0q2m4za item_4fJq0Zb1y9nB4Q2wKxT5 --text "We move to Friday"

A new recap keeps what you add, edit and delete. The API key is read from HANSARD_API_KEY or prompted for.`

export function registerRecapCommand(program: Command): void {
  const recap = program
    .command('recap')
    .description('read and correct the recap of a meeting, and compare language models for recaps')
    .addHelpText('after', HELP)
  addServiceOptions(recap.command('show').description('print the recap, with the id of each item'))
    .argument('<meeting>', 'id of the meeting')
    .action(showRecap)
  addItemOptions(recap.command('add').description('add an item to the recap'))
    .argument('<meeting>', 'id of the meeting')
    .argument('<text>', 'the text of the item, in quotes')
    .addOption(new Option('--kind <kind>', 'what it is').choices(KINDS).makeOptionMandatory(true))
    .action(addItem)
  addItemOptions(recap.command('edit').description('change an item of the recap'))
    .argument('<meeting>', 'id of the meeting')
    .argument('<item>', 'id of the item: item_… or action_…')
    .option('--text <text>', 'the new text')
    .action(editItem)
  addServiceOptions(recap.command('delete').description('delete an item of the recap'))
    .argument('<meeting>', 'id of the meeting')
    .argument('<item>', 'id of the item: item_… or action_…')
    .action(deleteItem)
  registerRecapTrialCommands(recap)
}

function addItemOptions(command: Command): Command {
  return addServiceOptions(command)
    .option('--line <numbers...>', 'lines of the transcript that it comes from', parseLine)
    .option('--speaker <name>', `who said it, or ${NONE}; not for action items`)
    .option('--owner <name>', `who does it, or ${NONE}; only for action items`)
    .option('--due <date>', `when it is due, or ${NONE}; only for action items`)
}

function parseLine(text: string, previous: number[] = []): number[] {
  const line = Number(text)
  if (Number.isInteger(line) && line >= 1) return [...previous, line]
  throw new InvalidArgumentError('Give numbers of lines, such as 12 13.')
}

async function showRecap(meetingId: string, options: ServiceOptions): Promise<void> {
  const recap = await callService(options, (client) => client.meetings.recap(meetingId))
  if (options.json) return printJson(recap)
  const { summary, decisions, actions, openQuestions } = recap
  printItems('Summary', summary)
  printItems(
    'Decisions',
    decisions.map((one) => ({ ...one, notes: [one.speaker] })),
  )
  printItems(
    'Action items',
    actions.map((one) => ({
      ...one,
      id: one.actionId,
      notes: [one.owner, one.dueDate && `due ${one.dueDate}`, one.state === 'done' ? 'done' : null],
    })),
  )
  printItems(
    'Open questions',
    openQuestions.map((one) => ({ ...one, notes: [one.speaker] })),
  )
}

type PrintedItem = {
  id: string
  text: string
  segmentNumbers: number[]
  notes?: ReadonlyArray<string | null>
}

function printItems(heading: string, items: readonly PrintedItem[]): void {
  if (items.length === 0) return
  printLine(heading)
  for (const { id, text, segmentNumbers, notes = [] } of items) {
    const lines = `line ${segmentNumbers.join(', ')}`
    const details = [...notes.filter((note) => note !== null), lines].join('; ')
    printLine(`  ${id}  ${escapeControlCharacters(`${text} (${details})`)}`)
  }
}

async function addItem(meetingId: string, text: string, options: AddOptions): Promise<void> {
  const { kind, line: segmentNumbers = [] } = options
  const body = { kind, text, segmentNumbers, ...toPeopleAndDate(options) }
  const added = await callService(options, (client) =>
    client.meetings.addRecapItem(meetingId, body),
  )
  if (options.json) return printJson(added)
  printLine(`Added ${added.item.id}`)
}

async function editItem(meetingId: string, itemId: string, options: ItemOptions): Promise<void> {
  const { text, line } = options
  const change = {
    ...omitUndefined({ text, segmentNumbers: line }),
    ...toPeopleAndDate(options),
  }
  const changed = await callService(options, (client) =>
    client.meetings.updateRecapItem(meetingId, itemId, change),
  )
  if (options.json) return printJson(changed)
  printLine(`Changed ${itemId}`)
}

async function deleteItem(
  meetingId: string,
  itemId: string,
  options: ServiceOptions,
): Promise<void> {
  await callService(options, (client) => client.meetings.removeRecapItem(meetingId, itemId))
  if (options.json) return printJson({ deleted: itemId })
  printLine(`Deleted ${itemId}`)
}

function toPeopleAndDate({ speaker, owner, due }: ItemOptions) {
  const orNull = (value: string) => (value === NONE ? null : value)
  return {
    ...(speaker !== undefined && { speaker: orNull(speaker) }),
    ...(owner !== undefined && { owner: orNull(owner) }),
    ...(due !== undefined && { dueDate: orNull(due) }),
  }
}
