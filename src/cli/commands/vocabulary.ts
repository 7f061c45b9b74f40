import type { Command } from 'commander'
import { escapeControlCharacters } from '../../lib/text/plain-text.ts'
import { readFileOrStdin } from '../../storage/data-folder.ts'
import { createServiceCaller, type ServiceOptions } from '../open-client.ts'
import { printJson, printLine } from '../output.ts'
import { addServiceOptions } from '../service-options.ts'

type Options = ServiceOptions & { project: string }
type AddOptions = Options & { file?: string }

const callService = createServiceCaller({ projectId: '--project' })
const HELP = `
Examples:
  hansard vocabulary --project sales
  hansard vocabulary add --project sales "Priya Raghunathan" Nextcloud
  hansard vocabulary add --project sales --file terms.txt
  hansard vocabulary remove --project sales Nextcloud

Bots that join from now on correct recognized speech with them. The API key is read from HANSARD_API_KEY or prompted for.`

/** The names and terms of a project. */
export function registerVocabularyCommand(program: Command): void {
  const vocabulary = program
    .command('vocabulary')
    .description('names and terms that recognized speech of a project may contain')
    .addHelpText('after', HELP)
  addProjectOptions(
    vocabulary.command('list', { isDefault: true }).description('print them, one per line'),
  ).action(list)
  addProjectOptions(vocabulary.command('add').description('add names and terms'))
    .argument('[terms...]', 'names and terms as they are spelt')
    .option('--file <path>', 'a text file with one per line; - for standard input')
    .action(add)
  addProjectOptions(vocabulary.command('remove').description('remove names and terms'))
    .argument('<terms...>', 'names and terms as they are listed')
    .action(remove)
}

function addProjectOptions(command: Command): Command {
  return addServiceOptions(command).requiredOption('--project <id>', 'project of the vocabulary')
}

async function list(options: Options): Promise<void> {
  const found = await callService(options, (client) => client.projects.vocabulary(options.project))
  if (options.json) return printJson(found)
  for (const term of found.terms) printLine(escapeControlCharacters(term))
}

async function add(terms: string[], options: AddOptions): Promise<void> {
  const { file } = options
  const lines = file === undefined ? [] : readFileOrStdin('--file', file).split('\n')
  const listed = lines.map((line) => line.trim()).filter((line) => line !== '')
  await change(options, { add: [...terms, ...listed] })
}

function remove(terms: string[], options: Options): Promise<void> {
  return change(options, { remove: terms })
}

async function change(options: Options, changes: { add?: string[]; remove?: string[] }) {
  const changed = await callService(options, (client) =>
    client.projects.updateVocabulary(options.project, changes),
  )
  if (options.json) return printJson(changed)
  printLine(`${changed.terms.length} names and terms`)
}
