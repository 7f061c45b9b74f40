import { InvalidArgumentError, type Command } from 'commander'
import { OperatorError } from '../../../errors.ts'
import type { ServerSentEvent } from '../../../lib/net/server-sent-events.ts'
import { loadClientSettings } from '../../../config/load-config.ts'
import type { ListenRequest } from './event-stream.ts'
import { createShutdownControl } from './shutdown.ts'
import { followWithReconnect } from './reconnect.ts'
import { ListenedCallback, createForwarder, postCallback, type Forwarder } from './forwarder.ts'
import { createAnswerReporter, formatCallbackLine } from './answer-reporter.ts'
import { printLine } from '../../output.ts'

type Options = {
  forwardTo?: URL
  printJson?: true
  events?: string
  meeting?: string
  name: string
  service?: URL
}

const HELP = `
The API key comes from HANSARD_API_KEY, or is asked for. It needs the scope meetings.

A meeting that was started with "callbackUrl": "listen:default" has this listener as its receiver: in order,
tried again until it is answered, and nothing is lost while nobody listens. Of all other meetings come copies
of their stored events, each posted once. Ctrl-C ends it.`

export function addListenCommand(program: Command): void {
  program
    .command('listen')
    .description('bring the callbacks of a running service to a receiver on this machine')
    .option('--forward-to <url>', 'post each callback there, as it is and signed', parseUrl)
    .option('--print-json', 'print the body of each callback, and nothing else, on a line')
    .option('--events <types>', 'only these, separated by commas', parseTypes)
    .option('--meeting <id>', 'copies of this meeting only')
    .option('--name <name>', 'a meeting calls it as listen:<name>', parseName, 'default')
    .option('--service <url>', 'default: HANSARD_URL, or http://127.0.0.1:8080', parseUrl)
    .addHelpText('after', HELP)
    .action(listen)
}

async function listen(options: Options, command: Command): Promise<void> {
  const { forwardTo, printJson, name, events, meeting } = options
  if (forwardTo === undefined && !printJson) {
    command.error("error: give '--forward-to <url>', '--print-json', or both")
  }
  const settings = loadClientSettings()
  const service = options.service ?? toUrl(settings.url, 'HANSARD_URL')
  const apiKey = settings.apiKey ?? (await askForKey())
  const asking: ListenRequest = { service, apiKey, name, events, meeting }
  const report = createAnswerReporter(asking, printNote)
  using ending = createShutdownControl(() => forwarder)
  const forwarder: Forwarder = createForwarder({
    post: async (callback, signal) =>
      forwardTo === undefined ? PRINTED_ANSWER : postCallback(forwardTo, callback, signal),
    async onDone(callback, outcome) {
      printLine(printJson ? callback.body : formatCallbackLine(callback, outcome, new Date()))
      if (callback.isAnswerWanted) await report(callback.deliveryId, outcome)
    },
    onFailure: ending.fail,
  })
  const onMessage = (message: ServerSentEvent) => {
    if (message.event === 'open') printNote(welcomeLine(asking, forwardTo))
    if (message.event === 'callback' && !ending.isStopping())
      forwarder.forward(parseCallback(message))
  }
  await followWithReconnect(asking, ending.signal, { onMessage, note: printNote })
  ending.throwIfFailed()
}

/** Without a receiver, whoever reads our output is it. */
const PRINTED_ANSWER = { status: 200, error: null, answer: 'Printed', durationMs: 0 }

function welcomeLine({ service, name }: ListenRequest, forwardTo: URL | undefined): string {
  const target = forwardTo === undefined ? '' : `, for ${forwardTo.href}`
  return `Listening as listen:${name} at ${service.origin}${target}`
}

function parseCallback({ data }: ServerSentEvent): ListenedCallback {
  const parsed = ListenedCallback.safeParse(JSON.parse(data))
  if (parsed.success) return parsed.data
  throw new OperatorError(
    'The service hands out callbacks in a form that is not known here',
    'Use the same version on both sides',
  )
}

async function askForKey(): Promise<string> {
  if (!process.stdin.isTTY) {
    throw new OperatorError('An API key is needed', 'Set HANSARD_API_KEY to the sk_… of a token')
  }
  const { password, isCancel } = await import('@clack/prompts')
  const typed = await password({ message: 'API key (sk_…)' })
  if (isCancel(typed)) throw new OperatorError('Nothing was done')
  return typed.trim()
}

/** Beside the callbacks, so that those can be piped on. */
function printNote(text: string): void {
  process.stderr.write(`${text}\n`)
}

function toUrl(text: string, what: string): URL {
  const url = URL.parse(text)
  if (url !== null && isPlainHttpUrl(url)) return url
  throw new OperatorError(`${what} must be an http or https address without user and password`)
}

function parseUrl(value: string): URL {
  const url = URL.parse(value)
  if (url !== null && isPlainHttpUrl(url)) return url
  throw new InvalidArgumentError('It must be an http or https address without user and password.')
}

function isPlainHttpUrl({ protocol, username, password }: URL): boolean {
  return /^https?:$/.test(protocol) && username === '' && password === ''
}

function parseTypes(value: string): string {
  const types = value.split(',').map((type) => type.trim())
  if (types.every((type) => /^\w+$/.test(type))) return types.join(',')
  throw new InvalidArgumentError('Types are separated by commas, such as meeting_status,insight.')
}

function parseName(value: string): string {
  if (/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(value)) return value
  throw new InvalidArgumentError('A name has 1 to 64 letters, digits, dots, hyphens, underscores.')
}
