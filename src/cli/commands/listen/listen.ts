import { setTimeout as sleep } from 'node:timers/promises'
import { InvalidArgumentError, type Command } from 'commander'
import { loadClientSettings } from '../../../config/load-config.ts'
import { OperatorError } from '../../../lib/operator-error.ts'
import { errorCode } from '../../../lib/error-code.ts'
import type { ServerSentEvent } from '../../../lib/net/server-sent-events.ts'
import { askForApiKey } from '../../ask-secrets.ts'
import { printLine } from '../../output.ts'
import { SERVICE_OPTION } from '../../service-options.ts'
import { type ListenRequest, followEventStream } from './event-stream.ts'
import {
  createReceiverAnswerUploader,
  formatCallbackLine,
  ListenedCallback,
  createCallbackForwarder,
  postCallback,
  type CallbackForwarder,
} from './forwarder.ts'

type Options = {
  forwardTo?: URL
  printJson?: true
  events?: string
  meeting?: string
  name: string
  service?: URL
}

const HELP = `
The API key is read from HANSARD_API_KEY or prompted for. It needs the scope meetings.

A meeting that was started with "callbackUrl": "listen:default" uses this listener as its receiver: callbacks arrive
in order, are retried until the receiver accepts them, and wait while the listener is not connected. For all other
meetings the listener gets copies of their stored events, each posted once. Press Ctrl-C to stop.`

/** Controls how the command `hansard listen` stops. */
interface ShutdownControl extends Disposable {
  signal: AbortSignal
  /** True after the command was asked to stop. It then starts no new work. */
  isStopping(): boolean
  /** Stops the command immediately because of an error. */
  fail(error: unknown): void
  /** Throws the error that stopped the command. Does nothing if it was asked to stop. */
  throwIfFailed(): void
}

/** When `hansard listen` stops, it waits this long for callbacks that it is still forwarding. */
const GRACE_MS = 3_000
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
const STOPPED_ON_REQUEST = Symbol('stopped on request')

export function registerListenCommand(program: Command): void {
  program
    .command('listen')
    .description('forward the callbacks of a running service to a receiver on this machine')
    .option('--forward-to <url>', 'post each callback to this URL, unchanged and signed', parseUrl)
    .option('--print-json', 'print only the body of each callback, one per line')
    .option('--events <types>', 'only these event types, separated by commas', parseTypes)
    .option('--meeting <id>', 'only copies of this meeting')
    .option(
      '--name <name>',
      'name of the listener; meetings use it as listen:<name>',
      parseName,
      'default',
    )
    .option(...SERVICE_OPTION, parseUrl)
    .addHelpText('after', HELP)
    .action(listen)
}

async function listen(options: Options, command: Command): Promise<void> {
  const { forwardTo, printJson, name, events, meeting } = options
  if (forwardTo === undefined && !printJson) {
    command.error("error: use '--forward-to <url>', '--print-json', or both")
  }
  const settings = loadClientSettings()
  const service = options.service ?? toUrl(settings.url, 'HANSARD_URL')
  const apiKey = settings.apiKey ?? (await askForApiKey())
  const request: ListenRequest = { service, apiKey, name, events, meeting }
  const report = createReceiverAnswerUploader(request, printNote)
  using shutdown = createShutdownControl(() => forwarder)
  const forwarder: CallbackForwarder = createCallbackForwarder({
    post: async (callback, signal) =>
      forwardTo === undefined ? PRINTED_ANSWER : postCallback(forwardTo, callback, signal),
    async onDone(callback, outcome) {
      printLine(printJson ? callback.body : formatCallbackLine(callback, outcome, new Date()))
      if (callback.isAnswerWanted) await report(callback.deliveryId, outcome)
    },
    onFailure: shutdown.fail,
  })
  const onMessage = (message: ServerSentEvent) => {
    if (message.event === 'open') printNote(welcomeLine(request, forwardTo))
    if (message.event === 'callback' && !shutdown.isStopping())
      forwarder.forward(parseCallback(message))
  }
  await followEventStream(request, shutdown.signal, { onMessage, printNote })
  shutdown.throwIfFailed()
}

/** The response for callbacks that are printed but not forwarded. */
const PRINTED_ANSWER = { status: 200, error: null, answer: 'Printed', durationMs: 0 }

function welcomeLine({ service, name }: ListenRequest, forwardTo: URL | undefined): string {
  const target = forwardTo === undefined ? '' : `, forwarding to ${forwardTo.href}`
  return `Listening as listen:${name} at ${service.origin}${target}`
}

function parseCallback({ data }: ServerSentEvent): ListenedCallback {
  const parsed = ListenedCallback.safeParse(JSON.parse(data))
  if (parsed.success) return parsed.data
  throw new OperatorError(
    'The service sends callbacks in a format that this command does not know',
    'Use the same version of Hansard for the service and for this command',
  )
}

/** Prints to standard error, so that standard output contains only callbacks and can be piped. */
function printNote(text: string): void {
  process.stderr.write(`${text}\n`)
}

function toUrl(text: string, name: string): URL {
  const url = URL.parse(text)
  if (url !== null && isPlainHttpUrl(url)) return url
  throw new OperatorError(`${name} must be an http or https URL without user name and password`)
}

function parseUrl(value: string): URL {
  const url = URL.parse(value)
  if (url !== null && isPlainHttpUrl(url)) return url
  throw new InvalidArgumentError('Must be an http or https URL without user name and password.')
}

function isPlainHttpUrl({ protocol, username, password }: URL): boolean {
  return /^https?:$/.test(protocol) && username === '' && password === ''
}

function parseTypes(value: string): string {
  const types = value.split(',').map((type) => type.trim())
  if (types.every((type) => /^\w+$/.test(type))) return types.join(',')
  throw new InvalidArgumentError(
    'Must be event types separated by commas, such as meeting_status,insight.',
  )
}

function parseName(value: string): string {
  if (/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(value)) return value
  throw new InvalidArgumentError('Must be 1 to 64 letters, digits, dots, hyphens or underscores.')
}

/**
 * Stops `hansard listen` on the first signal, or when the reader of its output closes the pipe. Callbacks that are
 * being forwarded may finish first.
 */
function createShutdownControl(
  forwarder: () => Pick<CallbackForwarder, 'whenIdle'>,
): ShutdownControl {
  const controller = new AbortController()
  const { signal } = controller
  let isStopping = false

  const stop = async () => {
    if (isStopping) return
    isStopping = true
    await Promise.race([forwarder().whenIdle(), sleep(GRACE_MS, null, { ref: false })])
    controller.abort(STOPPED_ON_REQUEST)
  }
  const onSignal = () => void stop()
  const onOutputError = (error: Error) => {
    if (errorCode(error) === 'EPIPE') onSignal()
    else controller.abort(error)
  }
  for (const name of SIGNALS) process.on(name, onSignal)
  process.stdout.on('error', onOutputError)
  return {
    signal,
    isStopping: () => isStopping,
    fail: (error) => controller.abort(error),
    throwIfFailed() {
      if (signal.aborted && signal.reason !== STOPPED_ON_REQUEST) throw signal.reason
    },
    [Symbol.dispose]() {
      for (const name of SIGNALS) process.off(name, onSignal)
    },
  }
}
