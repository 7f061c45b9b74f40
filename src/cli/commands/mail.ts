import { Option, type Command } from 'commander'
import { callService } from '../open-client.ts'
import { printJson, printLine, printTable } from '../output.ts'
import { addServiceOptions } from '../service-options.ts'

type Options = { service?: string; json?: true }
type ListOptions = Options & { state?: (typeof STATES)[number]; limit: string }

const STATES = ['waiting', 'sent', 'failed', 'dropped'] as const
const HELP = `
Examples:
  hansard mail list --state failed
  hansard mail retry mail_0ToY1a2B5b0c6a1f9d2f1a7e3b4c

A mail can be sent again if it failed or waits for its next attempt, for a week. The commands need the API key of an
admin, which is read from HANSARD_API_KEY or prompted for.`

export function registerMailCommand(program: Command): void {
  const mail = program
    .command('mail')
    .description('what a running service has sent by mail')
    .addHelpText('after', HELP)
  addServiceOptions(mail.command('list').description('list the newest mail with its state'))
    .addOption(new Option('--state <state>', 'only mail in this state').choices(STATES))
    .option('--limit <count>', 'how many, at most 100', '50')
    .action(list)
  addServiceOptions(mail.command('retry').description('send a mail again that failed or waits'))
    .argument('<id>', 'id of the mail')
    .action(async (id: string, options: Options) => {
      const result = await callService(options, (client) => client.mail.retry(id))
      if (options.json) return printJson(result)
      printLine(`sending ${id}`)
    })
}

async function list(options: ListOptions): Promise<void> {
  const { state, limit } = options
  const listed = await callService(
    options,
    (client) => client.mail.list({ limit: Number(limit), ...(state && { state }) }),
    { limit: '--limit', state: '--state' },
  )
  if (options.json) return printJson(listed)
  if (listed.mails.length === 0) return printLine('No mail.')
  const rows = listed.mails.map((row) => [
    row.id,
    row.kind,
    row.email,
    row.state,
    row.createdAt,
    row.response ?? row.reason ?? '',
  ])
  printTable(['ID', 'KIND', 'TO', 'STATE', 'CREATED', 'DETAILS'], rows)
}
