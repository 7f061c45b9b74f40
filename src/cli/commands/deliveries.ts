import { Option, type Command } from 'commander'
import type { Client } from 'hansard/client'
import { escapeControlCharacters } from '../../lib/text/plain-text.ts'
import { callService, type ServiceOptions } from '../open-client.ts'
import { findMachineTimeZone, printJson, printLine, printTable } from '../output.ts'
import { addServiceOptions, MAX_LIST_LIMIT, parseListLimit } from '../service-options.ts'
import { omitUndefined } from '../../lib/omit-undefined.ts'

type Outcome = (typeof OUTCOMES)[number]
type ListOptions = ServiceOptions & {
  meeting?: string
  receiver?: string
  outcome?: Outcome
  limit: number
}
type Receiver = Awaited<ReturnType<Client['deliveries']['receivers']>>['receivers'][number]
type Delivery = Awaited<ReturnType<Client['deliveries']['get']>>['delivery']

const OUTCOMES = ['delivered', 'failed', 'rejected', 'gone'] as const

const HELP = `
Examples:
  hansard deliveries list --outcome failed
  hansard deliveries show dlv_0ToY1a2B5b0c6a1f9d2f1a7e3b4c
  hansard deliveries retry

Times are in the time zone of this machine. The API key is read from HANSARD_API_KEY or prompted for.`

export function registerDeliveriesCommand(program: Command): void {
  const deliveries = program
    .command('deliveries')
    .description('callbacks of a running service: which receivers fail, and why')
    .addHelpText('after', HELP)
  addServiceOptions(
    deliveries
      .command('list')
      .description('list the receivers with callbacks to deliver, then the latest attempts')
      .option('--meeting <id>', 'only attempts of this meeting')
      .option('--receiver <url>', 'only attempts at this callback URL, without its query')
      .addOption(
        new Option('--outcome <name>', 'only attempts with this outcome').choices(OUTCOMES),
      )
      .option(
        '--limit <number>',
        `number of attempts, at most ${MAX_LIST_LIMIT}`,
        parseListLimit,
        20,
      ),
  ).action(listDeliveries)
  addServiceOptions(
    deliveries
      .command('show')
      .description('show one attempt with the response of the receiver')
      .argument('<id>', 'id of the attempt, dlv_…'),
  ).action(showDelivery)
  addServiceOptions(
    deliveries
      .command('retry')
      .description('send now what waits because its receiver fails, and again what was given up')
      .option('--receiver <url>', 'only what waits for this callback URL, without its query'),
  ).action(retryDeliveries)
}

async function listDeliveries(options: ListOptions): Promise<void> {
  const { meeting, receiver, outcome, limit, json } = options
  const filter = {
    limit,
    ...omitUndefined({ meeting, receiver, outcome }),
  }
  const { receivers, deliveries } = await callService(options, async (client) => ({
    ...(await client.deliveries.receivers()),
    ...(await client.deliveries.list(filter)),
  }))
  if (json) return printJson({ receivers, deliveries })
  const time = createTimeFormat()
  if (receivers.length > 0) {
    printTable(
      ['RECEIVER', 'STATE', 'SINCE', 'WAITING', 'TOKEN', 'MEANING'],
      receivers.map((one) => toReceiverRow(one, time)),
    )
    printLine('')
  }
  if (deliveries.length === 0) return printLine('No attempts.')
  const zone = findMachineTimeZone()
  printTable(
    [`START (${zone})`, 'OUTCOME', 'ANSWER', 'EVENT', 'MEETING', 'RECEIVER', 'ID'],
    deliveries.map((one) => [
      time(one.startedAt),
      one.outcome,
      String(one.status ?? one.problem?.label ?? ''),
      nameEvent(one),
      one.meetingTitle,
      one.url ?? '',
      one.deliveryId,
    ]),
  )
}

function toReceiverRow(receiver: Receiver, time: (at: string) => string): string[] {
  const { url, problem, failingSince, pending, tokenName } = receiver
  return [
    url,
    problem?.label ?? 'ok',
    failingSince === null ? '' : time(failingSince),
    String(pending),
    tokenName ?? '',
    problem?.hint ?? '',
  ]
}

async function showDelivery(id: string, options: ServiceOptions): Promise<void> {
  const { delivery } = await callService(options, (client) => client.deliveries.get(id))
  if (options.json) return printJson({ delivery })
  const { problem, tokenName, answer, nextAttemptAt } = delivery
  const time = createTimeFormat()
  const facts: Array<[string, string]> = [
    ['Event', nameEvent(delivery)],
    ['Meeting', `${delivery.meetingTitle} (${delivery.meetingId})`],
    ['Receiver', delivery.url ?? ''],
    ['Signed with', tokenName === null ? '' : `the token ${tokenName}`],
    ['Sent', `${time(delivery.startedAt)}, took ${delivery.durationMs} ms`],
    ['Outcome', delivery.outcome],
    ['Status', delivery.status === null ? '' : String(delivery.status)],
    ['Problem', problem === null ? '' : `${problem.label}. ${problem.hint}`],
    ['Next attempt', nextAttemptAt === null ? '' : time(nextAttemptAt)],
  ]
  for (const [name, value] of facts) {
    if (value !== '') printLine(`${`${name}:`.padEnd(14)}${escapeControlCharacters(value)}`)
  }
  if (answer === '') return
  printLine('Response:')
  for (const line of answer.split('\n')) printLine(`  ${escapeControlCharacters(line)}`)
}

async function retryDeliveries(options: ServiceOptions & { receiver?: string }): Promise<void> {
  const { receiver, json } = options
  const result = await callService(options, async (client) => {
    const { meetings } = await client.deliveries.retry(receiver === undefined ? {} : { receiver })
    return { meetings, replayed: receiver === undefined ? await replayFailed(client) : 0 }
  })
  if (json) return printJson(result)
  const { meetings, replayed } = result
  if (meetings === 0 && replayed === 0) return printLine('Nothing waits for a receiver that fails.')
  if (meetings > 0) printLine(`Retrying the callbacks of ${meetings} meeting(s)`)
  if (replayed > 0) printLine(`Sending ${replayed} event(s) again that were given up`)
}

/** Sends only as many events as there were, because events that fail again are listed again. */
async function replayFailed(client: Client): Promise<number> {
  const { events: wanted } = await client.deliveries.failed()
  let sent = 0
  while (sent < wanted) {
    const { events, remaining } = await client.deliveries.replayFailed()
    sent += events
    if (events === 0 || remaining === 0) break
  }
  return sent
}

function nameEvent({ type, sequence }: Delivery): string {
  return sequence === 0 ? type : `${type} ${sequence}`
}

function createTimeFormat(): (at: string) => string {
  // Swedish dates have the ISO 8601 format.
  const format = new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'medium' })
  return (at) => format.format(new Date(at))
}
